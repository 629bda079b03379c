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
from ...core.hands import decisions, is_void, settled_hands
from ...core.life import RESTING
from ...rules.face import Layout
from ...text import terms
from ...text.coded import render
from ...text.faults import Words
from ...text.money import money
from ...text.naming import CardFace, decision, market_name, place_name, title
from ...text.results import Lying, remarks, sentence
from . import manager_texts as m
from .at_fault import at_fault
from .dealer import Flag, flags, round_name
from .look import Look
from .lying_cards import Loose, Named, draw_numbers, loose_cards, named_places, suits
from .manager_acts import ManagerAct, acts
from .manager_fault import ShownFault, open_fault
from .manager_words import ManagerWords
from .next_step import Next, next_step
from .open_cases import CaseToDecide, cases_to_decide
from .places import ScreenPlace, places, shown_results
from .player import told_while_stopped
from .resettling_texts import DISMISSALS
from .timing import TimeLeft, clock
from .voided import voided

MARKETS = 12  # markets that are shown: those with the largest stakes
LAST = 5  # past rounds that are shown


class StakedOnMarket(Struct, frozen=True):
    """Bets of one market: their count and total."""

    market: str
    count: int
    total: str


class ShownDecision(Struct, frozen=True):
    """Decision of one participant; `asked` is true if it is still open."""

    who: str
    said: str
    asked: bool


class Last(Struct, frozen=True):
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
    next: Next
    result: str  # result of the round, in one line
    last: tuple[Last, ...]  # earlier rounds, the latest first
    clock: TimeLeft | None
    fault: ShownFault | None
    places: tuple[ScreenPlace, ...]
    draws: dict[str, tuple[int, ...]]  # numbers of the cards of each hand, in their order
    loose: tuple[Loose, ...]
    deck: tuple[tuple[CardFace, ...], ...]  # every card of the deck, a row for each suit
    lays: tuple[Named, ...]  # places where a card can lie
    bets: str  # number and total of the bets
    markets: tuple[StakedOnMarket, ...]
    decisions: tuple[ShownDecision, ...]
    shoe: ShownShoe
    devices: tuple[ShownDevice, ...]
    acts: tuple[ManagerAct, ...]
    cases: tuple[CaseToDecide, ...] = ()  # open cases about rounds that are over, the oldest first
    halted_since: str | None = None
    players: str = ""  # message that players see while the round is paused or the table halted
    dismissals: tuple[str, ...] = ()  # reasons for dismissing a case, to choose from; none is preselected


def manager(look: Look, words: Words) -> ManagerScreen:
    """Compose the shift manager's screen from the table's current state."""
    screen, cases = _present(look, words), cases_to_decide(look.state, words)
    since = None if look.halted is None else to_text(look.halted_at)
    dismissals = tuple(map(words.say, DISMISSALS)) if cases else ()
    players = told_while_stopped(look, words)
    return replace(screen, cases=cases, halted_since=since, dismissals=dismissals, players=players)


def _present(look: Look, words: Words) -> ManagerScreen:
    """Compose the screen without open cases about earlier rounds, and without the message to players."""
    state, game, about = look.state, look.house.game, at_fault(look)
    return ManagerScreen(
        table=state.table,
        layout=game.face.layout,
        title=title(game),
        round=round_name(look, words),
        life=life(look),
        says=life_text(look, words),
        dealer=state.dealer,
        open="" if look.halted is not None else words.say(m.TABLE_OPEN if state.open else m.TABLE_CLOSED),
        flags=(*flags(look, words), *_exposed(look, words)),
        next=next_of(look, words),
        result=_result(look, words),
        last=tuple(_last(look, words)) if look.halted is None else (),
        clock=clock(look),
        fault=open_fault(look, about, ManagerWords(words)),
        places=places(look, words, state.round, shown_results(look), about),
        draws=draw_numbers(state),
        loose=loose_cards(state, about.strays, words),
        deck=suits(look.house.deck, words),
        lays=named_places(game, words),
        bets=_bets(look, words),
        markets=tuple(_markets(look, words)),
        decisions=tuple(_decisions(look, words)),
        shoe=_shoe(look, words),
        devices=_devices(look, words),
        acts=acts(look, words),
    )


def life(look: Look) -> str:
    """Life of the round; "halted" if nothing can be recorded."""
    return "halted" if look.halted is not None else look.state.life


