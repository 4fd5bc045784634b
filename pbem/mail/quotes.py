"""Extraction of the words that the writer of a reply added to the letter that is quoted in the reply.

The text is read line by line, in one pass and with bounded patterns only, so that the time is proportional to the
length of the text. The lines come from mail/plaintext.py; the phrases that programs put around a person's words, in
more than thirty languages, are in mail/phrases.py.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from pbem.mail import phrases
from pbem.mail.phrases import added, without_lines
from pbem.mail.plaintext import WIDTH

MARKER = "== Answer above this line =="
"""The first line of every letter from the desk. Where it appears unquoted, the writer's own words end."""

IsOrder = Callable[[str], bool]
"""A function, supplied by the caller, that returns whether a line may be an order or a command.

Such a line is never taken for part of a signature.
"""

_LEGAL_LINE, _LEGAL_TEXT = 2, 3  # the minimum number of legal words in each line of a legal text, and in all of it
_BROKEN_AT = 60  # the minimum number of characters in a line of legal text that a program broke
_WRAPPED = 72  # the minimum number of characters in a quoted line that a program broke
_TITLES = 80  # the maximum number of characters of a phrase like "Original message", in any language
_SIGNATURE_LINES = 14  # the maximum number of lines of a signature without a mark
_LEFT_AWAY = 40  # the maximum number of dropped lines that are examined again
_JOINED = 4  # the maximum number of lines of a header block whose lines a program joined
_INTRODUCTION = 8  # the maximum number of lines that introduce a quote
_WORDS_BETWEEN = 20  # the maximum number of lines between an attribution and the marked lines that it introduces


def own_words(lines: Sequence[str], is_order: IsOrder) -> str:
    """Return the writer's own words in `lines`, which come from `normalise`.

    Marked quotes, introductions of quotes, signatures, "Sent from my ..." and the footers of mailing lists are dropped.
    Everything below our marker, below an introduction that no marked lines follow, or below a header block counts as
    quoted. Words below marked lines, or between them, are the writer's own.
    """
    own: list[str] = []
    signed = False  # a signature lasts until a quote begins
    at = 0
    while at < len(lines):
        line = lines[at]
        if _QUOTED.match(line) or _is_broken_off(lines, at):
            at += 1
        elif _is_marker(line):
            return _tidy(own, is_order)
        elif end := _introduction(lines, at):
            own += _commands_before(line, is_order)
            if not (_quote_follows(lines, end) or _quote_comes_later(lines, at, end)):
                return _tidy(own, is_order)
            signed, at = False, end
        else:
            signed = signed or _is_signature(lines, at, is_order)
            if not (signed or is_stamp(line)):
                own.append(line)
            at += 1
    return _tidy(own, is_order)


def left_away(lines: Sequence[str], own: str, sent: str = "") -> tuple[str, ...]:
    """Return those of `lines` above our marker that are missing from both `own` and the letter `sent`, except lines
    that are certainly quoted or certainly introduce a quote.

    The remaining lines come from signatures, dividers, disclaimers and unmarked quotes.
    """
    own_lines = Counter(map(str.strip, own.splitlines()))
    aside: list[str] = []
    header = 0  # the end of a header block, which is not an attribution
    for at, line in enumerate(map(str.strip, lines)):
        if _is_marker(line) or len(aside) == _LEFT_AWAY:
            break
        header = max(header, _introduction(lines, at) if _SEPARATOR.match(line) else _unknown_block(lines, at))
        if own_lines[line]:
            own_lines[line] -= 1
        elif line and at >= header and line[0] != ">" and len(line) <= WIDTH and not _introduces(line):
            aside.append(_MARKED.sub("", line))
    return tuple(without_lines("\n".join(aside), sent).splitlines())


