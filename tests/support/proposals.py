"""The core's proposals and answers to letters that are neither orders nor commands by their words."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.match.effects import Ask, Effect, Propose, Resend, Section, Send, TakeOrders
from pbem.match.receive import receive
from support.cases import NOON, letter
from tools.understanding import CORPUS

FRESH = CORPUS / "intents_fresh.txt"
_ASKED = {
    "really resign": "resign",
    "really forget": "forget me",
    "still playing": "forget me",
    "gm sent": "gm",
    "stopping": "stop",
    "same stands": "same",
    "press offered": "press",
}
_NOTHING = ("nothing found", "nothing to do")


def labelled(path: Path) -> Iterator[tuple[str, str, str]]:
    """The lots, labels and letters of a corpus."""
    lot = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            lot = line[3:]
        elif line and not line.startswith("# "):
            label, _, text = line.partition(" | ")
            yield lot, label, text.replace("⏎", "\n")


def proposed(texts: Sequence[str]) -> list[str]:
    """The outcome of each letter from Red in the first turn, according to `receive` alone."""
    return [_called(receive(letter(text), NOON)) for text in texts]


def _called(effects: Sequence[Effect]) -> str:
    """The first thing that a letter proposes or does; a letter that was not understood may propose to ask a person."""
    sent = [section for effect in effects if isinstance(effect, Send) for section in effect.sections]
    unknown = any(section.template == "start" for section in sent)
    for effect in effects:
        match effect:
            case Ask(_, asked) if not unknown:
                return asked.command.word
            case Propose():
                return f"orders {effect.canonical}"
            case TakeOrders():
                return f"taken {effect.entry.canonical}"
            case Resend():
                return "resend"
    told = [effect for effect in effects if isinstance(effect, Send) and effect.kind == "answer"]
    sections = [section for effect in told for section in effect.sections]
    return next(filter(None, map(_told, sections)), "nothing")


def _told(section: Section) -> str:
    values = section.values
    match section.template:
        case "answer":
            rules = values.get("rules")
            return f"rule {' '.join(map(str, rules))}" if rules else str(values["kind"])
        case "notice" if values["reason"] in _NOTHING:
            return "nothing"
        case "notice" if values["reason"] == "usage":
            return f"how {values['word']}"
        case "notice":
            return _ASKED.get(values["reason"], values.get("word") or values["reason"])
        case "remarks":
            return ""
        case other:
            return other
