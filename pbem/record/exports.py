"""Games as JSON with a checksum, for other programs (format: docs/game.schema.json). All functions are pure."""

import json
from datetime import datetime
from typing import Any

from pbem import PbemError
from pbem.games import find_game
from pbem.games.base import OPEN, AnyGame, GameError, Result
from pbem.games.chance import read_source
from pbem.record.history import Ended, History, Placed, Played, Remark, Resigned, RolledBack, Step
from pbem.record.notation import add_checksum, intact
from pbem.times.moments import parse_moment, stamp

FORMAT, VERSION = "pbem game", 1
_MARK = '"checksum": "'


class ExportError(PbemError):
    """A file that is not an exported game, or that was changed after the export."""


def write_json(history: History) -> str:
    """Write a history as one JSON object on several lines. Its checksum reveals whether any character was changed."""
    game, result = history.game, history.result
    data = {
        "format": FORMAT,
        "version": VERSION,
        "checksum": "",
        "name": history.name,
        "game": game.name,
        "rules": history.rules,
        "setup": game.headers(history.start, history.options),
        "options": history.options,
        "players": history.players,
        "league": history.league or None,
        "season": history.season,
        "division": history.division,
        "round": history.round,
        **({"secret": history.secret or None, "secret_hash": history.secret_hash} if game.chance else {}),
        "began": _stamp(history.began),
        "ended": _stamp(history.ended),
        "result": result and result_as_data(result),
        "annulled": history.annulled,
        **({"opening": list(history.opening)} if history.opening else {}),
        "start": _state(history, history.start),
        "state": _state(history, history.state),
        "steps": [_step(history, step) for step in history.steps],
    }
    return add_checksum(json.dumps(data, ensure_ascii=False, indent=1) + "\n", _MARK)


def result_as_data(result: Result) -> dict[str, Any]:
    """Return `result` as plain data: the winner or None, the reason, whether the game was decided away from the board,
    and the ranking if there is one."""
    data = {"winner": result.winner, "reason": str(result.reason), "forfeit": result.forfeit}
    return {**data, "ranking": result.ranking} if result.ranking else data


def _step(history: History, step: Step) -> dict[str, Any]:
    game, at = history.game, {"at": _stamp(step.moment)}
    match step:
        case Played(turn, before, orders, after, events):
            missed = [seat for seat in history.seats if seat in game.awaiting(before) and not orders.get(seat)]
            return {
                "step": "turn",
                "turn": turn,
                **at,
                "rules": step.rules,
                "undone": step.undone,
                **({"secret": step.secret} if step.secret else {}),
                "orders": {seat: orders.get(seat) for seat in history.seats},
                "missed": missed,
                "events": list(game.redact_events(events, history.reader)),
                "state": _state(history, after),
            }
        case Placed(turn, state):
            return {"step": "position", "turn": turn, **at, "reason": step.reason, "state": _state(history, state)}
        case Resigned(seat, state):
            return {"step": "resign", **at, "seat": seat, "state": _state(history, state)}
        case RolledBack(turn):
            return {"step": "rollback", "turn": turn, **at, "reason": step.reason}
        case Ended(result, annulled):
            return {"step": "end", **at, "annulled": annulled, "result": result_as_data(result)}
        case Remark(seat, text):
            return {"step": "remark", **at, "seat": seat, "text": text, **({"to": step.to} if step.to else {})}


def _state(history: History, state: Any) -> dict[str, Any]:
    """Return `state` as plain data from which the game can be continued. While the game hides anything, return only the
    part that everybody may see, as the game's `view` selects it."""
    game = history.game
    if history.reader == OPEN:
        return game.dump(state)
    return {"view": game.show(game.view(state, history.reader))}


def _stamp(moment: datetime | None) -> str | None:
    return stamp(moment) if moment else None