def life_text(look: Look, words: Words) -> str:
    """Life of the round in words; for a closed table without a live round, that the table is closed."""
    if look.halted is None and look.state.life in RESTING and not look.state.open:
        return words.say(m.TABLE_CLOSED)
    return words.say(terms.LIVES[life(look)])


def next_of(look: Look, words: Words) -> Next:
    """Next step at the table; if the table is halted, what to do about the record."""
    return next_step(look, words) if look.halted is None else _halted(look.halted, words)


def _halted(reason: CodedMessage | str, words: Words) -> Next:
    """Instruction for a record that cannot be written. `reason`: the table's reason."""
    cause = words.say(m.FOR_ENGINEER).format(reason=render(reason, words.say))
    return Next(words.say(m.HALTED), f"{words.say(m.HALTED_TEXT)}\n{cause}", "halted")


def _result(look: Look, words: Words) -> str:
    """Result of a round that is complete or over, with remarks such as pairs; empty before, and at a halted table."""
    if look.halted is not None:
        return ""
    if is_void(look.state):
        return voided(look, words, look.state.round.number)
    outcome = look.state.round.outcome
    return _line(look, outcome, words, settled_hands(look.state)) if outcome else ""


def _line(look: Look, outcome: Mapping[str, Any], words: Words, lying: Lying) -> str:
    game = look.house.game
    return " · ".join((sentence(game, outcome, words, lying), *remarks(game, outcome, words)))


def _last(look: Look, words: Words) -> Iterator[Last]:
    lines = {ended.round: _line(look, ended.outcome, words, ended.lying) for ended in look.results[-LAST - 1 :]}
    lines |= {void.round: voided(look, words, void.round) for void in look.voids}
    lines.pop(look.state.round.number, None)
    for number in sorted(lines, reverse=True)[:LAST]:
        yield Last(number, lines[number])


def _bets(look: Look, words: Words) -> str:
    """Number and sum of the bets, and most that they can win while the round is live."""
    round_, currency = look.state.round, look.house.currency
    if not round_.bets:
        return ""
    told = f"{len(round_.bets)} · {money(round_.bets.total, currency)}"
    most = exposure(look.house.game, round_, currency) if look.state.live else None
    return told if most is None else f"{told} · {words.say(m.EXPOSURE).format(most=money(most, currency))}"


def _exposed(look: Look, words: Words) -> Iterator[Flag]:
    """Notice that the bets can win more than the table's warning limit, once the warning was recorded."""
    above = look.state.round.terms.exposure_warning
    if look.state.live and look.state.round.exposed and isinstance(above, int):
        yield Flag("warning", words.say(m.EXPOSED).format(above=money(above, look.house.currency)))


def _markets(look: Look, words: Words) -> Iterator[StakedOnMarket]:
    staked, game = look.state.round.bets.staked, look.house.game
    for spot in sorted(staked, key=lambda spot: -staked[spot].total)[:MARKETS]:
        total = money(staked[spot].total, look.house.currency)
        yield StakedOnMarket(market_name(game, spot, words), staked[spot].bets, total)


def _decisions(look: Look, words: Words) -> Iterator[ShownDecision]:
    asking = look.state.round.asking
    waiting = [] if asking is None else [who for who in asking.who if who not in asking.decided]
    made = decisions(look.state.round)
    for who in [*waiting, *(one for one in made if one not in waiting)]:
        name = place_name(who, words) if who in look.house.game.places else who
        yield ShownDecision(
            name, ", ".join(decision(look.house.game, one, words) for one in made.get(who, [])), who in waiting
        )


def _shoe(look: Look, words: Words) -> ShownShoe:
    shoe = look.state.shoe
    if shoe.changing:
        return ShownShoe(words.say(m.SHOE_CHANGING), "", ())
    marks = tuple(words.say(m.MARKS[name]) for name in ("cut", "shuffled", "suspect") if getattr(shoe, name))
    deck = (words.say(m.DECK).format(id=shoe.deck),) if shoe.deck else ()
    left = words.say(m.CARDS_LEFT).format(left=shoe.shown_left, size=shoe.size)
    return ShownShoe(words.say(m.SHOE).format(id=shoe.id), left, (*deck, *marks))


def _devices(look: Look, words: Words) -> tuple[ShownDevice, ...]:
    """Devices in the config, and any others that have been lost."""
    lost = [name for name in look.state.lost if name in terms.DEVICES]
    known = dict.fromkeys([*look.fitted.devices, *lost])
    return tuple(ShownDevice(name, words.say(terms.DEVICES[name]), name in lost) for name in known)
