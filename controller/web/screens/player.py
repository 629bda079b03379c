"""Screen of players, shown beside the video or over it.

Invariant: the screen shows no more than the events for players: no hidden or loose card, no money of others, no code
of a fault, no result before it is confirmed, and nothing of a training round.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ...core.book import NO_BETS
from ...core.clock import SECOND, to_text
from ...core.life import Stage
from ...core.sheet import digest
from ...core.state import Round, State
from ...core.views import without_training_round
from ...rules.face import Layout
from ...text.faults import CANCELLED, MANUAL, PLAYERS, RESUMED, Words
from ...text.naming import title
from ...text.results import mark, remarks, sentence
from . import player_texts as p
from . import texts as t
from .acts import act
from .board import Board, board
from .places import ScreenPlace, places, shown_results
from .table_snapshot import LastNotice, LatestResult, TableSnapshot
from .timing import TimeLeft, clock

LAST = 6  # results that are shown
NOTICES = {"closed": p.NO_MORE_BETS, "resumed": RESUMED, "cancelled": CANCELLED, "corrected": t.ROUND_CORRECTED}
SHOWN_FOR = {"closed": 3 * SECOND, "resumed": 8 * SECOND, "cancelled": 20 * SECOND, "corrected": 20 * SECOND}
DWELL = 6 * SECOND  # time for which a result is shown, also while the next round opens
WORDS = {"last": t.LAST_RESULTS, "next": p.IF_NEXT}
SEATED = {**WORDS, "arrange": p.ARRANGE, "copy": p.COPY, "camera": p.CAMERA}  # for /overlay?arrange
BETWEEN = ("closed", "shoe_change", "dealer_change")


class PlayerNotice(Struct, frozen=True):
    """Notice to players about something outside of the game's course."""

    kind: str  # paused, closed; resumed, cancelled, corrected
    text: str
    until: str | None  # null: as long as the pause or the closing lasts


class PlayerResult(Struct, frozen=True):
    """Result of a round for players, with its mark and text."""

    round: int
    mark: str  # who won
    text: str
    remarks: tuple[str, ...]
    manual: bool
    until: str | None  # null: as long as the cards lie on the table
    revision: int = 0  # how many times the round was settled anew


class PlayerScreen(Struct, frozen=True):
    """Content of the whole screen for players."""

    table: str
    game: str
    layout: Layout
    title: str
    round: str
    phase: str
    says: str  # what happens now
    detail: str  # second line of `says`
    clock: TimeLeft | None
    places: tuple[ScreenPlace, ...]
    result: PlayerResult | None
    notice: PlayerNotice | None  # shown in place of `says`: a pause, or that bets are closed
    beside: tuple[PlayerNotice, ...]  # further notices, each in its own line, the oldest first
    manual: str
    last: tuple[PlayerResult, ...]  # the latest first, for games without roads
    roads: Board | None
    digest: str  # digest of the rules in force
    words: dict[str, str]  # other texts of the page


def player(snapshot: TableSnapshot, words: Words) -> PlayerScreen:
    """Compose the players' screen in one language."""
    shown = not snapshot.terms.training
    snapshot = replace(snapshot, state=without_training_round(snapshot.state))
    state = snapshot.state
    phase, roads = _phase(snapshot), board(snapshot, words)
    says, detail = _says(snapshot, phase, words)
    over = shown_results(snapshot) if _do_cards_lie(snapshot) else {}
    return PlayerScreen(
        table=state.table,
        game=snapshot.house.game.name,
        layout=snapshot.house.game.face.layout,
        title=title(snapshot.house.game),
        round=words.say(t.ROUND).format(number=state.round.number) if state.round.number and shown else "",
        phase=phase,
        says=says,
        detail=detail,
        clock=clock(snapshot) if shown and snapshot.halted is None else None,
        places=places(snapshot, words, _round(snapshot), over),
        result=_last_result(snapshot, phase, words) if shown else None,
        notice=_notice(snapshot, words) if shown else None,
        beside=tuple(_notices_beside(snapshot, phase, words)) if shown else (),
        manual=words.say(MANUAL) if state.round.manual and shown else "",
        last=() if roads else tuple(_latest_results(snapshot, words)),
        roads=roads,
        digest=digest(snapshot.house.game),
        words={name: words.say(text) for name, text in (SEATED if snapshot.house.game.seats else WORDS).items()},
    )


def _latest_results(snapshot: TableSnapshot, words: Words) -> Iterator[PlayerResult]:
    return (_result(snapshot, ended, words, None) for ended in reversed(snapshot.results[-LAST:]))


