"""What config.ini may say, what is made of it, and how every mistake in it is told at once."""

import subprocess
import sys
import traceback
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.config.config import Address, Config, Maildir, Server, load_config, parse_address
from pbem.config.ini import ConfigError
from support.desks import bound_by_modes
from support.paths import ROOT

PASSWORD = "tr0ub4dor&3%"
LEAST = {
    "mailbox": {"url": "maildir:in"},
    "outgoing": {"url": "maildir:out", "from": "gm@example.org"},
    "desk": {"operator": "op@example.org", "key_file": "pbem.key"},
}


def write(folder: Path, **sections: dict[str, str | None]) -> Path:
    """The least that a configuration must say, changed as told (None takes a key away)."""
    path = folder / "config.ini"
    lines = []
    for section in {**LEAST, **sections}:
        lines.append(f"[{section}]")
        merged = LEAST.get(section, {}) | sections.get(section, {})
        lines += [f"{key} = {value}" for key, value in merged.items() if value is not None]
    path.write_text("\n".join(lines), "utf-8")
    return path


def load(folder: Path, **sections: dict[str, str | None]) -> Config:
    return load_config(write(folder, **sections))


def problems(folder: Path, **sections: dict[str, str | None]) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load(folder, **sections)
    return caught.value.problems


def told(error: BaseException) -> str:
    """All that anybody could see of an error, in a log or on a terminal."""
    return repr(error) + "".join(traceback.format_exception(error))


def test_the_example_works_as_it_stands_and_holds_every_key() -> None:
    config = load_config(ROOT / "config.example.ini")
    assert config.mailbox.place == Maildir(ROOT / "mail/in")
    assert config.outgoing.place == Maildir(ROOT / "mail/out")
    assert config.outgoing.sender == Address("Game Desk", "gm@example.org")
    text = (ROOT / "config.example.ini").read_text("utf-8")
    keys = ("url", "reply", "auth", "from", "operator", "game_master", "zone", "language", "key_file", "every")
    for key in (*keys, "password_file", "password_env", "password_command"):
        assert f"{key} = " in text


def test_what_need_not_be_said_has_a_value(tmp_path: Path) -> None:
    config = load(tmp_path)
    assert config.mailbox.reply == "plus"
    assert (config.mailbox.auth, config.outgoing.auth) == ("password", "password")
    assert config.desk.game_master == config.desk.operator == Address("", "op@example.org")
    assert (config.desk.zone, config.desk.language) == ("UTC", "en")
    assert config.desk.every == timedelta(minutes=5)


def test_relative_paths_are_relative_to_the_file_and_the_database_lies_beside_it(tmp_path: Path) -> None:
    config = load(tmp_path, outgoing={"url": "maildir:/srv/out"})
    assert config.mailbox.place == Maildir(tmp_path / "in")
    assert config.outgoing.place == Maildir(Path("/srv/out"))
    assert config.desk.key_file == tmp_path / "pbem.key"
    assert config.database == tmp_path / "pbem.db"


def test_further_folders_are_names_with_commas_between_them(tmp_path: Path) -> None:
    assert load(tmp_path).mailbox.folders == ()
    folders = load(tmp_path, mailbox={"folders": "[Gmail]/Spam, Old games"}).mailbox.folders
    assert folders == ("[Gmail]/Spam", "Old games")


SERVERS = [
    ("imap://gm@127.0.0.1:1143/INBOX", Server("127.0.0.1", 1143, "gm", "INBOX", "none")),
    ("imap://gm@localhost", Server("localhost", 143, "gm", "INBOX", "none")),
    ("imap://gm@[::1]:1143/", Server("::1", 1143, "gm", "INBOX", "none")),
    ("imap://gm@imap.example.org", Server("imap.example.org", 143, "gm", "INBOX", "starttls")),
    ("imap://gm@127.0.0.1.example.org", Server("127.0.0.1.example.org", 143, "gm", "INBOX", "starttls")),
    ("imaps://gm%40example.org@[2001:db8::7]", Server("2001:db8::7", 993, "gm@example.org", "INBOX", "direct")),
    ("imaps://gm@h/Spiele%20f%C3%BCr%2Falle", Server("h", 993, "gm", "Spiele für/alle", "direct")),
    ("imaps://gm@h/Games/Ozymandia", Server("h", 993, "gm", "Games/Ozymandia", "direct")),
]


@pytest.mark.parametrize(("url", "server"), SERVERS)
def test_an_imap_url_names_a_server(tmp_path: Path, url: str, server: Server) -> None:
    assert load(tmp_path, mailbox={"url": url, "password_env": "PW"}).mailbox.place == server


