"""The configuration of a desk: its INI file as a frozen `Config`, its game master, and the key of its reply tokens.

All problems in the file are reported at once. The key is kept in a file of mode 0600 next to the database, and backups
of the database do not contain it. Passwords are read only when they are needed.
"""

import os
import re
import stat
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, cast
from urllib.parse import SplitResult, unquote, urlsplit

from pbem.config import values
from pbem.config.ini import ConfigError, Secret, read_ini
from pbem.config.values import BadValueError
from pbem.mail.addresses import leads_to, read_mailbox
from pbem.times.moments import Beacon
from pbem.typed import Key, Parsed, Place, Reader, keys_of

_PASSWORD_KEYS = ("password_file", "password_env", "password_command")
_Reply = Literal["plus", "catch-all", "none"]
_Auth = Literal["password", "xoauth2"]
_Trust = Literal["token", "signed", "address"]
_PORTS = {"imap": 143, "imaps": 993, "smtp": 587, "smtps": 465}
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")


class Address(NamedTuple):
    """An address, and the name that is shown before it; the name may be empty."""

    name: str
    address: str


class Maildir(NamedTuple):
    """A Maildir: a folder with the subfolders `new`, `cur` and `tmp`."""

    path: Path


class Server(NamedTuple):
    """An IMAP or SMTP server. `tls` says whether TLS is used from the first byte, after STARTTLS, or not at all (only
    for a server on this machine). `ca_file` contains the authorities that may have signed its certificate; None means
    those that this machine trusts."""

    host: str
    port: int
    user: str
    folder: str
    tls: Literal["direct", "starttls", "none"]
    ca_file: Path | None = None


class MailboxConfig(NamedTuple):
    """[mailbox] or [mailbox.old]: a place where letters arrive. `reply` says which of our addresses lead to it: also
    those with an addition after a plus sign ("plus"), all of the domain ("catch-all"), or only the bare one ("none").
    `folders` lists further folders to search in addition to the junk folder; letters in all these folders count only if
    they contain a reply token.

    `authserv_id` is the name that the server which receives our letters writes in Authentication-Results; None if no
    such header is trusted. `dkim` is true if we check signatures ourselves. `strict` means that proof of a letter's
    origin counts only if it is for exactly the domain in From.
    """

    place: Maildir | Server
    reply: _Reply
    folders: tuple[str, ...]
    authserv_id: str | None
    dkim: bool
    strict: bool
    auth: _Auth
    secret: Secret | None

    def password(self) -> str:
        """Return the password or access token, read anew at each call; "" if none is needed. Raises ConfigError."""
        return self.secret.read() if self.secret else ""


class OldMailbox(NamedTuple):
    """[mailbox.old]: the address that the desk had before, and the mailbox to which it leads. Letters there count like
    those in [mailbox], and are answered from the present address."""

    address: str
    mailbox: MailboxConfig


OLD = "old"
"""The name of the mailbox in [mailbox.old]. That of [mailbox] is ""."""


class OutgoingConfig(NamedTuple):
    """[outgoing]: the server or folder through which letters are sent, their sender's address, and how many letters may
    be sent within an hour and within a day; None means any number."""

    place: Maildir | Server
    sender: Address
    auth: _Auth
    secret: Secret | None
    an_hour: int | None = None
    a_day: int | None = None

    def password(self) -> str:
        """Return the password or access token, read anew at each call; "" if none is needed. Raises ConfigError."""
        return self.secret.read() if self.secret else ""


