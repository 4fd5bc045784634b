"""The door of a desk: who knocks is told what this is and how to begin, and who plays here what there is to play."""

from pbem.games import GAMES, find_game
from pbem.match import quoted
from pbem.match.effects import Effect, Hold, Meet, Outcome, Send, Wait
from pbem.match.identity import Player
from pbem.match.model import NO_ROOM, WANTS_TO_JOIN, Case, Section
from pbem.match.player_commands import told_of_game
from pbem.match.reply import Reply
from pbem.orders.command import Asking, Help, LookUp, Simple
from pbem.orders.wanted import is_computer


def reply_to_stranger(case: Case) -> list[Effect]:
    """Told what this is, and nothing of any game; who would like to play is asked whether that is really them. Who only
    may have written is answered if the letter asks for it: else whoever sends with other people's addresses could have
    us write to them (RFC 3834). While there is no room for an answer the letter waits."""
    joins = _joins(case)
    kind = "newcomer" if joins else "stranger"
    sure = case.vouched or (case.trust != "signed" and (joins or case.trust == "address" or _asks(case)))
    if not sure or not case.address or kind not in case.room:
        return [Outcome("a stranger's letter")]
    outcome = WANTS_TO_JOIN if joins else "a stranger's letter"
    if case.full:
        return [Outcome(f"{outcome}, {NO_ROOM}"), Wait(case.letter, case.address, case.vouched)]
    key, name = (f"warning-{case.mark}", case.name) if joins else (f"answer-{case.mark}", "")
    stranger = Player(0, name, case.address, language=case.language)
    told = (*(() if joins else _looked_up(case)), _notice(case, "who are you" if joins else "stranger"))
    held: list[Effect] = [Meet(stranger), Hold(case.letter, case.address)] if joins else []
    return [Outcome(outcome), *held, Send(kind, key, stranger, told, answers=case.message_id)]


def _looked_up(case: Case) -> list[Section]:
    """What is told of the things of games that a letter names. That there is no such thing is told in its own words, so
    that it must be a name that we repeat of anybody's letter."""
    asked = [one for one in case.words.commands if isinstance(one, LookUp)]
    shown = quoted.parts(one.argument for one in asked)
    return [told_of_game(one) for one, name in zip(asked, shown, strict=False) if name == one.argument]


def _asks(case: Case) -> bool:
    """Whether a letter asks what this desk is, or about a game by its name."""
    return any(isinstance(one, Help | LookUp) or one == Simple("games") for one in case.words.commands)


def _joins(case: Case) -> bool:
    """Whether a stranger would like to play, and may."""
    known = case.invitees.get(case.address)
    unwelcome = known is not None and (known.refuses or known.banned)
    return not unwelcome and any(isinstance(one, Asking) and _begins(one) for one in case.words.commands)


def _begins(command: Asking) -> bool:
    return command.word == "join" or (command.word == "challenge" and is_computer(command.argument))


def _notice(case: Case, reason: str) -> Section:
    played = [game.title for game in GAMES.values()]
    return Section("notice", {"reason": reason, "waited": case.waited, "poses": case.poses, "played": played})


def games(reply: Reply) -> None:
    """Who waits for a game, which leagues are open, which games can be watched."""
    usual = find_game()
    others = [name for name in GAMES if name != usual.name]
    reply.tell("lobby", lobby=reply.case.lobby, usual=usual.title, others=others)
