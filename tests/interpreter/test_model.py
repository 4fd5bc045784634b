"""`python -m pbem.interpreter` with a real language model on a real server: llama.cpp, on this machine. The weights of
the model are random, so it answers nonsense, but in the form to which the server holds it."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.interpreter.__main__ import Model, templates
from pbem.service.tick import poll
from pbem.store.interpretations import answer_about
from support.cases import begun
from support.correspondents import ALICE, Correspondents
from support.interpreters import plug_in
from support.paths import ROOT

pytestmark = pytest.mark.long
TROOPS = "Let the three lads from area A stroll over to Muster, would you"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    for package in ("gguf", "xllamacpp"):
        pytest.importorskip(package, reason=f"{package} has no wheel for this Python: pip install '.[model]'")
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    command = (sys.executable, ROOT / "tests" / "support" / "tiny_model.py", path)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        yield f"{server.stdout.readline().strip()}/v1"
        server.terminate()


@pytest.mark.parametrize("game", ["ozymandia", "rocknroll", "ozz"])
def test_a_model_is_held_to_the_grammar_of_the_answer(url: str, game: str) -> None:
    llguidance = pytest.importorskip("llguidance")
    grammar = templates().get_template("answer.lark.j2").render(orders=begun(game).situation.constraint)
    said = Model(url, "tiny", server="llama.cpp").say([{"role": "user", "content": "3 A to M"}], grammar)
    tokenizer = llguidance.LLTokenizer("byte")
    matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_lark(grammar))
    tokens = tokenizer.tokenize_str(said)
    assert matcher.try_consume_tokens(tokens) == len(tokens) > 20


@pytest.mark.parametrize("options", ["", "--grammar llama.cpp"])
def test_the_desk_goes_on_whatever_a_model_says(desk_table: DemoDesk, url: str, options: str) -> None:
    people = Correspondents(desk_table)
    plug_in(people.table, f"{sys.executable} -m pbem.interpreter {options} {url} tiny", seconds=300, run=300)
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    people.table.now += timedelta(minutes=5)
    report = poll(people.table.config, people.table.now, lambda text: None, people.table.store)
    assert report.aside == 0
    assert len(people._read()[ALICE]) == 1
    letter = people.table.store.value("SELECT letter FROM interpretations")
    if options:  # held to the schema, an endless answer is an error of this server
        assert answer_about(people.table.store, letter)
        assert report.well
