"""A table at which anything may happen: chance picks the events, judges look at each of them and at its records.

About half of the events are what should come next, so that rounds get somewhere; the others are everything that can go
wrong. The judges know the rules of a table and nothing of how the core keeps them. (A stateful machine of hypothesis
stays in its first round: out of 200 examples none came to a settlement. A list of rolls does, and shrinks as well.)
"""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.offers import offered
from controller.rules.cards import FULL_DECK, JOKER
from controller.rules.procedure import Deal

from .bench import Bench, fresh

TABLES = (
    partial(Bench, "baccarat"),
    partial(Bench, "baccarat", confirm="dealer", unruled="cancel", telegram_loss="fault"),
    partial(Bench, "baccarat", {"betting_windows": 3, "decks": 1, "change_below": 6}, confirm="shoe", carry=True),
    partial(Bench, "baccarat", {"decks": 1, "change_below": 20}, panel_loss="fault", gone="keep"),
    partial(Bench, "casino_holdem", second_above=500),
    partial(Bench, "casino_holdem", {"burn_before_street": True}, confirm="dealer", reveal="dealer"),
    partial(Bench, "casino_holdem", {"deal_out_if_all_fold": True, "deal_order": "rounds"}, confirm="shoe"),
    partial(Bench, "thirty_two"),
    partial(Bench, "blackjack", {"decks": 1}),
    partial(Bench, "blackjack", {"every_round": False, "deal_order": "rounds", "split_second_card": "in_turn"}),
    partial(Bench, "rhum32", confirm="dealer"),
    partial(Bench, "baccarat", {"betting_windows": 3}, wrong_odds="lower", carry=True),
)
HIDING = (*TABLES[4:6], TABLES[8], TABLES[10])  # cards lie face down, and one deck is in play

PLAYERS = ("p1", "p2", "p1", "", "ß λ\n")
PLACES = (None, None, "player", "banker", "dealer", "board", "burn", "nowhere", "seat1", "player11")
MARKETS = (
    "player", "banker", "tie", "any_pair", "ante", "bonus", "ante", "call", "nothing", "player8", "seat1 main",
    "seat2 main", "seat1 ante", "seat1 tie", "seat3 ante", "seat3 insurance", "seat2 play", "seat9 main",
)  # fmt: skip
DECISIONS = ("call", "fold", "stand", "", "split", "double", "insure", "raise")
STAKES = (1000, 333, 1, 10**14, 2**70, 0, -5, None)
CHOICES = (None, None, None, "stand", "anew", "withdraw", "cancel")
SEEN = (False, False, True, None)
RULINGS = ("resume", "enter", "rescan", "correct", "move", "burn", "void", "carry", "deal", "cancel")
KEYS = (
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
    e.AcceptLoss("m", "", "e2"),
    e.Leave(), e.DealerOn(None), e.LoadShoe(id="S7", counted=311), e.ChangeShoe(left=40), e.ChangeShoe(reading=True),
    e.LoadShoe(id="S8", receipt="R1"), e.NewDeck(deck="D2"),
    e.Babbles("shoe", 700, 9), e.Babbles("panel", 700, 9), e.SetClock("2025-12-31T22:00:00.000000Z"),
    e.SetClock("2026-01-31T00:00:00.000000Z"),
)  # fmt: skip
REPORTS = (  # which come during a pause too
    e.Pressed("manager"), e.Pressed("dropped"), e.Pressed("exposed"), e.ShoeFails(7, "draw time-out"),
    e.ShoeFails(2, "overdraw"), e.ShoeSays("player"), e.ShoeSays("banker"), e.LostDevice("shoe"), e.FoundDevice("shoe"),
    e.LostDevice("panel"), e.TelegramsLost("5", "7"), e.JournalBack("disk full"), e.CardOut(None),
)  # fmt: skip

MEANWHILE = (  # while time passes
    e.Tick(), e.SignIn("anna", "10.0.0.7", "manager", "badge_pin", person="7"),
    e.BadSignIns(3, 1, 2, 4, ("7",), ("10.0.0.7",)), e.HandOver("anna", "bo", "9", 5, "see to the shoe", person="7"),
)  # fmt: skip

