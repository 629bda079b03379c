"""Compose the shift manager's screen: the open fault, the table, and the actions available.

A card that lies face down is shown as a back here too.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...core.clock import to_text
from ...core.coded_message import CodedMessage
from ...core.exposure import exposure
from ...core.hands import decisions, settled_hands
from ...core.life import RESTING
from ...core.persons import dealers_of
from ...rules.face import Layout
from ...text import terms
from ...text.coded import render
from ...text.faults import Words
from ...text.money import money
from ...text.naming import CardFace, decision, place_name, title
from ...text.results import Lying, remarks, sentence
from . import manager_texts as m
from .at_fault import at_fault
from .dealer import Flag, flags, round_name
from .manager_acts import ManagerAct, acts
from .manager_fault import ShownFault, open_fault
from .manager_words import ManagerWords
from .next_step import NextStep, next_step
from .open_cases import CaseToDecide, cases_to_decide
from .places import NamedPlace, ScreenPlace, named_places, places, shown_results
from .player import message_while_stopped
from .resettling_texts import DISMISSALS
from .staked_markets import StakedOnMarket, staked_markets
from .table_cards import ShownLooseCard, draw_numbers, loose_cards, suits
from .table_snapshot import TableSnapshot
from .timing import TimeLeft, clock
from .void_text import cancelled_round_text

LAST = 5  # past rounds that are shown


class ShownDecision(Struct, frozen=True):
    """Decision of one participant; `asked` is true if it is still open."""

    who: str
    said: str
    asked: bool


class LastRound(Struct, frozen=True):
    """Past round and its result."""

    round: int
    result: str


class ShownShoe(Struct, frozen=True):
    """Current shoe: its name, the cards left in it, and its marks."""

    name: str
    left: str
    marks: tuple[str, ...]


class ShownDevice(Struct, frozen=True):
    """Device with its name, and whether it is lost."""

    device: str
    name: str
    lost: bool


class ManagerScreen(Struct, frozen=True):
    """Content of the shift manager's whole screen."""

    table: str
    layout: Layout
    title: str
    round: str
    life: str
    says: str  # the life in words
    dealer: str | None
    open: str
    flags: tuple[Flag, ...]
    next: NextStep
    result: str  # result of the round, in one line
    last: tuple[LastRound, ...]  # earlier rounds, the latest first
    clock: TimeLeft | None
    fault: ShownFault | None
    places: tuple[ScreenPlace, ...]
    draws: dict[str, tuple[int, ...]]  # numbers of the cards of each hand, in their order
    loose: tuple[ShownLooseCard, ...]
    deck: tuple[tuple[CardFace, ...], ...]  # every card of the deck, a row for each suit
    lays: tuple[NamedPlace, ...]  # places where a card can lie
    bets: str  # number and total of the bets
    markets: tuple[StakedOnMarket, ...]
    decisions: tuple[ShownDecision, ...]
    shoe: ShownShoe
    devices: tuple[ShownDevice, ...]
    acts: tuple[ManagerAct, ...]
    cases: tuple[CaseToDecide, ...] = ()  # open cases about rounds that are over, the oldest first
    halted_since: str | None = None
    players: str = ""  # message that players see while the round is paused or the table halted
    dealers: tuple[str, ...] = ()  # names and ids of the present dealer and of the dealer of the round
    dismissals: tuple[str, ...] = ()  # reasons for dismissing a case, to choose from; none is preselected


def manager(snapshot: TableSnapshot, words: Words) -> ManagerScreen:
    """Compose the shift manager's screen from the table's current state."""
    screen, cases = _compose(snapshot, words), cases_to_decide(snapshot.state, words)
    screen = replace(screen, dealers=dealers_of(snapshot.state))
    since = None if snapshot.halted is None else to_text(snapshot.halted_at)
    dismissals = tuple(map(words.say, DISMISSALS)) if cases else ()
    players = message_while_stopped(snapshot, words)
    return replace(screen, cases=cases, halted_since=since, dismissals=dismissals, players=players)


def _compose(snapshot: TableSnapshot, words: Words) -> ManagerScreen:
    """Compose the screen without open cases about earlier rounds, dealers, and the message to players."""
    state, game, about = snapshot.state, snapshot.house.game, at_fault(snapshot)
    return ManagerScreen(
        table=state.table,
        layout=game.face.layout,
        title=title(game),
        round=round_name(snapshot, words),
        life=life(snapshot),
        says=life_text(snapshot, words),
        dealer=state.dealer,
        open=_open_text(snapshot, words),
        flags=(*flags(snapshot, words), *_exposure_flags(snapshot, words)),
        next=manager_step(snapshot, words),
        result=_result(snapshot, words),
        last=tuple(_last_rounds(snapshot, words)) if snapshot.halted is None else (),
        clock=clock(snapshot),
        fault=open_fault(snapshot, about, ManagerWords(words)),
        places=places(snapshot, words, state.round, shown_results(snapshot), about),
        draws=draw_numbers(snapshot),
        loose=loose_cards(state, about.strays, words),
        deck=suits(snapshot.house.deck, words),
        lays=named_places(game, words),
        bets=_bets(snapshot, words),
        markets=staked_markets(snapshot, words),
        decisions=tuple(_decisions(snapshot, words)),
        shoe=_shoe(snapshot, words),
        devices=_devices(snapshot, words),
        acts=acts(snapshot, words),
    )


