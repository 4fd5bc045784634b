"""Common actions at the demonstration's table: playing on, and configuring the desk."""

from email.message import Message

from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config
from pbem.record.history import History
from pbem.store.histories import load_history
from pbem.store.matches import load_match
from support.dovecot import PASSWORD, Account


def history(table: DemoDesk, *, press: bool = True) -> History:
    return load_history(table.store, 1, press=press)


def play(table: DemoDesk, red: str = "Pass", blue: str = "Pass") -> list[tuple[str, Message]]:
    """Play a turn; return the resulting letters."""
    table.write("red", red)
    table.write("blue", blue)
    return table.poll()


def configure(table: DemoDesk, section: str, line: str) -> None:
    """Put a line into a section of the configuration, in place of the key's old one."""
    path = table.config.path
    text = path.read_text()
    key = line.partition(" ")[0]
    kept = [old for old in text.splitlines() if not old.startswith(f"{key} =")]
    path.write_text("\n".join(kept).replace(f"[{section}]", f"[{section}]\n{line}"))
    table.config = load_config(path)


def send(table: DemoDesk, seat: str, text: str, **headers: str) -> list[tuple[str, Message]]:
    """Have a seat answer with other headers than its own; return the resulting letters."""
    letter = table.answer(seat, text)
    for name, value in headers.items():
        del letter[name.replace("_", "-")]
        if value:
            letter[name.replace("_", "-")] = value
    table.deliver(letter.as_bytes())
    return table.poll()


def standing(table: DemoDesk) -> dict[str, str]:
    """The orders that count at present, by seat."""
    return {seat: entry.canonical for seat, entry in load_match(table.store, 1).standing.items()}


def on_server(table: DemoDesk, account: Account) -> None:
    """Let the desk's letters come from an IMAP server from now on."""
    password = table.config.path.with_name("password")
    password.write_text(PASSWORD)
    password.chmod(0o600)
    text = table.config.path.read_text()
    url = f"url = {account.url()}\npassword_file = password"
    table.config.path.write_text(text.replace("url = maildir:mail/in", url))
