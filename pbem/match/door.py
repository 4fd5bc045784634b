"""The door of a desk: who knocks is told what this is and how to begin, and who plays here what there is to play."""

from pbem.games import GAMES, find_game
from pbem.match.effects import Effect, Hold, Meet, Outcome, Send
from pbem.match.identity import Player
from pbem.match.model import Case, Section
from pbem.match.player_commands import told_of_game
from pbem.match.reply import Reply
from pbem.orders.command import Asking, Help, LookUp, Simple
from pbem.orders.wanted import is_computer

WANTS_TO_JOIN = "a stranger who wants to join"
"""What became of a letter that waits for the `yes` of whoever wants to play."""


def reply_to_stranger(case: Case) -> list[Effect]:
    """Told what this is, and nothing of any game. Who only may have written is answered if the letter asks for it: else
    whoever sends with other people's addresses could have us write to them (RFC 3834)."""
    outcome = Outcome("a stranger's letter")
    if case.trust == "signed" and not case.vouched:
        return [outcome]
    joins = _joins(case)
    if joins is not None and case.address:
        return joins
    sure = case.vouched or case.trust == "address" or _asks(case)
    if not case.address or not sure or "stranger" not in case.room:
        return [outcome]
    stranger = Player(0, "", case.address, language=case.language)
    told = (*(told_of_game(one) for one in case.words.commands if isinstance(one, LookUp)), _notice("stranger"))
    return [outcome, Send("stranger", f"answer-{case.letter}", stranger, told, answers=case.message_id)]


def _asks(case: Case) -> bool:
    """Whether a letter asks what this desk is, or about a game by its name."""
    return any(isinstance(one, Help | LookUp) or one == Simple("games") for one in case.words.commands)


def _joins(case: Case) -> list[Effect] | None:
    """A stranger who wants to play is asked whether that is really him, while there is room for such questions; None if
    he wants something else."""
    known = case.invitees.get(case.address)
    unwelcome = known is not None and (known.refuses or known.banned)
    if unwelcome or not any(isinstance(one, Asking) and _begins(one) for one in case.words.commands):
        return None
    if "newcomer" not in case.room:
        return [Outcome(f"{WANTS_TO_JOIN}, one too many")]
    stranger = Player(0, case.name, case.address, language=case.language)
    about = _notice("who are you", poses=case.poses)
    asked = Send("newcomer", f"warning-{case.letter}", stranger, (about,), answers=case.message_id)
    return [Outcome(WANTS_TO_JOIN), Meet(stranger), Hold(case.letter, case.address), asked]


def _begins(command: Asking) -> bool:
    return command.word == "join" or (command.word == "challenge" and is_computer(command.argument))


def _notice(reason: str, **values: bool) -> Section:
    return Section("notice", {"reason": reason, "played": [game.title for game in GAMES.values()], **values})


def games(reply: Reply) -> None:
    """Who waits for a game, which leagues are open, which games can be watched."""
    usual = find_game()
    others = [name for name in GAMES if name != usual.name]
    reply.tell("lobby", lobby=reply.case.lobby, usual=usual.title, others=others)