class DeskConfig(NamedTuple):
    """[desk]: the people in charge of the desk, its time zone (IANA name) and language (ISO 639-1), its key, the
    interval between its runs, the proof of authorship that letters need, and the pace of games that belong to no
    league."""

    operator: Address
    game_master: Address
    zone: str
    language: str  # the language of letters to people who have not chosen one
    key_file: Path
    every: timedelta
    trust: _Trust
    deadline: str  # the pace of games outside leagues, as `dates.parse_pace` reads it
    rehearsal: bool  # whether --now sets the clock, in which case a gap between runs does not count as an outage
    keep_strangers: timedelta | None  # how long letters from strangers are kept; None means for ever
    chance: str  # the source of dice and cards in games outside leagues
    cooling_off: timedelta  # the time for second thoughts in games outside leagues
    take_back: bool  # whether players may take back a turn together in games outside leagues
    votes: str  # how many must agree to what players of such games vote on: "all" or the "majority"
    log: str  # where a line for each event goes: "none", "file" or "journal"
    ping: str  # the URL that is fetched after each good run, or ""
    pages: str  # the URL of the folder of `pbem archive build`, without a slash at its end, or ""


class BeaconConfig(NamedTuple):
    """[chance]: a public beacon, and the command that prints the value of one of its rounds. The command runs in
    `folder`, with the number of the round as its last argument."""

    beacon: Beacon
    command: str
    folder: Path


class OpponentConfig(NamedTuple):
    """[opponent]: how many seconds the computer's slow levels may think, per turn and per run."""

    turn: float
    run: float


class InterpreterConfig(NamedTuple):
    """[interpreter]: the command that suggests how to read letters. It runs in `folder`. `seconds` limits the time for
    one letter, `run` the time in one run, and `day` the number of letters in a day."""

    command: str
    folder: Path
    seconds: float
    run: float
    day: int


class Config(NamedTuple):
    """The configuration of one desk. `path` is the file that was read; relative paths in the file start from its
    folder."""

    path: Path
    mailbox: MailboxConfig
    outgoing: OutgoingConfig
    desk: DeskConfig
    opponent: OpponentConfig
    chance: BeaconConfig | None = None
    interpreter: InterpreterConfig | None = None
    old: OldMailbox | None = None

    @property
    def beacon(self) -> Beacon | None:
        """The public beacon, if one is configured."""
        return self.chance and self.chance.beacon

    @property
    def database(self) -> Path:
        """The path of the database, always `pbem.db` next to the configuration file, so that a desk is a single
        folder."""
        return self.path.with_name("pbem.db")

    @property
    def mailboxes(self) -> dict[str, MailboxConfig]:
        """The mailboxes of the desk, keyed by their names: "" and perhaps `OLD`."""
        return {"": self.mailbox, **({OLD: self.old.mailbox} if self.old else {})}


def load_config(path: str | Path) -> Config:
    """Read a desk's configuration. Raises ConfigError, which reports all problems in the file at once."""
    path = Path(path).absolute()
    try:
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}. `pbem init DIR` makes a desk.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(str(path), f"line {line} is not UTF-8 text: save the file as UTF-8.") from None
    reader = _IniReader(path.parent)
    config = reader.config(path, text)
    if reader.problems:
        raise ConfigError(str(path), *reader.problems)
    return config


def _server_or_folder(text: str, folder: Path, protocol: str) -> Maildir | Server:
    if text.startswith("maildir:"):
        if text == "maildir:":
            raise BadValueError("names no folder after maildir:.")
        return Maildir(_path(text.removeprefix("maildir:"), folder))
    scheme = text.partition("://")[0]
    if scheme not in (protocol, f"{protocol}s") or "://" not in text:
        raise BadValueError(f"must begin with maildir:, {protocol}:// or {protocol}s://")
    return _server(text, scheme)