def test_an_smtp_url_needs_no_user(tmp_path: Path) -> None:
    outgoing = load(tmp_path, outgoing={"url": "smtp://127.0.0.1:25"}).outgoing
    assert outgoing.place == Server("127.0.0.1", 25, "", "INBOX", "none")
    assert outgoing.password() == ""
    outgoing = load(tmp_path, outgoing={"url": "smtps://gm@mx.example.org", "password_env": "PW"}).outgoing
    assert outgoing.place == Server("mx.example.org", 465, "gm", "INBOX", "direct")


BAD = [
    ("mailbox", "url", "/var/mail/gm", "must begin with maildir:, imap:// or imaps://"),
    ("mailbox", "url", "smtp://gm@host", "must begin with maildir:, imap:// or imaps://"),
    ("mailbox", "url", "maildir:", "names no folder"),
    ("mailbox", "url", "imap://host/INBOX", "names no user"),
    ("mailbox", "url", "imap://gm@:143", "names no host"),
    ("mailbox", "url", "imap://gm@host:99999", "the port a number"),
    ("mailbox", "url", "imap://gm@host/What?", "write %3F or %23"),
    ("mailbox", "url", "imap://gm@host/a%0Ab", "control character"),
    ("mailbox", "url", "", "is empty"),
    ("mailbox", "reply", "both", 'should be one of "plus", "catch-all", "none", not "both".'),
    ("mailbox", "folders", "Spam,, Old", "must be names of folders with commas between them"),
    ("mailbox", "auth", "oauth", 'should be one of "password", "xoauth2", not "oauth".'),
    ("mailbox", "password_command", 'pass "show', "quotation mark"),
    ("outgoing", "url", "smtp://host/path", "something after the port"),
    ("outgoing", "from", "Game Desk", "must be an address"),
    ("outgoing", "from", "a@b.org, c@d.org", "must be an address"),
    ("outgoing", "from", "a@b.org <c@d.org>", "must be an address"),
    ("outgoing", "a_day", "0", "must be a number of letters, 1 or more."),
    ("outgoing", "an_hour", "many", "must be a number of letters, 1 or more."),
    ("desk", "game_master", "nobody", "must be an address"),
    ("desk", "zone", "Mars/Olympus", "name of a time zone"),
    ("desk", "zone", "/etc/passwd", "name of a time zone"),
    ("desk", "language", "klingon", "must be"),
    ("desk", "every", "soon", "length of time"),
]


@pytest.mark.parametrize(("section", "key", "value", "sentence"), BAD)
def test_a_value_that_cannot_be_is_told_with_its_place(
    tmp_path: Path, section: str, key: str, value: str, sentence: str
) -> None:
    (problem,) = [one for one in problems(tmp_path, **{section: {key: value}}) if "none of" not in one]
    assert problem.startswith(f"[{section}] {key} ")
    assert sentence in problem


@pytest.mark.parametrize(
    ("section", "key"),
    [("mailbox", "url"), ("outgoing", "url"), ("outgoing", "from"), ("desk", "operator"), ("desk", "key_file")],
)
def test_what_must_be_said_is_missed(tmp_path: Path, section: str, key: str) -> None:
    assert problems(tmp_path, **{section: {key: None}}) == (f"[{section}] {key} is missing.",)


def test_the_computer_may_think_for_parts_of_a_second(tmp_path: Path) -> None:
    path = write(tmp_path)
    least = path.read_text("utf-8")
    path.write_text(f"{least}\n[opponent]\nseconds = 0.2\nseconds_a_run = 1.5\n", "utf-8")
    assert load_config(path).opponent == (0.2, 1.5)
    for wrong in ("-1", "nan", "1e3"):
        path.write_text(f"{least}\n[opponent]\nseconds = {wrong}\n", "utf-8")
        with pytest.raises(ConfigError) as caught:
            load_config(path)
        assert caught.value.problems == ("[opponent] seconds must be a number of seconds, such as 5 or 0.2.",)


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "config.ini"
    path.write_text(
        "reply = plus\n[mailbx]\nurl = x\n[mailbox]\nrply = plus\nreply = plus\nreply = none\nurl = ftp://x\n"
        "[outgoing]\nurl\n[mailbox]\nzone = UTC\n[desk]\noperator =\n"
    )
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    keys = (
        "url",
        "reply",
        "folders",
        "authserv_id",
        "dkim",
        "alignment",
        "auth",
        "password_file",
        "password_env",
        "password_command",
        "ca_file",
    )
    assert caught.value.problems == (
        "line 1 stands before the first [section].",
        "line 2 has an unknown section, [mailbx]; did you mean mailbox?",
        "line 5 has an unknown key of [mailbox], rply; did you mean reply?",
        "line 7 gives [mailbox] reply a second time.",
        "line 10 is neither a [section] nor `key = value`.",
        "line 11 begins [mailbox] a second time.",
        f"line 12 has an unknown key of [mailbox], zone; known are {', '.join(keys)}.",
        "[desk] operator is empty.",
        "[mailbox] url must begin with maildir:, imap:// or imaps://",
        "[outgoing] url is missing.",
        "[outgoing] from is missing.",
        "[desk] key_file is missing.",
    )
    assert str(caught.value).splitlines()[1:] == [f"  {one}" for one in caught.value.problems]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"config\.ini: cannot be read: No such file"):
        load_config(tmp_path / "config.ini")
    (tmp_path / "config.ini").write_bytes("[desk]\n# für\n".encode("latin-1"))
    with pytest.raises(ConfigError, match="line 2 is not UTF-8 text"):
        load_config(tmp_path / "config.ini")


