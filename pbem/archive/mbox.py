"""The letters of a game as a mailbox that mail programs read, without addresses and reply tokens. On a Store.

Nothing of a letter's own headers is kept: each is written anew, in the format mboxrd. Message-IDs are new ones that
keep the threads.
"""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape, unescape

from pbem.games.base import OPEN, AnyGame
from pbem.mail import letters, mime
from pbem.match.identity import hide_tokens
from pbem.orders.command import Words
from pbem.orders.reader import may_be_order, read_words
from pbem.patterns import compiled
from pbem.store import matches, outbox
from pbem.store.database import Store
from pbem.times.moments import parse_moment

_AT = r"(?:@|%40|&#64;|&#x40;)"
_ENCODED_ADDRESS = compiled(rf"""(?:"[^"\n]*"|[^\s<>()",;:]+){_AT}[^\s<>()"',;]+""", re.IGNORECASE)
_TAG = compiled(r"(<[^>]*>)")
_FROM = re.compile(rb"^(>*From )", re.MULTILINE)


def game_mailbox(store: Store, match: int) -> Iterator[bytes]:
    """The letters to and from the seats of a match, oldest first, each as bytes of a file in the format mboxrd.

    While the game goes on only reports, which tell all sides the same; of a game that is over, all that are kept. Words
    that are not for everybody are left out: those for the game master and from them to a seat, and press. So are our
    answers to letters with such words, which may repeat them.
    """
    loaded = matches.load_match(store, match)
    rewrite = _Rewriter(store, loaded.name, loaded.game)
    if loaded.reader(None) != OPEN:
        return  # its reports tell each seat what no other may know
    over = loaded.phase in ("finished", "annulled")
    found = [one for one in outbox.correspondence(store, match, reports_only=not over) if one.seat in loaded.seats]
    confided = {one.id for one in found if not one.ours and rewrite.confides(one)}
    for kept in found:
        if kept.answers in confided:
            continue
        letter = rewrite.ours(kept) if kept.ours else rewrite.theirs(kept)
        yield in_mailbox(letter["Reply-To"].addresses[0].addr_spec, kept.at, letter.as_bytes())


class _Rewriter:
    """Letters written anew for one mailbox; knows which ids have become which."""

    def __init__(self, store: Store, name: str, game: AnyGame) -> None:
        self._store, self._name, self._domain, self._game = store, name, f"{name}.invalid", game
        self._ids: dict[str, str] = {}

    def ours(self, kept: outbox.SeatLetter) -> EmailMessage:
        """A letter that we sent: its text, and beside it the same as HTML; no calendar, no attachment."""
        letter = self._letter(kept, letters.read_head(kept.raw))
        letter.set_content(self._scrubbed(letters.text_part(kept.raw)))
        page = next((part.text for part in mime.parts(kept.raw) if part.kind == "text/html"), "")
        if page:
            letter.add_alternative(self._scrubbed_page(page), subtype="html")
            letter.set_boundary(f"--pbem-{len(self._ids)}")  # else it is another one each time
        return letter

    def theirs(self, kept: outbox.SeatLetter) -> EmailMessage:
        """A letter that a seat wrote: its own words, without what was quoted, how it was signed, and what was not for
        everybody."""
        text = self._own_words(kept)
        words = read_words(text, self._name)
        letter = self._letter(kept, letters.read_head(kept.raw))
        letter.set_content(self._scrubbed("\n".join(words.lines()) if self._are_confided(words) else text))
        return letter

    def confides(self, kept: outbox.SeatLetter) -> bool:
        """Whether a letter of a seat has words that are not for everybody."""
        return self._are_confided(read_words(self._own_words(kept), self._name))

    def _are_confided(self, words: Words) -> bool:
        return any(one.word in ("gm", "press", "hand") for one in words.commands)

    def _own_words(self, kept: outbox.SeatLetter) -> str:
        head = letters.read_head(kept.raw)
        answered = outbox.sent_letter(self._store, head.references)
        sent = letters.text_part(answered) if answered else ""
        return letters.read(kept.raw, sent, is_order=may_be_order).text

    def _letter(self, kept: outbox.SeatLetter, head: letters.Letter) -> EmailMessage:
        seat = f"{self._game.called[kept.seat]} <{kept.seat}@{self._domain}>"
        desk = f"{self._game.title} <desk@{self._domain}>"
        letter = EmailMessage()
        letter["From"], letter["To"] = (desk, seat) if kept.ours else (seat, desk)
        letter["Reply-To"] = desk if kept.ours else seat
        letter["Subject"] = self._scrubbed(head.subject)
        letter["Date"] = format_datetime(parse_moment(kept.at))
        letter["Message-ID"] = self._new_id(head.message_id or f"{kept.ours} {kept.at} {len(self._ids)}")
        if head.references:
            letter["In-Reply-To"] = self._new_id(head.references[0])
            letter["References"] = " ".join(map(self._new_id, reversed(head.references)))
        return letter

    def _new_id(self, old: str) -> str:
        return self._ids.setdefault(old, f"<{len(self._ids) + 1}@{self._domain}>")

    def _scrubbed(self, text: str) -> str:
        """A text without anything that could be an address or a reply token."""
        text = text.encode("utf-8", "replace").decode()  # half a character cannot be written
        return hide_tokens(_ENCODED_ADDRESS.sub(f"nobody@{self._domain}", text))

    def _scrubbed_page(self, page: str) -> str:
        """The same of HTML, in which signs may be written as entities."""
        pieces = _TAG.split(page)
        return "".join(
            self._scrubbed(piece) if at % 2 else escape(self._scrubbed(unescape(piece)))
            for at, piece in enumerate(pieces)
        )


def in_mailbox(sender: str, at: str, letter: bytes) -> bytes:
    """A letter as it stands in an mbox file (RFC 4155), lines of its own that begin with From quoted."""
    head = f"From {sender} {parse_moment(at):%a %b %d %H:%M:%S %Y}\n"
    return head.encode() + _FROM.sub(rb">\1", letter.replace(b"\r\n", b"\n")) + b"\n"
