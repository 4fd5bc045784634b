"""What game masters have decided, from the record: as they look it up, and as the history of a game tells it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.store.database import Store


class Decided(NamedTuple):
    """A decision of a game master's: when, in which game or league ("" for the desk), its word and what was said behind
    it, why, and by whom."""

    at: str
    about: str
    word: str
    argument: str
    reason: str
    by: str

    @property
    def said(self) -> str:
        """As it was written, without the words for one player alone, nor what was ordered."""
        argument = self.argument.partition(":")[0] if self.word in ("orders", "tell") else self.argument
        return " ".join(filter(None, (self.word, self.about, " ".join(argument.split()))))


def decisions(store: Store, *, match: int | None = None, address: str = "") -> list[Decided]:
    """What was decided, newest last: in a match, in all that somebody at an address is game master of, or "" in all."""
    rows = store.conn.execute(
        """SELECT r.at, coalesce(m.name, l.name, ''), content, p.name
           FROM record r JOIN record_contents c ON c.record = r.id
           LEFT JOIN matches m ON m.id = r.match
           LEFT JOIN leagues l ON l.id = coalesce(m.league, content ->> '$.league')
           LEFT JOIN players p ON content ->> '$.by' = 'player ' || p.id
           WHERE r.kind = 'decision' AND (:match IS NULL OR r.match = :match)
             AND (:address = '' OR EXISTS (SELECT 1 FROM json_each(l.settings, '$.masters') one
                                           WHERE lower(one.value ->> 'address') = :address))
           ORDER BY r.id""",
        {"match": match, "address": address},
    )
    found = ((at, about, json.loads(content), name) for at, about, content, name in rows)
    return [
        Decided(at, about, told["decision"], told["argument"], told["reason"], name or told["by"])
        for at, about, told, name in found
    ]


ON_THE_COURSE = frozenset(("award", "annul", "reopen", "replay", "replace", "process", "words"))
"""Decisions that change what becomes of a game, and of which its history has no step with a reason."""


def explained(store: Store, match: int, game: AnyGame) -> dict[int, str]:
    """What everybody may know of entries of the record about a match, by their numbers: who has decided what, and why;
    who plays a seat from then on; and why a game did not begin."""
    rows = store.conn.execute(
        """SELECT id, kind, content FROM record JOIN record_contents ON record = id
           WHERE match = ? AND kind IN ('game', 'decision', 'holder', 'annul', 'rollback', 'readjudicate', 'position')
           ORDER BY id""",
        (match,),
    ).fetchall()
    return dict(_explained(store, game, [(number, kind, json.loads(content)) for number, kind, content in rows]))


def _explained(store: Store, game: AnyGame, rows: list[tuple[int, str, Any]]) -> Iterator[tuple[int, str]]:
    sitting: dict[Seat, int] = {}
    by = ""
    for number, kind, told in rows:
        match kind:
            case "game":
                sitting = dict(told.get("seats", {}))
            case "decision":
                by = _name(store, told["by"].removeprefix("player "))
                if told["decision"] in ON_THE_COURSE:
                    yield number, f"{by}: {_in_words(told)}."
            case "holder":
                seat, before = told["seat"], sitting.get(told["seat"])
                sitting[seat] = told["player"]
                was = f", in place of {_name(store, before)}" if before else ""
                yield number, f"{_name(store, told['player'])} plays {game.called[seat]} from here on{was}."
            case "annul":
                if told.get("by") != "the game master":
                    yield number, f"The game did not take place: {told['reason']}."
            case _:
                yield number, f"{by}: {told['reason']}" if by and told.get("reason") else told.get("reason", "")


def _in_words(told: Mapping[str, Any]) -> str:
    said = " ".join((told["decision"], *told["argument"].split()))
    return f"{said}. Reason: {told['reason'].rstrip('.')}" if told["reason"] else said


def _name(store: Store, player: int | str) -> str:
    """What a player is called, by their number; or the operator."""
    name = store.value("SELECT name FROM players WHERE id = ?", (player,))
    return str(name or ("The operator" if player == "operator" else "Somebody"))