def written_within(
    lines: Sequence[str], known: Sequence[str], ours: Sequence[str], is_order: IsOrder
) -> tuple[str, ...]:
    """Return lines that may be orders or commands and that the writer added inside the quote of a letter from the desk.

    People write between the lines of that letter, over its example, or above the marker inside the quote. Lines in
    `ours`, the texts of that letter, are left out, and so are lines in `known`, which have already been found.
    """
    rest = Counter(map(str.strip, known))
    bare = [_QUOTE_MARK.sub("", line).strip() for line in lines]
    within: list[str] = []
    header = 0
    for at, (line, lacks) in enumerate(zip(bare, added(bare, ours), strict=True)):
        header = max(header, _introduction(bare, at))
        if rest[line]:
            rest[line] -= 1
        elif at >= header and lacks and is_order(line) and len(within) < _LEFT_AWAY:
            within.append(line)
    return tuple(within)


def only_in_text(own: str, shown: Sequence[str], struck: str, is_order: IsOrder) -> list[str]:
    """Return the lines of `own`, the writer's words in the text of a letter, that may be orders and that the HTML of
    the letter does not show.

    Such a line is missing from `shown`, the lines of the HTML, or is part of `struck`, the text crossed out in the
    HTML.
    """
    page, crossed = _letters(shown), _letters([struck])
    lines = ((line, _letters([_LIST_MARK.sub("", line)])) for line in filter(is_order, own.splitlines()))
    return [line.strip() for line, letters in lines if letters in crossed or letters not in page]


