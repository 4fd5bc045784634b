"""The desk's INI file as a frozen Config, every problem told at once; who decides; the key that tokens are made with.

The key is a file of mode 0600 outside the database and its backups; passwords stay outside until they are needed.
"""

import os
import re
import stat
from collections.abc import Callable
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar, cast
from urllib.parse import SplitResult, unquote, urlsplit

from pbem import PbemError
from pbem.config.ini import ConfigError, Secret, read_ini
from pbem.times.moments import Beacon

T = TypeVar("T")

_PASSWORD_KEYS = ("password_file", "password_env", "password_command")
_KEYS: dict[str, tuple[str, ...]] = {
    "mailbox": ("url", "reply", "authserv_id", "dkim", "alignment", "auth", *_PASSWORD_KEYS),
    "outgoing": ("url", "from", "auth", *_PASSWORD_KEYS),
    "chance": ("beacon", "name", "genesis", "period"),
    "opponent": ("seconds", "seconds_a_run"),
    "desk": (
        "operator",
        "game_master",
        "zone",
        "language",
        "key_file",
        "every",
        "trust",
        "deadline",
        "rehearsal",
        "keep_strangers",
        "cooling_off",
        "chance",
    ),
}
_KEEP: timedelta | None = timedelta(days=90)
_COOLING = timedelta(minutes=10)
_Reply = Literal["plus", "catch-all", "none"]
_Auth = Literal["password", "xoauth2"]
_Trust = Literal["token", "signed", "address"]
_PORTS = {"imap": 143, "imaps": 993, "smtp": 587, "smtps": 465}
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")
_BARE_ADDRESS = r"[^\s<>@\"',;:()\[\]\\]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
_NAMED_ADDRESS = re.compile(rf'({_BARE_ADDRESS})|"?([^"<>@\r\n]*?)"?\s*<({_BARE_ADDRESS})>', re.ASCII)


class Address(NamedTuple):
    """An address with the name that is shown beside it; `name` may be empty."""

    name: str
    address: str


class Maildir(NamedTuple):
    """A folder with `new`, `cur` and `tmp` below it."""

    path: Path


class Server(NamedTuple):
    """An IMAP or SMTP server. `tls`: from the first byte, by STARTTLS, or none (only on this machine)."""

    host: str
    port: int
    user: str
    folder: str
    tls: Literal["direct", "starttls", "none"]


class MailboxConfig(NamedTuple):
    """[mailbox]: where letters come in. `reply` says which of our addresses reach it.

    `authserv_id` is the name in the Authentication-Results of the server that takes our letters in; None if none is
    to be believed. `dkim`: we check signatures ourselves. `strict`: a verdict is for the domain in From alone.
    """

    place: Maildir | Server
    reply: _Reply
    authserv_id: str | None
    dkim: bool
    strict: bool
    auth: _Auth
    secret: Secret | None

    def password(self) -> str:
        """The password or access token, read anew; "" where none is needed. Raises ConfigError."""
        return self.secret.read() if self.secret else ""


class OutgoingConfig(NamedTuple):
    """[outgoing]: where letters go out, and the address they come from."""

    place: Maildir | Server
    sender: Address
    auth: _Auth
    secret: Secret | None

    def password(self) -> str:
        """The password or access token, read anew; "" where none is needed. Raises ConfigError."""
        return self.secret.read() if self.secret else ""


class DeskConfig(NamedTuple):
    """[desk]: the people behind it, its time zone (IANA name) and language (ISO 639-1), its key, how often it is run,
    and how sure it must be of who wrote; how long turns take where no league says so."""

    operator: Address
    game_master: Address
    zone: str
    language: str  # of letters to whoever has not said
    key_file: Path
    every: timedelta
    trust: _Trust
    deadline: str  # as `dates.parse_pace` reads it: of games that belong to no league
    rehearsal: bool  # the clock is what --now says, and a gap between runs means nothing
    keep_strangers: timedelta | None  # how long letters of strangers are kept; None for ever
    chance: str  # of games that belong to no league: what dice and cards come from
    cooling_off: timedelta  # of games that belong to no league: how long players may think again


class BeaconConfig(NamedTuple):
    """[chance]: a public beacon, and the command that prints a round of it, whose number is its last argument. It is
    run in `folder`."""

    beacon: Beacon
    command: str
    folder: Path


class OpponentConfig(NamedTuple):
    """[opponent]: how many seconds the computer may think about a turn, and in a run, where it thinks long."""

    turn: int
    run: int