def draw(history: History, turn: int | None = None) -> str:
    """Draw the map after `turn`, or the current map if `turn` is None, as an SVG document that marks what happened in
    the turn.

    Raises ExportError if the turn was not played.
    """
    game, turns = history.game, history.turns()
    played = next((step for step in reversed(turns) if turn in (None, step.turn)), None)
    if turn is not None and played is None:
        raise ExportError(f"Turn {turn} of {history.name} is not played, or its report is not out.")
    if played is None or (turn is None and played.after != history.state):
        return game.svg(game.view(history.state, history.reader))
    after, before = (game.view(state, history.reader) for state in (played.after, played.before))
    return game.svg(after, before, game.redact_events(played.events, history.reader))


def read_json(text: str) -> History:
    """Read the history that `write_json` has written as `text`. Raises ExportError if `text` is not a complete and
    unchanged export."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ExportError("This is no JSON, or it is cut off: export the game again.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ExportError("This is not what `pbem export --format json` writes.")
    if data.get("version") != VERSION:
        raise ExportError("This was written by a newer pbem: update pbem.")
    if isinstance(data.get("start"), dict) and data["start"].keys() == {"view"}:
        raise ExportError("This game was going on, and what is hidden in it is not here: export it when it is over.")
    if not intact(text):
        raise ExportError("This was changed since it was written: its checksum is another one.")
    try:
        return _history(data)
    except (KeyError, TypeError, ValueError, AttributeError, GameError) as error:
        raise ExportError(f"This is no whole game ({type(error).__name__}): export it again.") from None


def _history(data: dict[str, Any]) -> History:
    game = find_game(data["game"])
    start = game.load(data["start"])
    as_they_are = ("name", "options", "rules", "players", "annulled", "season", "division", "round")
    return History(
        **{name: data[name] for name in as_they_are},
        game=game,
        start=start,
        state=game.load(data["state"]),
        steps=_steps(game, start, data["steps"]),
        result=data["result"] and _result(data["result"]),
        league=data["league"] or "",
        began=_moment(data["began"]),
        ended=_moment(data["ended"]),
        secret=" ".join(map(_source, (data.get("secret") or "").split(" "))),
        secret_hash=data.get("secret_hash") or "",
        opening=tuple(data.get("opening", ())),
    )


def _steps(game: AnyGame, start: Any, data: list[dict[str, Any]]) -> tuple[Step, ...]:
    """Return the steps in `data`. Each turn includes the state in which it began: the state after the previous step or,
    after a rollback, the state at the start of the turn to which the game went back."""
    state, began, steps = start, {1: start}, list[Step]()
    for entry in data:
        at = _moment(entry["at"])
        match entry["step"]:
            case "turn":
                turn, before, state = entry["turn"], state, game.load(entry["state"])
                began[turn] = before
                how = tuple(entry["events"]), at, entry["rules"], entry["undone"], _source(entry.get("secret"))
                steps.append(Played(turn, before, entry["orders"], state, *how))
            case "position":
                state = game.load(entry["state"])
                steps.append(Placed(entry["turn"], state, at, entry["reason"]))
            case "resign":
                state = game.load(entry["state"])
                steps.append(Resigned(entry["seat"], state, at))
            case "rollback":
                state = began.get(entry["turn"], state)
                steps.append(RolledBack(entry["turn"], at, entry["reason"]))
            case "end":
                steps.append(Ended(_result(entry["result"]), entry["annulled"], at))
            case _:
                steps.append(Remark(entry["seat"], entry["text"], at, tuple(entry.get("to", ()))))
    return tuple(steps)


def _result(data: dict[str, Any]) -> Result:
    return Result(**{**data, "ranking": tuple(map(tuple, data.get("ranking", ())))})


def _source(text: str | None) -> str:
    """Return `text`, the source of a turn's or game's chance, in its canonical form; "" if `text` is empty or None.
    Raises ChanceError if `text` is not a valid source."""
    return str(read_source(text)) if text else ""


def _moment(text: str | None) -> datetime | None:
    return parse_moment(text) if text else None