def test_a_byte_order_mark_comments_and_percent_signs_do_no_harm(tmp_path: Path) -> None:
    text = write(tmp_path, mailbox={"url": "maildir:100%in"}).read_text()
    (tmp_path / "config.ini").write_bytes(b"\xef\xbb\xbf# first\r\n; second\r\n\r\n" + text.encode())
    assert load_config(tmp_path / "config.ini").mailbox.place == Maildir(tmp_path / "100%in")


def test_an_address_may_have_a_name() -> None:
    assert parse_address("alice@example.org", "--red") == Address("", "alice@example.org")
    assert parse_address("Alice <alice@example.org>", "--red") == Address("Alice", "alice@example.org")
    assert parse_address('"Ä. Lice" <a+b@x.example>', "--red") == Address("Ä. Lice", "a+b@x.example")
    with pytest.raises(ConfigError, match=r"^--red: must be an address"):
        parse_address("Alice", "--red")


def test_addresses_may_have_an_apostrophe_or_an_international_domain(tmp_path: Path) -> None:
    desk = {"operator": "Sean <sean.o'brien@example.org>", "game_master": "gina@müller.example"}
    config = load_config(write(tmp_path, desk=desk, outgoing={"from": "Desk <o'desk@MÜLLER.example>"}))
    assert config.desk.operator == Address("Sean", "sean.o'brien@example.org")
    assert config.desk.game_master == Address("", "gina@xn--mller-kva.example")
    assert config.outgoing.sender == Address("Desk", "o'desk@xn--mller-kva.example")


# Passwords


@pytest.mark.parametrize(
    "url", [f"imap://gm:{PASSWORD}@host", f"imap://gm:{PASSWORD}", f"imaps://{PASSWORD}:{PASSWORD}/x@host:z"]
)
def test_a_password_in_the_url_is_refused_and_not_repeated(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, mailbox={"url": url})
    assert PASSWORD not in told(caught.value)


def test_a_user_needs_one_password_and_only_one(tmp_path: Path) -> None:
    server = {"url": "imap://gm@host"}
    (problem,) = problems(tmp_path, mailbox=server)
    assert problem == "[mailbox] has none of password_file, password_env, password_command."
    (problem,) = problems(tmp_path, mailbox=server | {"password_file": "a", "password_env": "B"})
    assert problem == "[mailbox] has password_file and password_env: keep one of them."
    (problem,) = problems(tmp_path, outgoing={"url": "smtp://host", "password_env": "B"})
    assert problem == "[outgoing] has a password, but its url no user."


def password_of(folder: Path, **keys: str | None) -> str:
    return load(folder, mailbox={"url": "imap://gm@host"} | keys).mailbox.password()


def test_the_password_is_the_first_line_of_a_file_a_variable_or_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text(f"{PASSWORD}\nuser: gm\n")
    (tmp_path / "secret").chmod(0o600)
    monkeypatch.setenv("PBEM_TEST_SECRET", PASSWORD)
    assert password_of(tmp_path, password_file="secret") == PASSWORD
    assert password_of(tmp_path, password_env="PBEM_TEST_SECRET") == PASSWORD
    assert password_of(tmp_path, password_command="cat secret") == PASSWORD


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_password_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "secret").write_text(PASSWORD)
    (tmp_path / "secret").chmod(mode)
    with pytest.raises(ConfigError, match=r"^\[mailbox\] password_file: .* can be read by others: run `chmod 600`"):
        password_of(tmp_path, password_file="secret")


def test_a_password_file_that_belongs_to_another_user_is_told(tmp_path: Path) -> None:
    (tmp_path / "secret").touch(0o200)
    with bound_by_modes(), pytest.raises(ConfigError, match="has to belong to the user who runs pbem"):
        password_of(tmp_path, password_file="secret")


