"""What players see, beside the video or over it.

The one rule: no more than the events they get: no hidden or loose card, no money of others, no fault's code, no result
before it is confirmed; and of a round that is played for training, nothing.
"""

from msgspec import Struct
from msgspec.structs import replace

from ...core.book import NO_BETS
from ...core.clock import SECOND, to_text
from ...core.sheet import digest
from ...core.state import Round, State
from ...core.views import announced
from ...rules.face import Layout
from ...text.faults import CANCELLED, MANUAL, PLAYERS, RESUMED, Words
from . import texts as t
from .board import Board, board
from .look import Ended, Look
from .naming import title
from .places import Place, places, results_by_place
from .results import mark, remarks, sentence
from .timing import Clock, clock

LAST = 6  # results
SHOWN_FOR = {"resumed": 8 * SECOND, "cancelled": 20 * SECOND}


class Notice(Struct, frozen=True):
    """What players are told outside of the game's own course."""

    kind: str  # paused, resumed, cancelled
    text: str
    until: str | None  # null: as long as it is so


class Result(Struct, frozen=True):
    """What a round came to."""

    round: int
    mark: str  # who won
    text: str
    remarks: tuple[str, ...]
    manual: bool


class PlayerScreen(Struct, frozen=True):
    """The picture for players."""

    table: str
    layout: Layout
    title: str
    round: str
    phase: str
    says: str
    clock: Clock | None
    places: tuple[Place, ...]
    result: Result | None
    notice: Notice | None
    manual: str
    last: tuple[Result, ...]  # the latest first, for games without roads
    roads: Board | None
    digest: str  # of the rules that run
    words: dict[str, str]  # what else the page has to say


def player(look: Look, words: Words) -> PlayerScreen:
    """Compose it."""
    shown = not look.training
    look = replace(look, state=announced(look.state))
    state = look.state
    settled = shown and _settled(state)
    phase, roads = _phase(look), board(look, words)
    over = results_by_place(state.round.outcome if settled else None, look.house.game)
    return PlayerScreen(
        table=state.table,
        layout=look.house.game.face.layout,
        title=title(look.house.game),
        round=words.say(t.ROUND).format(number=state.round.number) if state.round.number and shown else "",
        phase=phase,
        says=words.say(t.PHASES[phase]),
        clock=clock(look) if shown else None,
        places=places(look, words, _round(look), over),
        result=_result(look, _of(state.round), words) if settled else None,
        notice=_notice(look, words) if shown else None,
        manual=words.say(MANUAL) if state.round.manual and shown else "",
        last=() if roads else tuple(_result(look, ended, words) for ended in reversed(look.results[-LAST:])),
        roads=roads,
        digest=digest(look.house.game),
        words={"last": words.say(t.LAST_RESULTS), "rules": words.say(t.RULES)},
    )


def _settled(state: State) -> bool:
    return (state.paused_from if state.life == "paused" else state.life) == "settled"


def _phase(look: Look) -> str:
    state = look.state
    if look.training:
        return "training"
    if look.halted is not None:
        return "paused"
    return "closed" if not state.open and not state.live and state.life != "paused" else state.life


def _round(look: Look) -> Round:
    """What players may see of it: who has a seat, once betting has closed."""
    return Round() if look.training else replace(look.state.round, bets=NO_BETS)


def _of(round_: Round) -> Ended:
    return Ended(round_.number, round_.outcome or {}, round_.manual)


def _result(look: Look, ended: Ended, words: Words) -> Result:
    text = sentence(look.house.game, ended.outcome, words)
    return Result(ended.round, mark(ended.outcome), text, remarks(look.house.game, ended.outcome, words), ended.manual)


def _notice(look: Look, words: Words) -> Notice | None:
    if look.halted is not None:
        return Notice("paused", words.say(PLAYERS["program"]), None)
    if look.state.fault is not None:
        return Notice("paused", words.players(look.state.fault.code), None)
    if look.notice is None:
        return None
    kind, at = look.notice.kind, look.notice.at
    text = words.say(RESUMED if kind == "resumed" else CANCELLED)
    if kind == "cancelled" and look.state.round.number != look.notice.round:  # the next one is on already
        text = words.say(t.ROUND_CANCELLED).format(number=look.notice.round)
    return Notice(kind, text, to_text(at + SHOWN_FOR[kind]))
