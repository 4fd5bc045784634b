"""Lines that programs and companies put into a person's letter by themselves."""

import re

from pbem.mail import phrases

_LONGEST = 160  # characters, without addresses of pages


def is_stamp(line: str) -> bool:
    """Whether it is such a line: "Sent from my phone", a picture's place, a gateway's warning."""
    if _WHOLE.match(line) or _LEARN_WHY in line:
        return True
    lower = line.lower()
    return _is_of_a_phone(line, lower) and not _TURNED.search(lower)


def _is_of_a_phone(line: str, lower: str) -> bool:
    """Whether a telephone or a program has said by what a letter was sent."""
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
_LEARN_WHY = "aka.ms/LearnAboutSenderIdentification"  # in a warning of Microsoft's, whatever its language
_EXCUSE = re.compile(phrases.EXCUSE_PATTERN, re.I)
_TURNED = re.compile(phrases.TURNED_PATTERN)
_DEVICE = re.compile(phrases.DEVICE_PATTERN)
_PHONE_OUTLOOK = re.compile(phrases.PHONE_OUTLOOK_PATTERN)
_SENT_FROM = re.compile(phrases.SENT_FROM_PATTERN)