def _server(text: str, scheme: str) -> Server:
    """Parse the URL of a server. Error messages never repeat the URL, because it may contain a password."""
    try:
        url = urlsplit(text)
        port = url.port or _PORTS[scheme]
    except ValueError:
        raise BadValueError(
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
        raise BadValueError(
            "holds a password, which must not stand here: use one of " + ", ".join(_PASSWORD_KEYS) + "."
        )
    if not url.hostname:
        raise BadValueError("names no host.")
    if "?" in text or "#" in text:
        raise BadValueError("holds a ? or a #: write %3F or %23.")
    if scheme.startswith("imap") and not url.username:
        raise BadValueError("names no user: write USER@ before the host, with %40 for an @ within USER.")
    if scheme.startswith("smtp") and url.path not in ("", "/"):
        raise BadValueError("has something after the port, where nothing may stand.")
    if re.search(r"[\x00-\x1f\x7f]", unquote(url.username or "") + unquote(url.path)):
        raise BadValueError("holds a control character.")


def parse_address(text: str, where: str) -> Address:
    """Parse an address with or without a name before it. Raises ConfigError, whose message begins with `where`, the
    place at which the address was found."""
    try:
        return _address(text)
    except BadValueError as error:
        raise ConfigError(where, str(error)) from None


def _address(text: str) -> Address:
    # `isprintable` also excludes characters that change the direction of writing.
    mailbox = read_mailbox(text) if text.isprintable() else None
    if mailbox is None or "@" in mailbox.name:
        raise BadValueError("must be an address such as gm@example.org or Game Desk <gm@example.org>.")
    return Address(*mailbox)


def _path(text: str, folder: Path) -> Path:
    try:
        return folder / Path(text).expanduser()
    except RuntimeError:
        raise BadValueError("begins with ~, but there is no such home folder.") from None


# The contents of the file: a type for each section. All raw values are strings.


class _MailboxSection(NamedTuple):
    url: Annotated[Maildir | Server, Parsed("inbox")]
    reply: _Reply = "plus"
    folders: Annotated[tuple[str, ...], Parsed(values.folders)] = ()
    authserv_id: Annotated[str | None, Parsed(values.host_name)] = None
    dkim: Literal["yes", "no"] = "no"
    alignment: Literal["relaxed", "strict"] = "relaxed"
    auth: _Auth = "password"
    password_file: Annotated[str, Parsed("path")] = ""
    password_env: str = ""
    password_command: Annotated[str, Parsed(values.command)] = ""
    ca_file: Annotated[Path | None, Parsed("path")] = None


class _OldMailboxSection(NamedTuple):
    url: Annotated[Maildir | Server, Parsed("inbox")]
    address: Annotated[Address, Parsed(_address)]
    folders: Annotated[tuple[str, ...], Parsed(values.folders)] = ()
    authserv_id: Annotated[str | None, Parsed(values.host_name)] = None
    auth: _Auth = "password"
    password_file: Annotated[str, Parsed("path")] = ""
    password_env: str = ""
    password_command: Annotated[str, Parsed(values.command)] = ""
    ca_file: Annotated[Path | None, Parsed("path")] = None


class _OutgoingSection(NamedTuple):
    url: Annotated[Maildir | Server, Parsed("outbox")]
    sender: Annotated[Address, Key("from"), Parsed(_address)]
    an_hour: Annotated[int | None, Parsed(values.number("letters", 1))] = None
    a_day: Annotated[int | None, Parsed(values.number("letters", 1))] = None
    auth: _Auth = "password"
    password_file: Annotated[str, Parsed("path")] = ""
    password_env: str = ""
    password_command: Annotated[str, Parsed(values.command)] = ""
    ca_file: Annotated[Path | None, Parsed("path")] = None


_Account = _MailboxSection | _OldMailboxSection | _OutgoingSection


class _ChanceSection(NamedTuple):
    beacon: Annotated[str, Parsed(values.command)]
    name: Annotated[str, Parsed(values.title)]
    genesis: Annotated[int, Parsed(values.number("seconds", 0))]
    period: Annotated[int, Parsed(values.number("seconds", 1))]


class _OpponentSection(NamedTuple):
    seconds: Annotated[float, Parsed(values.time_to_think)] = 5
    seconds_a_run: Annotated[float, Parsed(values.time_to_think)] = 30


class _InterpreterSection(NamedTuple):
    command: Annotated[str, Parsed(values.command)]
    seconds: Annotated[float, Parsed(values.time_to_ask)] = 20
    seconds_a_run: Annotated[float, Parsed(values.time_to_ask)] = 60
    a_day: Annotated[int, Parsed(values.number("letters", 0))] = 200


class _DeskSection(NamedTuple):
    operator: Annotated[Address, Parsed(_address)]
    key_file: Annotated[Path, Parsed("path")]
    game_master: Annotated[Address | None, Parsed(_address)] = None
    zone: Annotated[str, Parsed(values.zone)] = "UTC"
    language: Annotated[str, Parsed(values.language)] = "en"
    every: Annotated[timedelta, Parsed(values.every)] = timedelta(minutes=5)
    trust: _Trust = "token"
    deadline: Annotated[str, Parsed(values.pace)] = "7 days"
    rehearsal: Literal["yes", "no"] = "no"
    keep_strangers: Annotated[timedelta | None, Parsed(values.keeping)] = timedelta(days=90)
    cooling_off: Annotated[timedelta, Parsed(values.cooling)] = timedelta(minutes=10)
    chance: Literal["desk", "words", "beacon"] = "words"
    take_back: Literal["yes", "no"] = "yes"
    votes: Literal["all", "majority"] = "all"
    log: Literal["none", "file", "journal"] = "none"
    ping: Annotated[str, Parsed(values.ping)] = ""
    pages: Annotated[str, Parsed(values.pages)] = ""


class _File(NamedTuple):
    mailbox: _MailboxSection
    outgoing: _OutgoingSection
    desk: _DeskSection
    opponent: _OpponentSection
    chance: _ChanceSection | None = None
    interpreter: _InterpreterSection | None = None
    old: Annotated[_OldMailboxSection | None, Key("mailbox.old")] = None


KEYS = {
    "mailbox": keys_of(_MailboxSection),
    "mailbox.old": keys_of(_OldMailboxSection),
    "outgoing": keys_of(_OutgoingSection),
    "chance": keys_of(_ChanceSection),
    "opponent": keys_of(_OpponentSection),
    "interpreter": keys_of(_InterpreterSection),
    "desk": keys_of(_DeskSection),
}
"""The keys that each section may contain, keyed by the name of the section."""

_OPTIONAL = ("mailbox.old", "chance", "interpreter")
"""The sections that may be left out."""


class _IniReader(Reader):
    """A reader of the sections of a configuration file. Relative paths in the file start from `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(
            parsers={
                "path": lambda text: _path(text, folder),
                "inbox": lambda text: _server_or_folder(text, folder, "imap"),
                "outbox": lambda text: _server_or_folder(text, folder, "smtp"),
            }
        )

    def line(self, where: Place, sentence: str) -> str:
        """Return a problem as one line of text: a sentence whose subject is the section and key in `where`."""
        section, *key = map(str, where)
        return " ".join((f"[{section}]", *key, sentence.removeprefix("this ")))

    def config(self, path: Path, text: str) -> Config:
        """Return the configuration in `text`, which was read from the file `path`. If the reader has
        any `problems` afterwards, the configuration must not be used."""
        entries, self.problems = read_ini(text, KEYS)
        table: dict[str, dict[str, str]] = {section: {} for section in KEYS if section not in _OPTIONAL}
        for (section, key), value in entries.items():
            table.setdefault(section, {})
            if key not in KEYS[section]:
                continue
            if not value:
                self.replace((section, key), "is empty.")
            elif "\0" in value:
                self.replace((section, key), "holds a NUL character: write the line anew.")
            else:
                table[section][key] = value
        return self._made(path, self.read(_File, table))

    def _made(self, path: Path, file: _File) -> Config:
        mailbox, outgoing, desk, chance = file.mailbox, file.outgoing, file.desk, file.chance
        interpreter = file.interpreter
        inbox = self._inbox(mailbox)
        secret = self._secret("outgoing", outgoing)
        limits = outgoing.an_hour, outgoing.a_day
        outbox = OutgoingConfig(self._place("outgoing", outgoing), outgoing.sender, outgoing.auth, secret, *limits)
        if desk.trust == "signed" and not (inbox.authserv_id or inbox.dkim):
            self.problem(
                ("desk", "trust"),
                "= signed needs [mailbox] authserv_id, whose verdict is believed, or dkim = yes.",
            )
        if desk.chance == "beacon" and not chance:
            self.problem(
                ("desk", "chance"), "= beacon needs a public beacon: [chance] beacon, name, genesis and period."
            )
        return Config(
            path=path,
            mailbox=inbox,
            outgoing=outbox,
            desk=DeskConfig(
                **{
                    **desk._asdict(),
                    "game_master": desk.game_master or desk.operator,
                    "rehearsal": desk.rehearsal == "yes",
                    "take_back": desk.take_back == "yes",
                }
            ),
            opponent=OpponentConfig(*file.opponent),
            chance=chance
            and BeaconConfig(Beacon(chance.name, chance.genesis, chance.period), chance.beacon, self.folder),
            interpreter=interpreter and InterpreterConfig(interpreter.command, self.folder, *interpreter[1:]),
            old=file.old and self._old(inbox, file.old),
        )

    def _inbox(self, mailbox: _MailboxSection) -> MailboxConfig:
        if mailbox.dkim == "yes" and not find_spec("dkim"):
            self.problem(("mailbox", "dkim"), "= yes needs more than is installed: `pip install '.[dkim]'`.")
        return MailboxConfig(
            place=self._place("mailbox", mailbox),
            reply=mailbox.reply,
            folders=mailbox.folders,
            authserv_id=mailbox.authserv_id,
            dkim=mailbox.dkim == "yes",
            strict=mailbox.alignment == "strict",
            auth=mailbox.auth,
            secret=self._secret("mailbox", mailbox),
        )

    def _old(self, inbox: MailboxConfig, old: _OldMailboxSection) -> OldMailbox:
        """Return the old mailbox. What its section does not say is as in [mailbox], which is `inbox`."""
        section = "mailbox.old"
        if old.url == inbox.place:
            self.problem((section, "url"), "is that of [mailbox]: leave this section out.")
        mailbox = inbox._replace(
            place=self._place(section, old),
            folders=old.folders,
            authserv_id=old.authserv_id,
            auth=old.auth,
            secret=self._secret(section, old),
        )
        return OldMailbox(old.address.address if old.address else "", mailbox)

    def _place(self, section: str, entries: _Account) -> Maildir | Server:
        if isinstance(entries.url, Server):
            return entries.url._replace(ca_file=entries.ca_file)
        if entries.url and entries.ca_file:
            self.problem((section, "ca_file"), "is for a server, but the url names a Maildir.")
        return entries.url

    def _secret(self, section: str, entries: _Account) -> Secret | None:
        """Return the place where the password of a section is kept, or None. It is reported as a problem if there are
        several such places, if a server with a user has none, or if a server without a user has one."""
        secrets = {key: str(value) for key in _PASSWORD_KEYS if (value := getattr(entries, key)) != ""}
        if len(secrets) > 1:
            self.problem((section,), f"has {' and '.join(secrets)}: keep one of them.")
        place = entries.url
        if isinstance(place, Server) and bool(place.user) != bool(secrets):
            lacks = f"none of {', '.join(_PASSWORD_KEYS)}" if place.user else "a password, but its url no user"
            self.problem((section,), f"has {lacks}.")
        return next((Secret(section, key, value, self.folder) for key, value in secrets.items()), None)


def game_master_of(config: Config) -> Address:
    """Return the person in charge of the games. This is the configured game master; but if that address is the desk's
    own, where no person reads the letters, it is the operator."""
    named = config.desk.game_master
    return config.desk.operator if is_own(config, named.address) else named


def is_own(config: Config, address: str) -> bool:
    """Return whether letters to an address reach the desk itself, perhaps by its old address."""
    own = (config.outgoing.sender.address, *((config.old.address,) if config.old else ()))
    return any(leads_to(one, address) for one in own)


_KEY_BYTES = 32


def make_key(path: Path) -> None:
    """Create a key file of mode 0600 with a new key. Raises ConfigError if the file already exists."""
    import secrets

    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigError("[desk] key_file", f"{path} cannot be made: {error.strerror}.") from None
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(_KEY_BYTES) + "\n")


def read_key(path: Path) -> bytes:
    """Return the key from which all reply tokens are made. Raises ConfigError if the key file cannot be used."""
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
