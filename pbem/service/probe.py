"""A probe of the mail around a desk: letters from the desk to itself, and what they look like when they come back."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from hashlib import sha256
from importlib.util import find_spec
from time import monotonic, sleep
from typing import NamedTuple

from pbem.config.config import Config, Maildir
from pbem.mail import letters
from pbem.mail.authentication import Check, Signatures, aligned, checks, is_of
from pbem.match.identity import second_id
from pbem.service.compose import reply_address
from pbem.service.maintenance import locked
from pbem.store.database import connect, look
from pbem.transport.base import Arrived, Refused, TransportError, Unwanted
from pbem.transport.open import open_mailbox, open_outgoing

FORMS = ("plus", "catch-all", "none")
RECEIPT = "receipt"
"""The letter to the bare address that is sent like a receipt, with the null sender."""

PAUSE = 2.0
"""The number of seconds between two checks of the mailbox for test letters."""

_MORE = 30.0
"""The number of seconds that the conversation with a server may take beyond the time for waiting."""

_WORDS = "pbem check-config --probe asks whether this address reaches its mailbox. Nothing is to be done."
_MANUAL = "docs/operating.md, Mail that arrives"


class Returned(NamedTuple):
    """A test letter that came back: its bytes, and which of its parts arrived unchanged.

    `folder` is the further folder in which it was found, such as the junk folder, or "".
    """

    raw: bytes
    folder: str
    address: bool
    message_id: bool
    references: bool
    in_reply_to: bool

    def ties(self, form: str) -> bool:
        """Return whether a reply to an address in this `form` would show which letter of ours it answers."""
        return self.message_id or self.references if form == "none" else self.address


class Finding(NamedTuple):
    """What the probe found: a subject, and a sentence that says what it means and what to do. `well` is false if the
    operator should do something."""

    subject: str
    meaning: str
    well: bool = True

    def __str__(self) -> str:
        return f"{'' if self.well else '! '}{self.subject}: {self.meaning}"


def probe(config: Config, now: datetime, patience: float) -> dict[str, Returned]:
    """Send test letters to the desk: one to each form of its address, and one like a receipt. Return those that have
    come back after at most `patience` seconds, and remove them from the mailbox.

    No run takes place meanwhile, because it would take the letters for its own. Raises PbemError if the letters cannot
    be sent, if the mailbox cannot be read, or if only one of mailbox and outgoing mail is a Maildir. A letter that
    comes back later stays in the mailbox as automatic mail, which the next run ignores.
    """
    if isinstance(config.mailbox.place, Maildir) != isinstance(config.outgoing.place, Maildir):
        raise TransportError("A Maildir on one side only brings no letter back: there is nothing to probe.")
    names = {form: f"probe-{secrets.token_hex(8)}" for form in (*FORMS, RECEIPT)}
    until = monotonic() + patience
    with locked(config):
        expected = _send(config, names, now, until + _MORE)
        arrived: dict[str, Arrived] = {}
        while True:
            arrived |= _arrived(config, now, names, until + _MORE)
            if arrived.keys() >= expected or monotonic() > until:
                break
            sleep(min(PAUSE, max(0.0, until - monotonic())))
        _remove(config, arrived, until + 2 * _MORE)
    return {form: _returned(config, names[form], letter) for form, letter in arrived.items()}


def _send(config: Config, names: Mapping[str, str], now: datetime, deadline: float) -> set[str]:
    """Send the test letters; `names` maps each kind to the name of its letter. Returns the kinds that the server
    accepted."""
    sender, accepted = config.outgoing.sender, set()
    with open_outgoing(config, deadline) as outgoing:
        for form, name in names.items():
            address = sender.address if form == RECEIPT else reply_address(sender.address, form, name)
            draft = letters.Draft(
                message_id=_probe_id(config, name),
                sender=(sender.name, sender.address),
                to=("", address),
                reply_to=sender.address,
                subject=f"A probe: {form} {name}",
                date=now,
                answers=_answered_id(config, name),
                references=(second_id(_probe_id(config, name)),),
                text=f"{_WORDS}\n",
                html=f"<p>{_WORDS}</p>",
                automatic="auto-generated",
            )
            envelope = "" if form == RECEIPT else sender.address
            with suppress(Refused):  # the server says that there is no such address, which is an answer, too
                outgoing.send(letters.write(draft), address, envelope, f"{name}.pbem")
                accepted.add(form)
    return accepted


def _probe_id(config: Config, name: str) -> str:
    """Return the Message-ID of the test letter with this `name`."""
    return f"{name}@{config.outgoing.sender.address.rpartition('@')[2]}"


def _answered_id(config: Config, name: str) -> str:
    """Return the Message-ID that the test letter with this `name` pretends to answer."""
    return _probe_id(config, f"answered.{name}")


def _arrived(config: Config, now: datetime, names: Mapping[str, str], deadline: float) -> dict[str, Arrived]:
    """Return the test letters in the mailbox, also those in further folders, such as the junk folder."""
    with closing(connect(config.database)) as conn:
        mark = look(conn, now).mark
    found: dict[str, Arrived] = {}

    def is_ours(head: bytes) -> bool:
        return any(name.encode() in head for name in names.values())

    with open_mailbox(config, deadline, is_ours) as mailbox:
        for letter in (letter for batch in mailbox.fetch(mark) for letter in batch.letters if is_ours(letter.raw)):
            subject = letters.read_head(letter.raw).subject
            found |= {form: letter for form, name in names.items() if name in subject}
    return found


def _remove(config: Config, arrived: Mapping[str, Arrived], deadline: float) -> None:
    """Remove the test letters from the mailbox. If that fails, they stay there, where the next run ignores them."""
    unwanted = [Unwanted(sha256(one.raw).hexdigest(), one.size, one.when) for one in arrived.values()]
    if unwanted:
        with suppress(TransportError), open_mailbox(config, deadline) as mailbox:
            mailbox.remove(unwanted)


def _returned(config: Config, name: str, letter: Arrived) -> Returned:
    """Compare the test letter `name`, as it arrived, with what was sent."""
    head, message_id = letters.read_head(letter.raw), _probe_id(config, name)
    return Returned(
        raw=letter.raw,
        folder=letter.folder,
        address=any(name in address for address in head.recipients),
        message_id=head.message_id == message_id,
        references=second_id(message_id) in head.threaded,
        in_reply_to=_answered_id(config, name) in head.threaded,
    )


# What it means


def findings(config: Config, returned: Mapping[str, Returned], patience: float) -> Iterator[Finding]:
    """Yield what the letters that came back show, and what to do about it."""
    yield from _addresses(config, returned, patience)
    if returned:
        yield from _identification(config, returned)
        yield from _folders(returned)
        letter = returned.get("none") or next(iter(returned.values()))
        yield from _authentication(config, letter)
        yield from _receipt(config, returned, patience)


def _addresses(config: Config, returned: Mapping[str, Returned], patience: float) -> Iterator[Finding]:
    form = config.mailbox.reply
    for name in FORMS:
        one = returned.get(name)
        if one is None:
            fate = f"did not arrive within {patience:.0f} seconds"
        else:
            lost = name != "none" and not one.address
            fate = "arrives, but a server has changed the address" if lost else "arrives"
        if name == form:
            works = one is not None and one.ties(form)
            advice = "this is the configured kind" if works else "set [mailbox] reply to a kind that arrives"
        else:
            advice = "you may use it" if one and one.ties(name) else "do not use it"
        yield Finding(f"reply = {name}", f"{fate}; {advice}.")


def _identification(config: Config, returned: Mapping[str, Returned]) -> Iterator[Finding]:
    """Yield what happens to the headers that tie a reply to the letter that it answers."""
    all_of = [*returned.values()]
    if all(one.message_id for one in all_of):
        yield Finding("Message-ID", "kept; replies show which letter they answer.")
    elif config.mailbox.reply == "none":
        meaning = "replies are known by References alone, which some mail programs drop"
        yield Finding("Message-ID", f"replaced by a server; {meaning}, so plus or catch-all is safer.")
    else:
        yield Finding("Message-ID", "replaced by a server; that does no harm, because reply addresses show the same.")
    kept = "kept; mail programs keep a game in one thread."
    lost = "changed by a server; mail programs may not keep a game in one thread, so ask your provider why."
    for subject, all_kept in (
        ("References", all(one.references for one in all_of)),
        ("In-Reply-To", all(one.in_reply_to for one in all_of)),
    ):
        yield Finding(subject, kept if all_kept else lost)


def _folders(returned: Mapping[str, Returned]) -> Iterator[Finding]:
    if folders := {one.folder for one in returned.values() if one.folder}:
        meaning = "your own server takes our letters for junk, and others will, too"
        remedy = "mark them as no junk there, and mend what is said about SPF, DKIM and DMARC below"
        yield Finding("Folder", f"{', '.join(sorted(folders))}, and not the inbox; {meaning}: {remedy}.", well=False)
    else:
        yield Finding("Folder", "the inbox; nothing is to be done.")


def _authentication(config: Config, letter: Returned) -> Iterator[Finding]:
    """Yield the verdicts on SPF, DKIM and DMARC by the server that took our letter in."""
    domain, trusted = _domain(config), config.mailbox.authserv_id
    name, found = checks(letters.read_head(letter.raw).authentication, trusted)
    if name and trusted is None:
        meaning = f"written by {name}; with `authserv_id = {name}` in [mailbox] the desk believes it about letters"
        yield Finding("Authentication-Results", f"{meaning} of players, too.")
    elif name and trusted and not is_of(name, trusted):
        yield Finding("Authentication-Results", f"written by {name}; correct [mailbox] authserv_id = {trusted}.", False)
    if not found:
        own = _own_check(letter, domain)
        yield own or Finding(
            "SPF, DKIM and DMARC",
            "your server has judged none of them, as is usual for letters within one provider; write to an address"
            " at another one, and look at the Authentication-Results there.",
        )
        return
    yield _verdict("SPF", found, domain)
    yield _verdict("DKIM", found, domain)
    yield _verdict("DMARC", found, domain)


_PASSES = {
    "spf": "the records of the domain allow your server to send for it; nothing is to be done.",
    "dkim": "letters carry a signature of the domain; nothing is to be done.",
    "dmarc": "servers believe that letters come from the domain; nothing is to be done.",
}
_FAILS = {
    "spf": "no record allows your server to send for the domain: publish one",
    "dkim": "no signature of the domain holds: have your provider sign letters, and publish the key",
    "dmarc": "servers may refuse letters or take them for junk: publish a record, and mend SPF or DKIM",
}


def _verdict(title: str, found: list[Check], domain: str) -> Finding:
    """Return what the server has found by one method; of several results, the best one."""
    method = title.lower()
    results = [one for one in found if one.method == method]
    passed = [one for one in results if one.result == "pass"]
    if any(aligned(one.domain, domain) for one in passed):
        return Finding(title, f"pass, aligned with {domain}; {_PASSES[method]}")
    if passed:
        other = passed[0].domain or "another domain"
        meaning = f"it counts for nothing, because letters are from {domain}: have your provider use that"
        return Finding(title, f"pass for {other}, not aligned; {meaning} ({_MANUAL}).", well=method != "dkim")
    if not results:
        return Finding(title, "not judged by your server; nothing can be said about it here.")
    return Finding(title, f"{results[0].result}; {_FAILS[method]} ({_MANUAL}).", well=False)


def _own_check(letter: Returned, domain: str) -> Finding | None:
    """Return whether a DKIM signature of `domain` holds, as checked here; None if dkimpy is not installed, or if the
    letter has no signature."""
    if not find_spec("dkim") or b"dkim-signature:" not in letter.raw.partition(b"\r\n\r\n")[0].lower():
        return None
    if Signatures().vouch(letter.raw, domain):
        return Finding("DKIM", f"pass, aligned with {domain}, as checked here; {_PASSES['dkim']}")
    return Finding("DKIM", f"fail, as checked here; {_FAILS['dkim']} ({_MANUAL}).", well=False)


def _receipt(config: Config, returned: Mapping[str, Returned], patience: float) -> Iterator[Finding]:
    """Yield what becomes of a letter with the null sender, as receipts have it, of which SPF says nothing about the
    domain in From (RFC 7208, 2.4)."""
    if (letter := returned.get(RECEIPT)) is None:
        meaning = "receipts and answers, which have the null sender, may be lost: ask your provider about MAIL FROM:<>"
        yield Finding("Null sender", f"did not arrive within {patience:.0f} seconds; {meaning}.", well=False)
        return
    _, found = checks(letters.read_head(letter.raw).authentication, config.mailbox.authserv_id)
    if any(one.method == "dmarc" and one.result not in ("pass", "none") for one in found):
        meaning = "receipts and answers are not aligned, because only DKIM can be: have your provider sign letters"
        yield Finding("Null sender", f"arrives, but DMARC does not pass; {meaning} ({_MANUAL}).", well=False)
    else:
        yield Finding("Null sender", "arrives; receipts and answers, which have it, are delivered.")


def _domain(config: Config) -> str:
    return config.outgoing.sender.address.rpartition("@")[2].lower()