def only_in_page(seen: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of `seen`, the writer's words in the HTML of a letter, that are missing from `lines`, the lines
    of its text."""
    text = _letters(lines)
    return [line.strip() for line in seen.splitlines() if _letters([_LIST_MARK.sub("", line)]) not in text]


def _letters(lines: Sequence[str]) -> str:
    return "".join(_LETTERS.findall("".join(lines).casefold()))


def worth_telling(aside: Sequence[str]) -> tuple[str, ...]:
    """Return those of the lines `aside`, which `left_away` returned, that are not commonplace below letters.

    Introductions of quotes, headers, ruled lines, legal text, names and contact details are commonplace.
    """
    telling: list[str] = []
    at = 0
    while at < len(aside):
        ends = (end for end in range(1, _INTRODUCTION + 1) if _introduction((*aside[at : at + end], ">"), 0) == end)
        if end := next(ends, 0) or _legal_text(aside[at:]):
            at += end
            continue
        if not _is_commonplace(aside[at]):
            telling.append(aside[at])
        at += 1
    return tuple(telling)


def _legal_text(lines: Sequence[str]) -> int:
    """Return the number of lines of a disclaimer or other company text at the beginning of `lines`; 0 if `lines` do not
    certainly begin with such text.

    The text begins as disclaimers do. Each further line contains words that are frequent in legal text, or continues a
    sentence that a program broke.
    """
    foot = _FOOT.match(lines[0])
    if not (foot or _DISCLAIMER.match(lines[0])):
        return 0
    end = 1
    while end < len(lines) and (_legal_words(lines[end]) >= _LEGAL_LINE or _continues(lines[end - 1], lines[end])):
        end += 1
    return end if foot or _legal_words(" ".join(lines[:end])) >= _LEGAL_TEXT else 0


def _legal_words(text: str) -> int:
    lower = text.lower()
    return sum(word in lower for word in phrases.LEGAL_WORDS)


def _continues(above: str, line: str) -> bool:
    """Return whether a program broke a sentence between the lines `above` and `line`."""
    first = line.partition(" ")[0]
    return not above.endswith((".", "!", "?", ":")) and len(above) + 1 + len(first) > _BROKEN_AT


def _is_commonplace(line: str) -> bool:
    """Return whether `line` is a ruled line, a program's stamp, a farewell, a name with job title and company, a
    header, or contact details."""
    if not any(map(str.isalpha, line)) or _SIGNATURE.match(line) or _SEPARATOR.match(line) or is_stamp(line):
        return True
    if _FAREWELL.match(line) or _CONTACT.search(line) or _label(line, bare=False):
        return True
    named = re.split(r" ?[|,·•] ?", line.strip("*_ "))
    return all(not part or _NAME.fullmatch(part) or _RANK.fullmatch(part) for part in named)


def _is_broken_off(lines: Sequence[str], at: int) -> bool:
    """Return whether line `at` is the end of a quoted line that a program broke in two without marking the second
    piece."""
    if not (0 < at < len(lines) - 1 and lines[at][:1].islower() and _QUOTED.match(lines[at + 1])):
        return False
    above = lines[at - 1]
    first = lines[at].partition(" ")[0]
    return len(above) + 1 + len(first) > _WRAPPED and _QUOTED.match(above) is not None


def _introduction(lines: Sequence[str], at: int) -> int:
    """Return the number of the line after the introduction of a quote that begins at line `at`; 0 if no introduction
    begins there."""
    separator, line = _SEPARATOR.match(lines[at]), lines[at]
    if separator or _RULE.match(line) or _FRAMED.match(line) or (len(line) < _TITLES and _TITLE.fullmatch(line)):
        below = next((row for row in range(at + 1, min(at + 6, len(lines))) if lines[row]), at)
        end = _header_block(lines, below) or (_attribution(lines, below) if below > at else 0)
        end = end or _header_block(lines, below, bare=True) or _attribution(lines, at)
        return end or (at + 1 if separator else 0)
    return _attribution(lines, at) or _header_block(lines, at) or _joined_block(lines, at) or _unknown_block(lines, at)


def _commands_before(line: str, is_order: IsOrder) -> list[str]:
    """Return the text before an introduction on the same line if the text may be an order or a command, otherwise an
    empty list. Such a line results when a program joins two lines."""
    opener = _OPENER_INSIDE.search(line)
    return [line[: opener.start()]] if opener and is_order(line[: opener.start()]) else []


def _attribution(lines: Sequence[str], at: int) -> int:
    """Return the number of the line after an attribution, "On ... somebody wrote:", that begins at line `at`; 0 if no
    attribution begins there. It may be in any language and up to four lines long."""
    first = lines[at]
    if not ("@" in first or first.endswith((":", "]")) or _WHEN.search(first) or _OPENER.match(first)):
        return 0
    text = ""
    for end in range(at + 1, min(at + 4, len(lines)) + 1):
        piece = lines[end - 1].lstrip("> ")
        if not piece:
            return 0
        text = f"{text} {piece}"[:WIDTH]
        if _is_attribution(text, _quote_follows(lines, end)):
            return 0 if _begins_later(lines, at, end) else end
    return 0


def _is_attribution(text: str, quote_follows: bool) -> bool:
    colon = text.rstrip(" *_").endswith((":", "--"))
    text = text.strip(" *_-")
    if _FIRST_PERSON.search(text):
        return False
    when, address = _WHEN.search(text), "@" in text and _ADDRESS_INSIDE.search(text)
    if not (when or address or quote_follows):
        return False
    wrote = _WROTE.search(text)
    inside = _WROTE_INSIDE.search(text)
    if colon or (wrote and wrote.end() == len(text)) or (inside and "@" in text[: inside.end()]):
        named = address and (wrote or (when and ("<" in text or (_CLOCK.search(text) and len(text) < 120))))
        dated = wrote and when and colon and len(text) < 120
        return bool(named or dated or (quote_follows and (wrote or when or address or _SAID.search(text))))
    if quote_follows and _BRACKETED.fullmatch(text):
        return True
    likely = quote_follows or wrote or (text[:1].isdigit() and len(text) < 100)
    return bool(likely and when and address and text.endswith(">"))


def _introduces(line: str) -> bool:
    """Return whether `line` is certainly nothing but an attribution, "On ... somebody wrote:", whatever the next line
    is."""
    return bool(_OPENER.match(line)) and _is_attribution(line, False)


def _begins_later(lines: Sequence[str], at: int, end: int) -> bool:
    """Return whether line `at` is prose above an attribution that ends before line `end` and is complete without line
    `at`."""
    if "<" in lines[at]:  # the line contains part of an address
        return False
    opener = _OPENER.match(lines[at]) and not lines[at].endswith((".", "!", "?"))
    for row in range(at + 1, end):
        text = " ".join(lines[row:end])
        whole = _WHEN.search(lines[row]) and _is_attribution(text, True) and any(map(str.isalpha, text))
        if whole and (not opener or _OPENER.match(lines[row])):
            return True
    return False


def _header_block(lines: Sequence[str], at: int, *, bare: bool = False) -> int:
    """Return the number of the line after a header block such as "From: ... Sent: ... To: ... Subject: ..." that begins
    at line `at`; 0 if no header block begins there.

    If `bare` is true, the labels have no colons.
    """
    first = next((row for row in range(at, min(at + 3, len(lines))) if _label(lines[row], bare)), -1)
    if first < 0:
        return 0
    labels = {row: kind for row in range(first, min(first + 8, len(lines))) if (kind := _label(lines[row], bare))}
    kinds, end = set(labels.values()), max(labels) + 1
    if first > at:  # Lotus Notes puts name and date, without labels, above "To:" and "Subject:"
        above = lines[at:first]
        is_notes = {"to", "subject"} <= kinds and all(above) and any(map(_WHEN.search, above))
        return end if is_notes and "sender" not in kinds else 0
    sure = len(kinds) >= 3 or (len(kinds) == 2 and any("@" in line for line in lines[at:end]))
    return end if sure and "sender" in kinds else 0


def _joined_block(lines: Sequence[str], at: int) -> int:
    """Return the number of the line after a header block that begins at line `at` and whose lines were joined by a
    program; 0 if no such block begins there."""
    if not _label(lines[at], bare=False):
        return 0
    kinds: set[str | None] = set()
    for end in range(at + 1, min(at + _JOINED, len(lines)) + 1):
        if not lines[end - 1]:
            break
        kinds |= {label.lastgroup for label in re.finditer(_LABEL_INSIDE, lines[end - 1], re.I)}
        if {"sender", "subject"} < kinds and any(map(_WHEN.search, lines[at:end])):
            return end
    return 0


def _unknown_block(lines: Sequence[str], at: int) -> int:
    """Return the number of the line after a header block in an unknown language that begins at line `at`; 0 if no such
    block begins there. The block is recognised by its labels, an address in brackets and a date."""
    if ":" not in lines[at]:
        return 0
    end = at
    while end < min(at + 8, len(lines)) and _ANY_LABEL.match(lines[end]):
        end += 1
    block = lines[at:end]
    named = any("<" in line and _ADDRESS_INSIDE.search(line) for line in block[:2])
    return end if len(block) >= 3 and named and any(map(_WHEN.search, block)) else 0


def _label(line: str, bare: bool) -> str | None:
    if not (bare or ":" in line[:40] or line.startswith("|")):
        return None
    label = re.match(_BARE_LABEL, line, re.I) if bare else _LABEL.match(line)
    return label.lastgroup if label else None


def _quote_follows(lines: Sequence[str], end: int) -> bool:
    """Return whether the next non-blank line, from line `end` on, is marked as quoted or is a marker, as at the top of
    a letter from the desk."""
    line = next(filter(None, lines[end : end + 12]), "")
    return _QUOTED.match(line) is not None or _is_marker(line)


def _quote_comes_later(lines: Sequence[str], at: int, end: int) -> bool:
    """Return whether the writer put words between an attribution and its quote. The attribution begins at line `at` and
    ends before line `end`.

    In that case, marked lines follow the words, and nothing before these lines introduces another quote.
    """
    last = min(end + _WORDS_BETWEEN, len(lines))
    first = next((row for row in range(end, last) if _QUOTED.match(lines[row])), 0)
    if not first or _attribution(lines, at) != end:
        return False
    return not any(_introduction(lines, row) for row in range(end, first))


def _is_marker(line: str) -> bool:
    """Return whether `line` is our marker or the marker of another program."""
    return len(line) < 120 and _MARKER.match(line) is not None


def _is_signature(lines: Sequence[str], at: int, is_order: IsOrder) -> bool:
    """Return whether a signature, the footer of a mailing list or a disclaimer begins at line `at`."""
    line, above = lines[at], lines[at - 1] if at else ""
    if not _RULE.match(line):
        return bool(_SIGNATURE.match(line) or _DISCLAIMER.match(line) or _FOOT.match(line))
    if above and line[0] in "-=~" and abs(len(above) - len(line)) <= 2:  # an underlined heading
        return False
    below = lines[at + 1 : at + 6]
    farewell = any(map(_FAREWELL.match, lines[max(0, at - 4) : at])) and not any(map(is_order, below))
    return farewell or any(map(_FOOTER.search, below))


def _tidy(own: list[str], is_order: IsOrder) -> str:
    """Return the lines `own` as a text without repeated blank lines, ruled or blank lines at the end, or an unmarked
    signature below the writer's name."""
    _drop_end(own)
    for name, farewell in _names(own, is_order):
        start = name if " | " in own[name] else name + 1  # job title and company may follow on the same line
        if end := _signature_end(own, start, farewell, is_order):
            del own[start:end]
            _drop_end(own)
            break
    return re.sub(r"\n{3,}", "\n\n", "\n".join(own)).strip("\n")


def _drop_end(own: list[str]) -> None:
    while own and (not own[-1] or _RULE.match(own[-1])):
        own.pop()


def _names(own: Sequence[str], is_order: IsOrder) -> Iterator[tuple[int, bool]]:
    """Yield the number of each line near the end that may contain the writer's name, and whether a farewell precedes
    the name."""
    for at in range(max(0, len(own) - _SIGNATURE_LINES), len(own) - 1):
        if farewell := _FAREWELL.match(own[at]):
            yield at if farewell["name"] else next(row for row in range(at + 1, len(own)) if own[row]), True
        elif at and not own[at - 1] and _NAME.fullmatch(own[at].strip("*")) and not is_order(own[at]):
            yield at, False


def _signature_end(own: Sequence[str], start: int, farewell: bool, is_order: IsOrder) -> int:
    """Return the number of the line after an unmarked signature that begins at line `start`; 0 if no signature begins
    there.

    A signature consists of contact details, job title and company. Below a farewell, it ends with its paragraph, and a
    job title and company are enough. Otherwise, it must extend to the end of the letter, with contact details on at
    least half of its lines. It contains no line that may be an order.
    """
    contacts = [row for row in range(start, len(own)) if _CONTACT.search(own[row])]
    prose = next((row for row in range(start, len(own)) if row not in contacts and _PROSE.match(own[row])), len(own))
    contacts = [row for row in contacts if row < prose]
    last = contacts[-1] if contacts else start - 1
    end = next((row for row in range(last + 1, prose) if not own[row]), prose)
    if any(is_order(own[row]) for row in range(start, end) if row not in contacts):
        return 0
    if farewell:
        return (
            end if contacts or (end > start and all(_RANK.fullmatch(line.strip("*")) for line in own[start:end])) else 0
        )
    return end if end == len(own) and 2 * len(contacts) >= sum(map(bool, own[start:])) else 0


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


# "| a | b |" is a table, "| text" is a quote, and "AB> text" is a quote with initials.
_QUOTED = re.compile(r" {0,3}(?:>(?!>> .{3,200} >>>$)|[A-Z]{2,3}>(?: |$)|\|>|\|(?: (?!.*\|$)|$)|: )")
_LETTERS = re.compile(r"[^\W_]+")
_LIST_MARK = re.compile(r"^\W*\d{1,2}[.)] +|^ *\[.{0,60}\] *")
_QUOTE_MARK = re.compile(r"^(?: {0,3}>)+ ?")
_MARKED = re.compile(r"^(?:[A-Z]{2,3}>|\||:) ?")  # marks with which the writer's own lines may also begin
_RULE = re.compile(r"[ *]{0,3}[-_=~—–*]{3,}[ *]{0,3}$")
_SIGNATURE = re.compile(r"(?:--|[–—]{1,2}|__)$|-----BEGIN PGP SIGNATURE-----")
_CAPITAL = r"[^\W\d_a-zß-öø-ÿа-џ]"  # a letter other than a lower-case letter of the Latin or Cyrillic script
_NAME = re.compile(rf"[ -]{{0,3}}{_CAPITAL}[\w.'-]{{1,20}}(?: {_CAPITAL}[\w.'-]{{0,20}}){{0,3}}")
_RANK = re.compile(
    rf"{_CAPITAL}\S*(?: +(?:{_CAPITAL}\S*|[-|&/]|of|and|for|the|in|at|und|der|et|de|du|des|y|e|и|по|в))*"
)
_PROSE = re.compile(r"(?:[^\s|]+ +){5}[^|]{0,400}[.!?]$|p\.? ?s\b", re.I)
_ANY_FAREWELL = _any_of(phrases.FAREWELLS)
_FAREWELL = re.compile(
    rf" {{0,3}}(?:{_ANY_FAREWELL})(?: / (?:{_ANY_FAREWELL}))?[ ,.!-]*(?P<name>\w+\.?(?: \w+\.?)?)?$", re.I
)
_CONTACT = re.compile(phrases.CONTACT_PATTERN, re.I)
_ADDRESS_INSIDE = re.compile(r"[\w.+=~&'/-]@[\w-]")
# A time or date, such as 20:59, 21.11.26 or 2026. The pattern begins with a digit, which is quick to find.
_WHEN = re.compile(r"\d(?:\d?[:.h]\d\d(?!\d)|\d?[./-]\d{1,2}[./-]\d\d|(?:(?<=1)9|(?<=2)0)\d\d(?!\d))")
_CLOCK = re.compile(r"\b\d\d?[:.]\d\d\b")
_OPENER = re.compile(rf"-*\s*(?:(?:{_any_of(phrases.OPENERS)})\b|在)")
_OPENER_INSIDE = re.compile(rf"(?<=\S) +(?=(?:{_any_of(phrases.OPENERS)})\b.{{0,30}}\d)")
_WROTE = re.compile(rf"(?<!\w)(?:{_any_of(phrases.WROTE)})(?!\w)|{_any_of(phrases.WROTE_UNSPACED)}", re.I)
_WROTE_INSIDE = re.compile(rf"(?<!\w)(?:{_any_of(phrases.WROTE)})(?: [^<>:]{{1,60}}<[^<>\s]{{3,60}}>)? ?: ", re.I)
_SAID = re.compile(rf"(?<!\w)(?:{_any_of(phrases.SAID)})(?!\w)", re.I)
_FIRST_PERSON = re.compile(
    r"\bI (?:have )?(?:wrote|written)\b|\bwhat (?:you|he|she|they) wrote\b|\bich schrieb\b", re.I
)
_BRACKETED = re.compile(r"\[[^\W\d][^\]\d]{1,60}\]")
_SEPARATOR = re.compile(
    rf"[ *]{{0,3}}[-_=—–]{{2,}} ?(?:{_any_of(phrases.SEPARATORS)})\b.{{0,120}}$"
    rf"|[ *]{{0,3}}(?:{_any_of(phrases.FORWARDS)})"
    r"|>>> .{3,200} >>>$",  # written by GroupWise
    re.I,
)
_TITLE = re.compile(rf" {{0,3}}(?:{_any_of(phrases.SEPARATORS)}) ?:?", re.I)
_KNOWN_LABEL = "|".join(f"(?P<{kind}>{_any_of(some)})" for kind, some in phrases.LABELS.items())
_LABEL = re.compile(rf"[ *_|]{{0,4}}(?:{_KNOWN_LABEL})[ *_]*[:|]", re.I)
_LABEL_INSIDE = rf"(?<!\w)(?:{_KNOWN_LABEL})[ *_]*:"
_BARE_LABEL = rf"(?:{_KNOWN_LABEL}) "  # written by eM Client
_ANY_LABEL = re.compile(r"[ *_]{0,3}[^\W\d_][^\s\d:<>@]{0,24}(?: [^\s\d:<>@]{1,20}){0,2} {0,9}:(?:[ *_]|$)")
_FRAMED = re.compile(r"([-_=])\1{2,} ?\w.{1,60}\1{3,}$")
# A phrase between marks such as "==" or, without marks, at the end of a line that asks for an answer.
_MARKER = re.compile(
    rf" {{0,3}}[^\w\s]{{2}}.*\b(?:{_any_of(phrases.MARKERS)})\b.{{0,25}}$"
    rf"|(?:please|type|reply|answer|respond|write|do not)\b.*\b(?:{_any_of(phrases.MARKERS)})\W*$",
    re.I,
)
_DISCLAIMER = re.compile(phrases.DISCLAIMER_PATTERN, re.I)
_FOOT = re.compile(phrases.FOOT_PATTERN, re.I)
_FOOTER = re.compile(phrases.FOOTER_PATTERN, re.I)


_LONGEST = 160  # the maximum number of characters of a stamp, without URLs


def is_stamp(line: str) -> bool:
    """Return whether a program added `line`, such as "Sent from my phone", the placeholder of a picture, or a gateway's
    warning."""
    if _WHOLE.match(line) or _LEARN_WHY in line:
        return True
    lower = line.lower()
    return _is_of_a_phone(line, lower) and not _TURNED.search(lower)


def _is_of_a_phone(line: str, lower: str) -> bool:
    """Return whether `line` says, in the words of a phone or a program, how the letter was sent. `lower` is `line` in
    lower case."""
    if _EXCUSE.match(line):
        return True
    bare = (_URL.sub("", lower) if "://" in lower else lower).strip(" *_<>()[]|.")
    if len(bare) > _LONGEST:
        return False
    if _DEVICE.fullmatch(bare) or any(name in lower and name in _WORD.findall(lower) for name in phrases.SCANNERS):
        return True
    if "," in bare or bare.count(" ") > 10:
        return False
    phone = "outlook" in bare and _PHONE_OUTLOOK.fullmatch(bare)
    return bool(phone or _SENT_FROM.fullmatch(bare) or bare.endswith(phrases.SENT_FROM_ENDS))


_WORD = re.compile(r"\w+")
_URL = re.compile(r"<?https?://[^\s<>]{1,300}>?")
_ARMOUR = r"-----BEGIN PGP SIGNED MESSAGE-----$|Hash: SHA\d+$"
_PICTURE = r"\[(?:cid:|image:)[^\]]{1,300}\]$|\[[^\]\s]{1,300}\.(?:png|jpe?g|gif|p7s|asc)\]$"
_WHOLE = re.compile(rf"{_ARMOUR}|{_PICTURE}|{phrases.WARNING_PATTERN}", re.I)
_LEARN_WHY = "aka.ms/LearnAboutSenderIdentification"  # appears in a Microsoft warning, in any language
_EXCUSE = re.compile(phrases.EXCUSE_PATTERN, re.I)
_TURNED = re.compile(phrases.TURNED_PATTERN)
_DEVICE = re.compile(phrases.DEVICE_PATTERN)
_PHONE_OUTLOOK = re.compile(phrases.PHONE_OUTLOOK_PATTERN)
_SENT_FROM = re.compile(phrases.SENT_FROM_PATTERN)