class Config(NamedTuple):
    """One desk. `path` is the file it was read from; relative paths in it are relative to its folder."""

    path: Path
    mailbox: MailboxConfig
    outgoing: OutgoingConfig
    desk: DeskConfig
    opponent: OpponentConfig
    chance: BeaconConfig | None = None

    @property
    def beacon(self) -> Beacon | None:
        """The public beacon, if there is one."""
        return self.chance and self.chance.beacon

    @property
    def database(self) -> Path:
        """Always `pbem.db` beside the file: a desk is one folder."""
        return self.path.with_name("pbem.db")


def load_config(path: str | Path) -> Config:
    """Read a desk's configuration. Raises ConfigError with every problem of the file at once."""
    path = Path(path).absolute()
    try:
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}. `pbem init DIR` makes a desk.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(str(path), f"line {line} is not UTF-8 text: save the file as UTF-8.") from None
    form = _Form(text, path.parent)
    config = Config(path, _mailbox(form), _outgoing(form), _desk(form), _opponent(form), _chance(form))
    if config.desk.trust == "signed" and not (config.mailbox.authserv_id or config.mailbox.dkim):
        form.problems.append(
            "[desk] trust = signed needs [mailbox] authserv_id, whose verdict is believed, or dkim = yes."
        )
    if config.desk.chance == "beacon" and not config.chance:
        form.problems.append("[desk] chance = beacon needs a public beacon: [chance] beacon, name, genesis and period.")
    if form.problems:
        raise ConfigError(str(path), *form.problems)
    return config


def _mailbox(form: "_Form") -> MailboxConfig:
    place = form.required("mailbox", "url", lambda text: _place(text, form.folder, "imap"))
    reply = form.optional("mailbox", "reply", _one_of("plus", "catch-all", "none"), "plus")
    server: str | None = form.optional("mailbox", "authserv_id", _host_name, None)
    dkim = form.optional("mailbox", "dkim", _one_of("yes", "no"), "no") == "yes"
    strict = form.optional("mailbox", "alignment", _one_of("relaxed", "strict"), "relaxed") == "strict"
    if dkim and not find_spec("dkim"):
        form.problems.append("[mailbox] dkim = yes needs more than is installed: `pip install 'pbem[dkim]'`.")
    return MailboxConfig(
        place, cast("_Reply", reply), server, dkim, strict, form.auth("mailbox"), form.secret("mailbox", place)
    )


def _outgoing(form: "_Form") -> OutgoingConfig:
    place = form.required("outgoing", "url", lambda text: _place(text, form.folder, "smtp"))
    sender = form.required("outgoing", "from", _address)
    return OutgoingConfig(place, sender, form.auth("outgoing"), form.secret("outgoing", place))


def _desk(form: "_Form") -> DeskConfig:
    operator = form.required("desk", "operator", _address)
    return DeskConfig(
        operator=operator,
        game_master=form.optional("desk", "game_master", _address, operator),
        zone=form.optional("desk", "zone", _zone, "UTC"),
        language=form.optional("desk", "language", _language, "en"),
        key_file=form.required("desk", "key_file", lambda text: _path(text, form.folder)),
        every=form.optional("desk", "every", _every, timedelta(minutes=5)),
        trust=cast("_Trust", form.optional("desk", "trust", _one_of("token", "signed", "address"), "token")),
        chance=form.optional("desk", "chance", _one_of("desk", "words", "beacon"), "words"),
        deadline=form.optional("desk", "deadline", _pace, "7 days"),
        rehearsal=form.optional("desk", "rehearsal", _one_of("yes", "no"), "no") == "yes",
        keep_strangers=form.optional("desk", "keep_strangers", _keeping, _KEEP),
        cooling_off=form.optional("desk", "cooling_off", _cooling, _COOLING),
    )


def _opponent(form: "_Form") -> OpponentConfig:
    turn = form.optional("opponent", "seconds", _seconds(0), 5)
    return OpponentConfig(turn, form.optional("opponent", "seconds_a_run", _seconds(0), 30))


def _chance(form: "_Form") -> BeaconConfig | None:
    if not form.has("chance"):
        return None
    command, name = form.required("chance", "beacon", _command), form.required("chance", "name", _title)
    beacon = Beacon(
        name, form.required("chance", "genesis", _seconds(0)), form.required("chance", "period", _seconds(1))
    )
    return BeaconConfig(beacon, command, form.folder)