def _do_cards_lie(snapshot: TableSnapshot) -> bool:
    """True if the cards of a settled round lie on the table.

    After a shoe change the table is empty.
    """
    state, ended = snapshot.state, snapshot.results[-1] if snapshot.results else None
    return _life(state) == "settled" and ended is not None and ended.round == state.round.number


def _life(state: State) -> Stage:
    """Life of the round, also in a pause. A cancelled round that was settled by its cards is settled."""
    return "settled" if state.stage == "cancelled" and not state.is_void else state.stage


def _phase(snapshot: TableSnapshot) -> str:
    state = snapshot.state
    if snapshot.terms.training:
        return "training"
    if snapshot.halted is not None:
        return "paused"
    return state.life if state.live or state.life == "paused" else _phase_between_rounds(snapshot)


def _phase_between_rounds(snapshot: TableSnapshot) -> str:
    """Phase between rounds: the reason the table waits, beside the next round."""
    state = snapshot.state
    if not state.open:
        return "closed"
    if state.shoe.changing:
        return "shoe_change"
    if state.dealer is None:
        return "dealer_change"
    life = _life(state)
    return "idle" if life == "settled" and not _do_cards_lie(snapshot) else life


def _says(snapshot: TableSnapshot, phase: str, words: Words) -> tuple[str, str]:
    message = act(snapshot, words) if phase in ("dealing", "deciding") else None
    return message or (words.say(p.PHASES[phase]), words.say(p.BESIDE[phase]) if phase in p.BESIDE else "")


def _round(snapshot: TableSnapshot) -> Round:
    """Round as players may see it: seats only once betting has closed."""
    over = _life(snapshot.state) == "settled" and not _do_cards_lie(snapshot)
    return Round() if snapshot.terms.training or over else replace(snapshot.state.round, bets=NO_BETS)


def _last_result(snapshot: TableSnapshot, phase: str, words: Words) -> PlayerResult | None:
    """Result of the round on the table, kept for a while until the next round's first card; none at a halted table."""
    if snapshot.halted is not None:
        return None
    round_, ended = snapshot.state.round, snapshot.results[-1] if snapshot.results else None
    over = phase in BETWEEN or (snapshot.live and not round_.draws)
    if over and ended is not None:
        return _result(snapshot, ended, words, to_text(ended.at + DWELL))
    return _result(snapshot, ended, words, None) if ended is not None and not over and _do_cards_lie(snapshot) else None


def _result(snapshot: TableSnapshot, ended: LatestResult, words: Words, until: str | None) -> PlayerResult:
    game = snapshot.house.game
    text, notes = sentence(game, ended.outcome, words, ended.lying), remarks(game, ended.outcome, words)
    latest_revision = snapshot.state.revisions.get(ended.round)
    revision = 0 if latest_revision is None else latest_revision.number
    return PlayerResult(ended.round, mark(ended.outcome), text, notes, ended.manual, until, revision)


def message_while_stopped(snapshot: TableSnapshot, words: Words) -> str:
    """Message to players while a fault is open or the table is halted; empty otherwise."""
    if snapshot.halted is not None:
        return words.say(PLAYERS["program"])
    return "" if snapshot.state.fault is None else words.players(snapshot.state.fault.code)


def _notice(snapshot: TableSnapshot, words: Words) -> PlayerNotice | None:
    """Notice shown in place of the phase: a pause, else that bets are closed."""
    if stopped := message_while_stopped(snapshot, words):
        return PlayerNotice("paused", stopped, None)
    return next(
        (_player_notice(one, words, NOTICES["closed"]) for one in _notices(snapshot) if one.kind == "closed"), None
    )


def _notices_beside(snapshot: TableSnapshot, phase: str, words: Words) -> Iterator[PlayerNotice]:
    """Yield the notices beside the phase of the round; during a pause, none about an earlier resumption."""
    for one in _notices(snapshot):
        on_table = one.round == snapshot.state.round.number
        if one.kind == "closed" or (one.kind == "resumed" and phase == "paused"):
            continue
        if one.kind == "cancelled" and on_table and phase == "cancelled":
            continue  # the phase already says that the round is cancelled
        after = one.kind == "cancelled" and not on_table  # the next round has begun
        yield _player_notice(one, words, t.ROUND_CANCELLED if after else NOTICES[one.kind])


def _notices(snapshot: TableSnapshot) -> list[LastNotice]:
    """Notices whose time was not over at the last record."""
    return [one for one in snapshot.notices if one.at + SHOWN_FOR[one.kind] > snapshot.state.at]


def _player_notice(notice: LastNotice, words: Words, text: str) -> PlayerNotice:
    until = to_text(notice.at + SHOWN_FOR[notice.kind])
    return PlayerNotice(notice.kind, words.say(text).format(number=notice.round), until)
