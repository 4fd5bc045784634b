"""Game masters' decisions, read from the record for look-ups and for the histories of games."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.match.facts import Appeal, Ruling
from pbem.store.database import Store
from pbem.times.moments import parse_moment


class Decided(NamedTuple):
    """A decision of a game master, or of the players by a vote: when it was made, the game or league that it is about
    ("" for the desk), the command word and its argument, the reason, who made it ("players" after a vote), and whether
    it is about a single game."""

    at: str
    about: str
    word: str
    argument: str
    reason: str
    by: str
    of_match: bool = True

    @property
    def wording(self) -> str:
        """The decision as it was written, but without the text of orders and of messages to a single player."""
        is_private = self.word in ("orders", "tell") and self.of_match
        argument = self.argument.partition(":")[0] if is_private else self.argument
        return " ".join(filter(None, (self.word, self.about, " ".join(argument.split()))))


def decisions(store: Store, *, match: int | None = None, league: str = "", address: str = "") -> list[Decided]:
    """Return decisions, oldest first: all of them, or only those about `match`, about the league with the name `league`
    and its games, or about leagues that the game master with the lower-case `address` directs."""
    rows = store.conn.execute(
        """SELECT r.at, coalesce(m.name, l.name, ''), content, p.name, r.match
           FROM record r JOIN record_contents c ON c.record = r.id
           LEFT JOIN matches m ON m.id = r.match
           LEFT JOIN leagues l ON l.id = coalesce(m.league, content ->> '$.league')
           LEFT JOIN players p ON content ->> '$.by' = 'player ' || p.id
           WHERE r.kind = 'decision' AND (:match IS NULL OR r.match = :match) AND (:league = '' OR l.name = :league)
             AND (:address = '' OR EXISTS (SELECT 1 FROM json_each(l.settings, '$.masters') master
                                           WHERE lower(master.value ->> 'address') = :address))
           ORDER BY r.id""",
        {"match": match, "league": league, "address": address},
    )
    entries = ((at, about, json.loads(content), name, match) for at, about, content, name, match in rows)
    return [
        Decided(
            at,
            about,
            content["decision"],
            content["argument"],
            content["reason"],
            name or content["by"],
            match is not None,
        )
        for at, about, content, name, match in entries
    ]


def rulings(store: Store, match: int) -> tuple[Ruling, ...]:
    """Return the decisions of game masters on a match, oldest first."""
    rows = store.conn.execute(
        """SELECT id, at, content ->> 'decision', content ->> 'argument', content ->> 'reason', content ->> 'by'
           FROM record JOIN record_contents ON record = id
           WHERE match = ? AND kind = 'decision' AND content ->> 'by' <> 'players' ORDER BY id""",
        (match,),
    )
    return tuple(Ruling(number, parse_moment(at), *rest) for number, at, *rest in rows)


def appeals(store: Store, match: int | None = None) -> tuple[Appeal, ...]:
    """Return the appeals about `match`, or about all matches if `match` is None, oldest first. An appeal waits until a
    decision names it."""
    rows = store.conn.execute(
        """SELECT r.match, r.at, content ->> 'appeal', content ->> 'against', content ->> 'seat', content ->> 'player',
             NOT EXISTS (
                 SELECT 1 FROM record d JOIN record_contents c ON c.record = d.id
               WHERE d.match = r.match AND d.kind = 'decision' AND c.content ->> 'decision' IN ('uphold', 'overturn')
                 AND c.content ->> 'argument' = CAST(record_contents.content ->> 'appeal' AS TEXT))
           FROM record r JOIN record_contents ON record = r.id
           WHERE (:match IS NULL OR r.match = :match) AND r.kind = 'appeal' ORDER BY r.id""",
        {"match": match},
    )
    return tuple(Appeal(of, parse_moment(at), *others) for of, at, *others in rows)


def looked_since_end(store: Store, match: int) -> bool:
    """Return whether a game master has looked at the letters of a match since it ended."""
    return bool(
        store.value(
            """SELECT EXISTS (SELECT 1 FROM record JOIN record_contents ON record = id
                              WHERE match = ?1 AND kind = 'decision' AND content ->> 'decision' = 'letters'
                              AND id > (SELECT max(id) FROM record WHERE match = ?1 AND kind IN ('end', 'annul')))""",
            (match,),
        )
    )


ON_THE_COURSE = frozenset(("award", "annul", "reopen", "replay", "replace", "process", "words", "uphold", "overturn"))
"""The command words of decisions that change the course of a game but are not explained by any step of the game's
history."""


def explained(store: Store, match: int, game: AnyGame) -> dict[int, str]:
    """Return public explanations of a match's entries in the record, keyed by entry number: who decided what and why,
    who plays a seat from then on, and why a game did not begin."""
    rows = store.conn.execute(
        """SELECT id, kind, content FROM record JOIN record_contents ON record = id
           WHERE match = ? AND kind IN ('game', 'decision', 'holder', 'stand in', 'annul', 'rollback', 'readjudicate',
                                       'position')
           ORDER BY id""",
        (match,),
    ).fetchall()
    untold = bool(store.value("SELECT 1 FROM seats WHERE match = ? AND untold <> ''", (match,)))
    read = [(number, kind, json.loads(content)) for number, kind, content in rows]
    return dict(_explained(store, game, [_unnamed(game, *one) for one in read] if untold else read))


def _unnamed(game: AnyGame, number: int, kind: str, content: Any) -> tuple[int, str, Any]:
    """Return an entry without the names of players who have yet to be told."""
    match kind:
        case "game":
            content = {**content, "seats": {seat: seat for seat in content.get("seats", {})}}
        case "holder":
            content = {**content, "player": content["seat"]}
        case "decision" if content["decision"] == "replace":
            side = content["argument"].partition(" ")[0].casefold()
            content = {**content, "argument": side if side in game.called else ""}
    return number, kind, content


_PLAYERS, _TAKEN_BACK = "The players", "All players agreed to it."
_BY_PLAYERS = {
    "annul": "The players have annulled the game.",
    "replace": "The other players have decided that the computer plays for somebody who is absent.",
}
"""The explanations of what players have decided by a vote, keyed by the command word of the same decision."""


def _explained(store: Store, game: AnyGame, rows: list[tuple[int, str, Any]]) -> Iterator[tuple[int, str]]:
    sitting: dict[Seat, int | str] = {}
    by = decided = ""
    for number, kind, content in rows:
        match kind:
            case "game":
                sitting = dict(content.get("seats", {}))
            case "decision":
                by, decided = _name(store, content["by"].removeprefix("player ")), content["decision"]
                if content["decision"] in ON_THE_COURSE:
                    yield number, _BY_PLAYERS[decided] if by == _PLAYERS else f"{by}: {_in_words(content)}."
            case "holder":
                seat, before = content["seat"], sitting.get(content["seat"])
                sitting[seat] = content["player"]
                yield number, _sits(store, game, content, before)
            case "stand in":
                yield number, _stands_in(store, game, content, sitting.get(content["seat"], 0))
            case "annul":
                if content.get("by") != "the game master" and decided != "annul":
                    yield number, f"The game did not take place: {content['reason']}."
            case _:
                reason = content.get("reason", "")
                yield number, f"{by}: {reason}" if by and reason else reason or (_TAKEN_BACK if by == _PLAYERS else "")


def _sits(store: Store, game: AnyGame, content: Mapping[str, Any], before: int | str | None) -> str:
    side, player = game.called[content["seat"]], content["player"]
    if player == content["seat"]:  # nobody is told who plays
        return f"Somebody else plays {side} from here on."
    was = f", in place of {_name(store, before)}" if before else ""
    return f"{_name(store, player)} plays {side} from here on{was}."


def _stands_in(store: Store, game: AnyGame, content: Mapping[str, Any], player: int | str) -> str:
    name = "its player" if player == content["seat"] else _name(store, player)
    side, level = game.called[content["seat"]], content["level"]
    plays = f"The computer (level {level}) plays {side} for {name}" if level else f"{name} plays {side} again"
    return f"{plays[:1].upper()}{plays[1:]} from here on."


_ON_APPEALS = {"uphold": "appeal {} is dismissed, and the decision stands", "overturn": "appeal {} is allowed"}


def _in_words(content: Mapping[str, Any]) -> str:
    if content["decision"] in _ON_APPEALS:
        text = _ON_APPEALS[content["decision"]].format(content["argument"])
    else:
        text = " ".join((content["decision"], *content["argument"].split()))
    return f"{text}. Reason: {content['reason'].rstrip('.')}" if content["reason"] else text


def _name(store: Store, player: int | str) -> str:
    """Return the name of the player with this number; "The operator" if `player` is "operator", "The players" if they
    have voted, and "Somebody" if there is no such player."""
    if player == "players":
        return _PLAYERS
    name = store.value("SELECT name FROM players WHERE id = ?", (player,))
    return str(name or ("The operator" if player == "operator" else "Somebody"))