class _Form:
    """The file as sections of keys and values, and what is wrong with it so far."""

    def __init__(self, text: str, folder: Path) -> None:
        self.folder = folder
        self._values, self.problems = read_ini(text, _KEYS)

    def has(self, section: str) -> bool:
        """Whether anything is said in a section."""
        return any(place == section for place, _ in self._values)

    def required(self, section: str, key: str, parse: Callable[[str], T]) -> T:
        """The value of a key that must be there; where it is not, no Config will be made."""
        if (section, key) not in self._values:
            self.problems.append(f"[{section}] {key} is missing.")
            return cast("T", None)
        return self.optional(section, key, parse, cast("T", None))

    def optional(self, section: str, key: str, parse: Callable[[str], T], default: T) -> T:
        text = self._values.get((section, key))
        if text is None:
            return default
        try:
            if not text:
                raise _BadValueError("is empty.")
            if "\0" in text:
                raise _BadValueError("holds a NUL character: write the line anew.")
            return parse(text)
        except PbemError as error:
            self.problems.append(f"[{section}] {key} {error}")
            return default

    def auth(self, section: str) -> _Auth:
        return cast("_Auth", self.optional(section, "auth", _one_of("password", "xoauth2"), "password"))

    def secret(self, section: str, place: Maildir | Server | None) -> Secret | None:
        """Where the password is kept: a server with a user needs one, a server without must have none."""
        readers: dict[str, Callable[[str], str]] = {
            "password_file": lambda text: str(_path(text, self.folder)),
            "password_env": str,
            "password_command": _command,
        }
        secrets = {
            key: self.required(section, key, parse) for key, parse in readers.items() if (section, key) in self._values
        }
        if len(secrets) > 1:
            self.problems.append(f"[{section}] has {' and '.join(secrets)}: keep one of them.")
        if isinstance(place, Server) and bool(place.user) != bool(secrets):
            lacks = f"none of {', '.join(_PASSWORD_KEYS)}" if place.user else "a password, but its url no user"
            self.problems.append(f"[{section}] has {lacks}.")
        return next((Secret(section, key, value, self.folder) for key, value in secrets.items()), None)


class _BadValueError(PbemError):
    """The end of the sentence that begins with the section and the key."""


def _place(text: str, folder: Path, protocol: str) -> Maildir | Server:
    if text.startswith("maildir:"):
        if text == "maildir:":
            raise _BadValueError("names no folder after maildir:.")
        return Maildir(_path(text.removeprefix("maildir:"), folder))
    scheme = text.partition("://")[0]
    if scheme not in (protocol, f"{protocol}s") or "://" not in text:
        raise _BadValueError(f"must begin with maildir:, {protocol}:// or {protocol}s://")
    return _server(text, scheme)


def _server(text: str, scheme: str) -> Server:
    """Take a server's url apart. What is wrong is told without repeating it: a password may stand in it."""
    try:
        url = urlsplit(text)
        port = url.port or _PORTS[scheme]
    except ValueError:
        raise _BadValueError(
            "must be USER@HOST:PORT after the //, the port a number; in USER write %40 for @ and %2F for /."
        ) from None
    _check_url(text, url, scheme)
    host = url.hostname or ""
    plain = "none" if _LOOPBACK.fullmatch(host) else "starttls"
    return Server(
        host=host,
        port=port,
        user=unquote(url.username or ""),
        folder=unquote(url.path.removeprefix("/")) or "INBOX",
        tls="direct" if scheme.endswith("s") else cast('Literal["none", "starttls"]', plain),
    )


def _check_url(text: str, url: SplitResult, scheme: str) -> None:
    if url.password is not None:
        raise _BadValueError(
            "holds a password, which must not stand here: use one of " + ", ".join(_PASSWORD_KEYS) + "."
        )
    if not url.hostname:
        raise _BadValueError("names no host.")
    if "?" in text or "#" in text:
        raise _BadValueError("holds a ? or a #: write %3F or %23.")
    if scheme.startswith("imap") and not url.username:
        raise _BadValueError("names no user: write USER@ before the host, with %40 for an @ within USER.")
    if scheme.startswith("smtp") and url.path not in ("", "/"):
        raise _BadValueError("has something after the port, where nothing may stand.")
    if re.search(r"[\x00-\x1f\x7f]", unquote(url.username or "") + unquote(url.path)):
        raise _BadValueError("holds a control character.")


