"""Table with random events: a list of rolls picks them, and judges check each one.

About half of the events are those that should come next, so that rounds make progress; the others are all kinds of
errors. The judges know the rules of a table, but not how the core keeps them.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ...core import events as e
from ...core.bounds import MOST_STAKE
from ...core.clock import SECOND
from ...core.offers import possible_rulings
from ...core.reached_limit import ReachedLimit
from ...core.spot import Spot
from ...rules.cards import FULL_DECK, JOKER, Card
from ...rules.game import Game
from ...rules.procedure import Deal
from .bench import Bench, undealt_card
from .judge import Judge

Roll = tuple[int, int]  # kind of the event, 0 to 99, and a number that selects one of this kind

PLAYERS = ("p1", "p2", "p1", "", "ß λ\n")
STAKES = (1000, 333, 1, MOST_STAKE, 2**70, 0, -5, None)
CHOICES = (None, None, None, "stand", "anew", "withdraw", "cancel")
SEEN = (False, False, True, None)
CHOOSING = ("correct", "move", "burn", "void", "carry")  # rulings that affect decisions and bets
RULINGS = (
    "resume", "enter", "rescan", "correct", "move", "burn", "void", "carry", "deal", "void_hand", "cancel", "extend"
)  # fmt: skip
FOUND: Any = (  # verdicts on bets in a refused list: reason, and in some window, odds and limit
    ("not_all",),
    ("seat_taken",),
    ("not_all",),
    ("limit_reached", 1, "1.95", ReachedLimit("player", None, 1000, 400)),
)
KEYS: Any = (
    "open", "close", "finish", "manager", "manager", "dropped", "exposed", "shuffled", "change", "cut", "ready", "leave"
)  # fmt: skip
SOMETHING = (
    e.CutCardOut(), e.NewDeck(), e.ShoeStandsBy(), e.ShoeFails(7, "draw time-out"), e.ChangeShoe(), e.LoadShoe(),
    e.CutShoe(),
    e.CloseTable("m"), e.DealerOn("anna", "m", "7", person="3"), e.Acknowledge("manager"),
    e.Acknowledge("m", 3, person="7"), e.JournalBack("disk full"),
    e.Open("server"), e.Close("server"), e.LostDevice("shoe"), e.LostDevice("panel"), e.FoundDevice("shoe"),
    e.FoundDevice("panel"), e.LostDevice("server"), e.FoundDevice("server"), e.TelegramsLost("2", "4"),
    e.Checked("chain", 3, "changed"), e.Checked("chain"), e.Checked("anchor", 7), e.Checked("anchor"),
    e.AcceptLoss("m", "", "e2"), e.BeginAnchor("m", "a new stick", "A2", apart=True), e.AnchorChecked(),
    e.AnchorChecked("lost", "it is not there"), e.AnchorChecked("required", "it is a copy"),
    e.WitnessAsked(), e.WitnessAsked(3, "no answer"),
    e.CountedStarts("no_dealer", 3, "2026-01-01T12:00:00.000000Z", "2026-01-01T12:00:05.000000Z"),
    e.Resettle(1, (e.Amendment("cancel"),), "m", "x", "n"), e.Resettle(2, (e.Amendment("resume"),), "m", "x", "n"),
    e.Resettle(1, (e.Amendment("correct", 2, "9H"),), "m", "x", "n", revision=1), e.Dismiss(40, "m", "x"),
    e.Leave(), e.DealerOn(None), e.LoadShoe(id="S7", counted=311), e.ChangeShoe(left=40), e.ChangeShoe(reading=True),
    e.LoadShoe(id="S8", receipt="R1"), e.NewDeck(deck="D2"),
    e.Babbles("shoe", 700, 9), e.Babbles("panel", 700, 9), e.SetClock("2025-12-31T22:00:00.000000Z"),
    e.SetClock("2026-01-31T00:00:00.000000Z"),
)  # fmt: skip
REPORTS = (  # events that can come during a pause, too
    e.KeyPressed("manager"), e.KeyPressed("dropped"), e.KeyPressed("exposed"), e.ShoeFails(7, "draw time-out"),
    e.ShoeFails(2, "overdraw"), e.ShoeSays("player"), e.ShoeSays("banker"), e.LostDevice("shoe"), e.FoundDevice("shoe"),
    e.LostDevice("panel"), e.TelegramsLost("5", "7"), e.JournalBack("disk full"), e.CardOut(None),
)  # fmt: skip

MEANWHILE = (  # events after the clock was moved
    e.Tick(), e.SignIn("anna", "10.0.0.7", "manager", "badge_pin", person="7"),
    e.BadSignIns(3, 1, 2, 4, ("7",), ("10.0.0.7",)),
    e.HandOverSaid("anna", "bo", "9", 5, "see to the shoe", person="7"),
)  # fmt: skip


def play(table: Callable[[], Bench], judges: Iterable[Callable[[Bench], Judge]], rolled: Iterable[Roll]) -> Bench:
    """Play these rolls at a new table; each judge looks at every event.

    Returns the bench. Raises AssertionError.
    """
    bench = table()
    bench.judges = [judge(bench) for judge in judges]
    for what, how in rolled:
        happen(bench, what, how)
    for judge in bench.judges:
        judge.end()
    return bench


def happen(bench: Bench, what: int, how: int) -> None:
    """Carry out one roll: the event that should come next, or any other one."""
    if what < 55:
        bench.do(*expected_events(bench, how))
    elif what < 65:
        bench.do(a_card(bench, how))
    elif what < 72:
        bench.now += (1, 500_000, 4 * SECOND, 15 * SECOND - 1, 15 * SECOND, 40 * SECOND)[how % 6]
        bench.do(MEANWHILE[how // 6 % len(MEANWHILE)])
    elif what < 75:
        bench.now += how % 3 * 10 * SECOND
        bench.restart()
    else:
        bench.do(SURPRISES[what % len(SURPRISES)](bench, how))


def expected_events(bench: Bench, how: int) -> list[e.Event]:
    """Events that should come next at this table."""
    state: Any = bench.state
    due = bench.due
    match state.life:
        case "paused":
            return [REPORTS[how // 5 % len(REPORTS)] if how % 5 == 0 else allowed_ruling(bench, how)]
        case "betting":
            meant = state.round.number if how % 2 else None, state.round.window if how % 4 > 1 else None
            bet = e.PlaceBet(PLAYERS[how % 5], a_market(bench, how), 500, *meant)
            return [bet if how % 3 else e.Close("dealer", *meant)]
        case "deciding":
            asking = state.round.asking
            options = (asking.options[0], *asking.options)
            named = asking.seq if how % 2 else None
            return [e.Choose(asking.who[how % len(asking.who)], options[how // 7 % len(options)], named)]
        case "dealing":
            return [e.CardOut(undealt_card_in_play(bench, how)) if isinstance(due, Deal) else e.KeyPressed("finish")]
        case "complete":
            return [e.KeyPressed("finish") if how % 2 else e.ShoeSays(str(state.round.outcome.get("winner")))]
    return opening_events(bench, how)


def a_market(bench: Bench, how: int) -> str:
    """Market of the game that needs no other bet, with a seat in a seated game."""
    game = bench.house.game
    markets = [market.name for market in game.markets if market.needs is None]
    market = markets[how // 5 % len(markets)]
    return f"{game.seats[how // 5 % 3]} {market}" if game.seats else market


def undealt_card_in_play(bench: Bench, how: int) -> Card:
    """Card of the deck in play that has not been dealt in this round."""
    return undealt_card(bench.state, how, bench.house.deck.cards)


def opening_events(bench: Bench, how: int) -> list[e.Event]:
    """Events that prepare a round and open it."""
    state = bench.state
    needs: list[e.Event] = [*map(e.Checked, state.doubts), e.AnchorChecked(), e.OpenTable("m"), e.DealerOn("dealer")]
    needs += [e.FoundDevice("shoe"), e.FoundDevice("server")]
    if state.shoe.cut or state.shoe.changing or state.shoe.suspect or how % 20 == 0:
        away = e.ChangeShoe(reading=how % 40 == 0, left=how % 60 if how % 3 == 0 else None)
        cut = ([e.CutShoe()], [e.SkipCut(because="cut before")], [])[how % 3]
        needs += [away, e.CardOut(undealt_card_in_play(bench, how)), *cut, e.LoadShoe()]
    elif state.shoe.size - state.shoe.out < bench.house.deck.change_below:
        needs.append(e.LoadShoe())
    if bench.house.deck.every_round:
        needs.append(e.NewDeck())
    return [*needs, e.ShoeStandsBy(), e.Open()]


def allowed_ruling(bench: Bench, how: int) -> e.Rule:
    """Ruling that the fault allows, mostly with fitting arguments."""
    state: Any = bench.state
    due = bench.due
    can = possible_rulings(state, due)
    rulings: Any = can if how % 3 == 0 else [one for one in can if one != "cancel"]
    ruling: Any = rulings[how % len(rulings)] if rulings else "cancel"
    place = due.to if isinstance(due, Deal) else bench.house.game.places[0]
    draw = None if how % 4 and state.fault.draw else how // 4 % (len(state.round.draws) + 1)
    if ruling == "void_hand":
        place = bench.house.game.seats[how // 5 % 3]
    second, choice = "bea" if how % 7 else None, CHOICES[how // 3 % 7] if ruling in CHOOSING else None
    details: Any = (None, "deck" if how % 5 else None, choice, SEEN[how // 5 % 4], second)
    return e.Rule(ruling, "manager", ruling_reason(bench, how), draw, undealt_card_in_play(bench, how), place, *details)


def any_ruling(bench: Bench, how: int) -> e.Rule:
    """Ruling with arbitrary arguments, mostly wrong ones."""
    draws = (None, 1, 2, 3, 4, 5, 6, 0, -1, 999)
    cards = (None, JOKER, *FULL_DECK, *(draw.card for draw in bench.state.round.draws))
    by = {0: "dealer", 1: "ANNA"}.get(how % 7, "manager")
    fault = (None, None, None, 0, 1, 10**9)[how // 3 % 6]
    second = (None, None, "bea", "MANAGER", "dealer")[how // 23 % 5]
    details = fault, None, CHOICES[how // 17 % 7], SEEN[how // 19 % 4], second
    places = places_to_name(bench.house.game)
    fields: Any = (draws[how // 5 % 10], cards[how // 11 % len(cards)], places[how // 13 % len(places)], *details)
    ruling: Any = RULINGS[how % len(RULINGS)]
    return e.Rule(ruling, by, ruling_reason(bench, how), *fields)


def ruling_reason(bench: Bench, how: int) -> str:
    """Reason that a manager types; sometimes it names a card on the table."""
    cards = [draw.card for draw in bench.state.round.draws if draw.card] if how % 3 == 0 else []
    return f"it was the {cards[how // 3 % len(cards)]}" if cards else "seen on camera"


def a_card(bench: Bench, how: int) -> e.CardOut:
    """Arbitrary card: one that was dealt before, an unread one, a joker, or one at some place."""
    past_cards, places = [draw.card for draw in bench.state.round.draws], places_to_name(bench.house.game)
    cards = (undealt_card_in_play(bench, how), None, JOKER, *(past_cards or [None]), FULL_DECK[how % 52])
    return e.CardOut(cards[how // 8 % len(cards)], places[how % len(places)], (None, None, 1, 2, 3)[how // 11 % 5])


def a_bet(bench: Bench, how: int) -> e.PlaceBet:
    """Arbitrary bet, valid or not."""
    stake, markets = STAKES[how // 91 % len(STAKES)], spots(bench.house.game)
    player, market = PLAYERS[how % 5], markets[how // 5 % len(markets)]
    odds = (None, None, bench.state.round.odds.get(Spot.parse(market).market), "1.50", "9.99")[how // 7 % 5]
    return e.PlaceBet(player, market, stake, a_round(bench, how), a_window(bench, how), odds)


def a_choice(bench: Bench, how: int) -> e.Choose:
    """Arbitrary decision of an arbitrary player."""
    asking = bench.state.round.asking
    words = (*(asking.options if asking else ()), *bench.house.game.follow_ons, "", "anything")
    return e.Choose((*PLAYERS, "seat1", "seat2.2")[how % 7], words[how // 7 % len(words)], a_question(bench, how))


@cache
def spots(game: Game) -> tuple[str, ...]:
    """Names of markets, at three seats in a seated game, with some that do not exist."""
    names = [market.name for market in game.markets]
    wrong = [*(added.market for added in game.follow_ons.values()), "nothing"]
    if not game.seats:
        return (*names, *wrong, f"seat1 {names[0]}")
    seated = (f"{seat} {name}" for seat in game.seats[:3] for name in [*names, *wrong])
    return (*seated, f"seat9 {names[0]}", names[0])


@cache
def places_to_name(game: Game) -> tuple[str | None, ...]:
    """Places that a shoe or a ruling may name for a card; mostly none."""
    return (None, None, None, *game.places[:8], "burn", "nowhere")


def a_round(bench: Bench, how: int) -> int | None:
    """Number of the present, previous or next round, or None."""
    number = bench.state.round.number
    return (None, number, None, number - 1, number + 1)[how // 3 % 5]


def a_window(bench: Bench, how: int) -> int | None:
    """Number of the present, previous or next betting window, or None."""
    window = bench.state.round.window
    return (None, window, None, window - 1, window + 1)[how // 11 % 5]


def a_question(bench: Bench, how: int) -> int | None:
    """Number of the open question, of another record, or None."""
    asking = bench.state.round.asking
    return (None, asking.seq if asking else None, 7, bench.state.seq)[how // 3 % 4]


SURPRISES = (
    any_ruling,
    any_ruling,
    lambda bench, how: allowed_ruling(bench, how) if bench.state.fault else e.KeyPressed("manager"),
    a_card,
    a_bet,
    lambda bench, how: e.WithdrawBet(
        PLAYERS[how % 5], a_bet(bench, how).market, a_round(bench, how), a_window(bench, how)
    ),
    lambda bench, how: (e.LineBack, e.LineCut)[how % 2](
        PLAYERS[how // 2 % 5], a_round(bench, how) if how % 7 == 0 else None
    ),
    a_choice,
    lambda bench, how: (
        e.Close("server", a_round(bench, how), a_window(bench, how))
        if how % 2
        else e.Open("server", a_round(bench, how))
    ),
    lambda bench, how: e.NotAll(a_bet(bench, how), *FOUND[how % len(FOUND)]),
    lambda _, how: e.NotAll((e.Open(), e.LineCut("p1"), e.Choose("p1", "call"))[how % 3], ("not_all", None)[how % 2]),
    lambda _, how: e.KeyPressed(KEYS[how % len(KEYS)]),
    lambda _, how: e.ShoeSays(("player", "banker", "tie", "dealer", "")[how % 5]),
    lambda _, how: SOMETHING[how % len(SOMETHING)],
    lambda _, how: SOMETHING[how % len(SOMETHING)],
)