def life(snapshot: TableSnapshot) -> str:
    """Life of the round; "halted" if nothing can be recorded."""
    return "halted" if snapshot.halted is not None else snapshot.state.life


def life_text(snapshot: TableSnapshot, words: Words) -> str:
    """Life of the round in words; for a closed table without a live round, that the table is closed."""
    if snapshot.halted is None and snapshot.state.life in RESTING and not snapshot.state.open:
        return words.say(m.TABLE_CLOSED)
    return words.say(terms.LIVES[life(snapshot)])


def _open_text(snapshot: TableSnapshot, words: Words) -> str:
    """Whether the table is open, or closes after its live round; empty at a halted table."""
    if snapshot.halted is not None:
        return ""
    if snapshot.state.open:
        return words.say(m.TABLE_OPEN)
    return words.say(m.TABLE_CLOSES if snapshot.live else m.TABLE_CLOSED)


def manager_step(snapshot: TableSnapshot, words: Words) -> NextStep:
    """Next step at the table; if the table is halted, what to do about the record."""
    return next_step(snapshot, words) if snapshot.halted is None else _halted_step(snapshot.halted, words)


def _halted_step(reason: CodedMessage | str, words: Words) -> NextStep:
    """Instruction for a record that cannot be written. `reason`: the table's reason."""
    cause = words.say(m.FOR_ENGINEER).format(reason=render(reason, words.say))
    return NextStep(words.say(m.HALTED), f"{words.say(m.HALTED_TEXT)}\n{cause}", "halted")


def _result(snapshot: TableSnapshot, words: Words) -> str:
    """Result of a round that is complete or over, with remarks such as pairs; empty before, and at a halted table."""
    if snapshot.halted is not None:
        return ""
    if snapshot.state.is_void:
        return cancelled_round_text(snapshot, words, snapshot.state.round.number)
    outcome = snapshot.state.round.outcome
    return _line(snapshot, outcome, words, settled_hands(snapshot.state)) if outcome else ""


def _line(snapshot: TableSnapshot, outcome: Mapping[str, Any], words: Words, lying: Lying) -> str:
    game = snapshot.house.game
    return " · ".join((sentence(game, outcome, words, lying), *remarks(game, outcome, words)))


def _last_rounds(snapshot: TableSnapshot, words: Words) -> Iterator[LastRound]:
    lines = {ended.round: _line(snapshot, ended.outcome, words, ended.lying) for ended in snapshot.results[-LAST - 1 :]}
    lines |= {void.round: cancelled_round_text(snapshot, words, void.round) for void in snapshot.voids}
    lines.pop(snapshot.state.round.number, None)
    for number in sorted(lines, reverse=True)[:LAST]:
        yield LastRound(number, lines[number])


def _bets(snapshot: TableSnapshot, words: Words) -> str:
    """Number and sum of the bets, and most that they can win while the round is live."""
    round_, currency = snapshot.state.round, snapshot.house.currency
    if not round_.bets:
        return ""
    text = f"{len(round_.bets)} · {money(round_.bets.total, currency)}"
    most = exposure(snapshot.house.game, round_, currency) if snapshot.live else None
    return text if most is None else f"{text} · {words.say(m.EXPOSURE).format(most=money(most, currency))}"


def _exposure_flags(snapshot: TableSnapshot, words: Words) -> Iterator[Flag]:
    """Notice that the bets can win more than the table's warning limit, once the warning was recorded."""
    above = snapshot.state.round.terms.exposure_warning
    if snapshot.live and snapshot.state.round.exposed and isinstance(above, int):
        yield Flag("warning", words.say(m.EXPOSED).format(above=money(above, snapshot.house.currency)))


def _decisions(snapshot: TableSnapshot, words: Words) -> Iterator[ShownDecision]:
    asking = snapshot.state.round.asking
    waiting = [] if asking is None else asking.undecided
    choices = decisions(snapshot.state.round)
    for who in [*waiting, *(one for one in choices if one not in waiting)]:
        name = place_name(who, words) if who in snapshot.house.game.places else who
        yield ShownDecision(
            name, ", ".join(decision(snapshot.house.game, one, words) for one in choices.get(who, [])), who in waiting
        )


def _shoe(snapshot: TableSnapshot, words: Words) -> ShownShoe:
    shoe = snapshot.state.shoe
    if shoe.changing:
        return ShownShoe(words.say(m.SHOE_CHANGING), "", ())
    marks = tuple(words.say(m.MARKS[name]) for name in ("cut", "shuffled", "suspect") if getattr(shoe, name))
    deck = (words.say(m.DECK).format(id=shoe.deck),) if shoe.deck else ()
    left = words.say(m.CARDS_LEFT).format(left=shoe.shown_cards_left, size=shoe.size)
    return ShownShoe(words.say(m.SHOE).format(id=shoe.id), left, (*deck, *marks))


def _devices(snapshot: TableSnapshot, words: Words) -> tuple[ShownDevice, ...]:
    """Devices in the config, and any others that have been lost."""
    lost = [name for name in snapshot.state.lost if name in terms.DEVICES]
    names = dict.fromkeys([*snapshot.equipment.devices, *lost])
    return tuple(ShownDevice(name, words.say(terms.DEVICES[name]), name in lost) for name in names)