def parse_address(text: str, where: str) -> Address:
    """An address with or without a name before it. Raises ConfigError, which says `where` it stands."""
    try:
        return _address(text)
    except _BadValueError as error:
        raise ConfigError(where, str(error)) from None


def _address(text: str) -> Address:
    mailbox = _NAMED_ADDRESS.fullmatch(text)
    if not mailbox or not text.isprintable():  # what turns the direction of writing is not printable
        raise _BadValueError("must be an address such as gm@example.org or Game Desk <gm@example.org>.")
    bare, name, boxed = mailbox.groups()
    return Address((name or "").strip(), bare or boxed)


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise _BadValueError(f"must be {', '.join(words[:-1])} or {words[-1]}.")
        return text

    return parse


def _seconds(least: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch("[0-9]{1,11}", text) or int(text) < least:
            raise _BadValueError(f"must be a number of seconds, {least} or more.")
        return int(text)

    return parse


def _title(text: str) -> str:
    if len(text) > 150 or not text.isprintable() or "`" in text:
        raise _BadValueError("must be at most 150 characters that can be printed.")
    return text


def _host_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", text):
        raise _BadValueError("must be the name of a mail server, as it stands first in its Authentication-Results.")
    return text.lower()


def _language(text: str) -> str:
    if text != "en":
        from pbem.i18n.words import files

        _one_of(*files())(text)
    return text


def _zone(text: str) -> str:
    if text != "UTC":
        from zoneinfo import ZoneInfo

        try:
            ZoneInfo(text)
        except (ValueError, OSError, LookupError):
            raise _BadValueError("must be the name of a time zone, such as Europe/Berlin or UTC.") from None
    return text


def _every(text: str) -> timedelta:
    from pbem.times.moments import parse_duration

    try:
        return parse_duration(text)
    except PbemError:
        raise _BadValueError("must be a length of time such as 5 minutes or 1 hour.") from None


def _keeping(text: str) -> timedelta | None:
    from pbem.times.moments import parse_duration

    try:
        return None if text == "for ever" else parse_duration(text)
    except PbemError:
        raise _BadValueError("must be a length of time such as 90 days, or for ever.") from None


def _cooling(text: str) -> timedelta:
    from pbem.times.moments import parse_pause

    try:
        return parse_pause(text)
    except PbemError:
        raise _BadValueError("must be a length of time such as 10 minutes, or 0.") from None


def _pace(text: str) -> str:
    if re.fullmatch(r"[1-9]\d{0,2} (day|hour|week)s?", text):  # as most are: every run reads them
        return text
    from pbem.times.dates import parse_pace

    try:
        parse_pace(text)
    except PbemError as error:
        raise _BadValueError(f"cannot be read. {error}") from None
    return text


def _command(text: str) -> str:
    import shlex

    try:
        shlex.split(text)
    except ValueError:
        raise _BadValueError("has a quotation mark that is not closed.") from None
    return text


def _path(text: str, folder: Path) -> Path:
    try:
        return folder / Path(text).expanduser()
    except RuntimeError:
        raise _BadValueError("begins with ~, but there is no such home folder.") from None


def game_master_of(config: Config) -> Address:
    """Who looks after the games; the operator where the file names the desk itself, whose letters nobody reads."""
    named = config.desk.game_master
    return config.desk.operator if is_own(config, named) else named


def is_own(config: Config, person: Address) -> bool:
    """Whether somebody's address is the desk's own."""
    own, _, domain = config.outgoing.sender.address.lower().rpartition("@")
    local, _, at = person.address.lower().rpartition("@")
    return at == domain and local.partition("+")[0] == own


_KEY_BYTES = 32


def make_key(path: Path) -> None:
    """A new key file of mode 0600. Raises ConfigError if there is a file already."""
    import secrets

    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigError("[desk] key_file", f"{path} cannot be made: {error.strerror}.") from None
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(_KEY_BYTES) + "\n")


def read_key(path: Path) -> bytes:
    """The key that all reply tokens are made with. Raises ConfigError."""
    try:
        mode = path.stat().st_mode
        key = bytes.fromhex(path.read_text("ascii").strip())
    except OSError as error:
        raise ConfigError("[desk] key_file", f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        key = b""
    if stat.S_IMODE(mode) & 0o077:
        raise ConfigError("[desk] key_file", f"{path} can be read by others: run `chmod 600` on it.")
    if len(key) < _KEY_BYTES:
        raise ConfigError("[desk] key_file", f"{path} is not a key as `pbem init` makes it: restore yours.")
    return key