def test_a_password_that_cannot_be_had_is_told_without_a_word_of_it(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text(f"\n{PASSWORD}")
    (tmp_path / "bytes").write_bytes(PASSWORD.encode() + b"\xff")
    for name in ("empty", "bytes"):
        (tmp_path / name).chmod(0o600)
    for keys, sentence in (
        ({"password_file": "none"}, "cannot be read: No such file"),
        ({"password_file": "empty"}, "holds no password"),
        ({"password_file": "bytes"}, "not UTF-8"),
        ({"password_env": "PBEM_TEST_NOT_SET"}, "PBEM_TEST_NOT_SET is not set"),
        ({"password_command": f"sh -c 'echo {PASSWORD}; exit 3'"}, "ended with status 3"),
        (
            {"password_command": f"/no/such/program {PASSWORD}"},
            "[mailbox] password_command: /no/such/program cannot be run: No such file",
        ),
    ):
        with pytest.raises(ConfigError) as caught:
            password_of(tmp_path, **keys)
        assert sentence in str(caught.value)
        assert PASSWORD not in told(caught.value)


def test_a_command_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.config.ini._COMMAND_SECONDS", 0.05)
    with pytest.raises(ConfigError, match="did not end"):
        password_of(tmp_path, password_command=f"sh -c 'echo {PASSWORD}; exec sleep 10'")


def test_no_representation_of_the_configuration_shows_a_password(tmp_path: Path) -> None:
    config = load(tmp_path, mailbox={"url": "imap://gm@host", "password_command": f"echo {PASSWORD}"})
    assert config.mailbox.password() == PASSWORD
    assert PASSWORD not in f"{config!r} {config} {config.mailbox} {config.mailbox.secret!r}"


def test_reading_the_configuration_loads_nothing_heavy() -> None:
    heavy = ("imapclient", "imaplib", "smtplib", "ssl", "configparser", "subprocess", "difflib")
    code = (
        f"import sys; from pbem.config.config import load_config; load_config({str(ROOT / 'config.example.ini')!r});"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_signed_letters_need_the_name_of_a_server_whose_word_is_believed(tmp_path: Path) -> None:
    assert problems(tmp_path, desk={"trust": "signed"}) == (
        "[desk] trust = signed needs [mailbox] authserv_id, whose verdict is believed, or dkim = yes.",
    )
    assert load_config(write(tmp_path, desk={"trust": "signed"}, mailbox={"dkim": "yes"})).mailbox.dkim
    config = load_config(write(tmp_path, desk={"trust": "signed"}, mailbox={"authserv_id": "MX.example.org"}))
    assert (config.desk.trust, config.mailbox.authserv_id) == ("signed", "mx.example.org")
    assert problems(tmp_path, desk={"trust": "anybody"}) == (
        '[desk] trust should be one of "token", "signed", "address", not "anybody".',
    )
    assert len(problems(tmp_path, mailbox={"authserv_id": "a b"})) == 1


@pytest.mark.parametrize("name", ["\u202eecilA", "Al\x1b[31mice", "Al\tice", "Al\x00ice"])
def test_a_name_holds_nothing_that_cannot_be_seen(name: str) -> None:
    with pytest.raises(ConfigError, match="must be an address"):
        parse_address(f"{name} <alice@example.org>", "--red")


OLD = {"url": "imaps://games@imap.old.example", "address": "games@old.example", "password_env": "OLD"}


def test_an_old_mailbox_and_private_authorities(tmp_path: Path) -> None:
    imap = {"url": "imap://gm@imap.example.org", "password_env": "NEW", "ca_file": "ca.pem"}
    config = load(tmp_path, mailbox=imap, **{"mailbox.old": OLD | {"ca_file": "/etc/ca.pem"}})
    assert [*config.mailboxes] == ["", "old"]
    assert config.mailbox.place == Server("imap.example.org", 143, "gm", "INBOX", "starttls", tmp_path / "ca.pem")
    assert config.old
    assert config.old.address == "games@old.example"
    assert config.old.mailbox.place == Server("imap.old.example", 993, "games", "INBOX", "direct", Path("/etc/ca.pem"))
    assert [*load(tmp_path).mailboxes] == [""]


def test_what_is_wrong_with_an_old_mailbox_is_told(tmp_path: Path) -> None:
    assert problems(tmp_path, **{"mailbox.old": {"url": "maildir:in", "ca_file": "ca.pem"}}) == (
        "[mailbox.old] address is missing.",
        "[mailbox.old] url is that of [mailbox]: leave this section out.",
        "[mailbox.old] ca_file is for a server, but the url names a Maildir.",
    )