rolls = st.tuples(st.integers(0, 99), st.integers(0, 10**6))


def rounds(least):
    """Lists of rolls, at least so many."""
    return st.lists(rolls, min_size=least, max_size=least + 40)


def whatever_happens(tables, examples, least):
    """A test at each of these tables, on so many lists of at least so many rolls."""

    def of(test):
        drawn = settings(max_examples=examples)(given(rolled=rounds(least))(test))
        return pytest.mark.parametrize("table", tables, ids=range(len(tables)))(drawn)

    return of


class Judge:
    """Looks at every event: the state before, what happened, its records, the state after."""

    def __init__(self, bench):
        self.bench = bench

    def look(self, before, event, records, after):
        """Raise AssertionError if a rule was broken."""
        raise NotImplementedError


def play(table, judges, rolled):
    """A table at which this happens, under the eyes of these judges."""
    bench = table()
    bench.judges = [judge(bench) for judge in judges]
    for what, how in rolled:
        happen(bench, what, how)
    return bench


def happen(bench, what, how):
    """One roll: what should come, or something else."""
    if what < 55:
        bench.do(*as_it_should(bench, how))
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


def as_it_should(bench, how):
    """What should come next at this table."""
    state, due = bench.state, bench.due
    match state.life:
        case "paused":
            return [REPORTS[how // 5 % len(REPORTS)] if how % 5 == 0 else allowed_ruling(bench, how)]
        case "betting":
            named = state.round.number if how % 2 else None
            return [e.PlaceBet(PLAYERS[how % 5], a_market(bench, how), 500, round=named) if how % 3 else e.Close()]
        case "deciding":
            asking = state.round.asking
            options = (asking.options[0], *asking.options)
            named = asking.seq if how % 2 else None
            return [e.Choose(asking.who[how % len(asking.who)], options[how // 7 % len(options)], named)]
        case "dealing":
            return [e.CardOut(new(bench, how)) if isinstance(due, Deal) else e.Pressed("finish")]
        case "complete":
            return [e.Pressed("finish") if how % 2 else e.ShoeSays(str(state.round.outcome.get("winner")))]
    return beginning(bench, how)


def a_market(bench, how):
    """A market of the game that needs no other, with a seat where it has seats."""
    game = bench.house.game
    markets = [market.name for market in game.markets if market.needs is None]
    market = markets[how // 5 % len(markets)]
    return f"{game.seats[how // 5 % 3]} {market}" if game.seats else market


def new(bench, how):
    """A card of the deck in play that has not come in this round."""
    return fresh(bench.state, how, bench.house.deck.cards)


def beginning(bench, how):
    """All that a round needs, and its opening."""
    state = bench.state
    needs = [*map(e.Checked, state.doubts), e.OpenTable("m"), e.DealerOn("dealer")]
    needs += [e.FoundDevice("shoe"), e.FoundDevice("server")]
    if state.shoe.cut or state.shoe.changing or state.shoe.suspect or how % 20 == 0:
        away = e.ChangeShoe(reading=how % 40 == 0, left=how % 60 if how % 3 == 0 else None)
        needs += [away, e.CardOut(new(bench, how)), e.LoadShoe()]
    elif state.shoe.size - state.shoe.out < bench.house.deck.change_below:
        needs.append(e.LoadShoe())
    if bench.house.deck.every_round:
        needs.append(e.NewDeck())
    return [*needs, e.ShoeStandsBy(), e.Open()]


def allowed_ruling(bench, how):
    """A ruling that the fault allows, mostly one that fits."""
    state, due = bench.state, bench.due
    can = offered(state, due)
    rulings = can if how % 3 == 0 else [one for one in can if one != "cancel"]
    ruling = rulings[how % len(rulings)] if rulings else "cancel"
    place = due.to if isinstance(due, Deal) else bench.house.game.places[0]
    draw = None if how % 4 and state.fault.draw else how // 4 % (len(state.round.draws) + 1)
    said = (None, "deck" if how % 5 else None, CHOICES[how // 3 % 7], SEEN[how // 5 % 4])
    second = "bea" if how % 7 else None
    return e.Rule(ruling, "manager", typed(bench, how), draw, new(bench, how), place, *said, second)


def any_ruling(bench, how):
    """A ruling with arguments from anywhere."""
    draws = (None, 1, 2, 3, 4, 5, 6, 0, -1, 999)
    cards = (None, JOKER, *FULL_DECK, *(draw.card for draw in bench.state.round.draws))
    by = {0: "dealer", 1: "ANNA"}.get(how % 7, "manager")
    fault = (None, None, None, 0, 1, 10**9)[how // 3 % 6]
    second = (None, None, "bea", "MANAGER", "dealer")[how // 23 % 5]
    said = (fault, None, CHOICES[how // 17 % 7], SEEN[how // 19 % 4], second)
    fields = (draws[how // 5 % 10], cards[how // 11 % len(cards)], PLACES[how // 13 % len(PLACES)], *said)
    return e.Rule(RULINGS[how % 10], by, typed(bench, how), *fields)


def typed(bench, how):
    """What a manager gives as a reason: now and then it names a card on the table."""
    cards = [draw.card for draw in bench.state.round.draws if draw.card] if how % 3 == 0 else []
    return f"it was the {cards[how // 3 % len(cards)]}" if cards else "seen on camera"


def a_card(bench, how):
    """Any card: one that came before, an unread one, a joker, one at some place."""
    came = [draw.card for draw in bench.state.round.draws]
    cards = (new(bench, how), None, JOKER, *(came or [None]), FULL_DECK[how % 52])
    return e.CardOut(cards[how // 8 % len(cards)], PLACES[how % len(PLACES)], (None, None, 1, 2, 3)[how // 11 % 5])


def a_bet(bench, how):
    """Any bet."""
    stake = STAKES[how // 91 % len(STAKES)]
    return e.PlaceBet(PLAYERS[how % 5], MARKETS[how // 5 % len(MARKETS)], stake, a_round(bench, how))


def a_round(bench, how):
    """The round that is on, the one before, the next, or none."""
    number = bench.state.round.number
    return (None, number, None, number - 1, number + 1)[how // 3 % 5]


def a_question(bench, how):
    """The question that is open, another, or none."""
    asking = bench.state.round.asking
    return (None, asking and asking.seq, 7, bench.state.seq)[how // 3 % 4]


SURPRISES = (
    any_ruling,
    any_ruling,
    lambda bench, how: allowed_ruling(bench, how) if bench.state.fault else e.Pressed("manager"),
    a_card,
    a_bet,
    lambda bench, how: e.WithdrawBet(PLAYERS[how % 5], MARKETS[how // 5 % len(MARKETS)], a_round(bench, how)),
    lambda _, how: (e.LineBack, e.LineCut)[how % 2](PLAYERS[how // 2 % 5]),
    lambda bench, how: e.Choose(
        (*PLAYERS, "seat1", "seat2.2")[how % 7], DECISIONS[how // 7 % len(DECISIONS)], a_question(bench, how)
    ),
    lambda bench, how: (e.Open, e.Close)[how % 2]("server", a_round(bench, how)),
    lambda bench, how: e.NotAll(a_bet(bench, how), ("not_all", "seat_taken")[how % 2]),
    lambda _, how: e.NotAll((e.Open(), e.LineCut("p1"), e.Choose("p1", "call"))[how % 3], ("not_all", None)[how % 2]),
    lambda _, how: e.Pressed(KEYS[how % len(KEYS)]),
    lambda _, how: e.ShoeSays(("player", "banker", "tie", "dealer", "")[how % 5]),
    lambda _, how: SOMETHING[how % len(SOMETHING)],
    lambda _, how: SOMETHING[how % len(SOMETHING)],
)
