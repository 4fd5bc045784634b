"""The container image: how it is described, and, where there is Docker or Podman, that it works."""

import shutil
import subprocess
from collections.abc import Iterator
from itertools import takewhile

import click
import pytest

from pbem.cli.main import main
from support.docs import fenced, page
from support.paths import ROOT


def instructions() -> list[list[str]]:
    """The instructions of the Containerfile, as words; what goes on in the next line belongs to the one before."""
    lines = page("Containerfile").replace("\\\n", " ").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def last(name: str) -> list[str]:
    """What stands behind the last instruction of this name."""
    return [words for head, *words in instructions() if head == name][-1]


def test_the_desk_is_the_volume_of_a_container_and_its_user_is_not_root():
    (folder,) = last("VOLUME")
    assert last("ENV") == [f"PBEM_CONFIG={folder}/config.ini"]
    assert last("WORKDIR") == [folder]
    (user,) = last("USER")
    made = next(" ".join(words) for words in reversed(instructions()) if words[0] == "RUN")
    assert "useradd --uid 1000" in made
    assert f"install -d -o {user} -g {user} -m 0700 {folder}" in made


def test_a_container_is_the_command_pbem_and_watches_unless_it_is_told_otherwise():
    assert last("ENTRYPOINT") == ['["pbem"]']
    (command,) = last("CMD")
    assert main.get_command(click.Context(main), command.strip('[]"'))


def test_an_image_is_made_of_what_git_has():
    """What is left out of it is no file of the project, or no build needs it."""
    left_out = [line for line in page(".dockerignore").splitlines() if not line.startswith("#")]
    assert {".git", ".venv"} <= {*left_out}
    assert not {*left_out} & {path.name for path in ROOT.iterdir() if path.suffix in (".py", ".toml", ".md", ".ini")}


@pytest.fixture
def engine() -> str:
    for name in ("podman", "docker"):
        if shutil.which(name) and not subprocess.run([name, "info"], capture_output=True, check=False).returncode:
            return name
    pytest.skip("neither Podman nor Docker runs here")


@pytest.fixture
def volume(engine: str) -> Iterator[str]:
    yield "pbem-test-desk"
    subprocess.run([engine, "volume", "rm", "--force", "pbem-test-desk"], check=True, capture_output=True)


@pytest.mark.long
def test_the_commands_of_the_manual_make_an_image_and_a_desk(engine, volume):
    shown = next(text for text in fenced(page("docs/operating.md").replace("\n  ", "\n"), "sh") if "podman" in text)
    build, init, *_ = shown.replace("podman", engine).replace("pbem-desk", volume).splitlines()
    subprocess.run(build.split(), cwd=ROOT, check=True)
    assert (
        "The desk in /desk is ready." in subprocess.run(init.split(), check=True, capture_output=True, text=True).stdout
    )
    poll = [*takewhile(lambda word: word != "init", init.split()), "poll"]
    assert subprocess.run(poll, check=True, capture_output=True, text=True).stdout == ""
