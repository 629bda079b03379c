"""Games with seats: the player a bet belongs to, decisions of a seat, and tables with no seat taken."""

from fractions import Fraction

import pytest

from controller.core import events as e
from controller.core.decide import decide
from controller.core.house import House
from controller.core.position import Position
from controller.core.state import State
from controller.rules.cards import FULL_DECK, Deck
from controller.rules.game import FollowOn, Game, Market, Prize
from controller.rules.procedure import Hand, Outcome, Settings, ask, deal

SEATS = ("seat1", "seat2", "seat3")


class High(Outcome, frozen=True):
    """Outcome of the toy game: the seats that were dealt an ace."""

    aces: list[str]


def play(_, participants):
    hands = [Hand(seat) for seat in participants.seats]
    yield from deal(*hands)
    for hand in hands:
        decisions = yield from ask([hand.place], "stand", "double", default="stand")
        if decisions[hand.place] == "double":
            yield from ask([f"{hand.place}.2"], "stand", "double", default="stand")
    return High([hand.place for hand in hands if hand.cards[0][0] == "A"])


def pay(outcome, stake):
    if stake.market == "jackpot":
        return Prize(500) if stake.seat in outcome.aces else Fraction(0)
    return Fraction(2) if stake.seat.split(".")[0] in outcome.aces else Fraction(0)


TOY = Game(
    name="toy",
    version="1",
    places=SEATS,
    settings=Settings,
    deck=lambda _: Deck(FULL_DECK),
    procedure=play,
    outcome=High,
    markets=(Market("main"), Market("jackpot", needs="main")),
    pay=pay,
    joins="main",
    follow_ons={"double": FollowOn("double", of="main", times=Fraction(1, 2))},
    seats=SEATS,
)


class Toy:
    """Table of the toy game with bets open."""

    def __init__(self) -> None:
        self.house, self.position, self.state, self.records = (
            House(TOY, Settings()),
            Position({"toy": TOY}),
            State(),
            [],
        )
        self.do(e.Begin("toy"), e.OpenTable("x"), e.DealerOn("d"), e.LoadShoe(), e.Open())

    def do(self, *events):
        for event in events:
            draft = decide(self.house, self.position, self.state, event, self.state.at + 1)
            self.state = draft.state
            self.records += draft.records
        return self

    def bet(self, player, market, stake=100):
        return self.do(e.PlaceBet(player, market, stake))

    @property
    def last(self):
        return self.records[-1].what

    def of(self, kind):
        return [record.what for record in self.records if record.kind == kind]


@pytest.mark.parametrize("market", ["main", "seat9 main", "seat1 side", "seat1  main", "main seat1", ""])
def test_a_bet_must_name_a_seat_and_its_market(market):
    assert Toy().bet("p1", market).last.reason == "unknown_market"


def test_a_player_may_hold_many_seats_a_seat_one_player():
    table = Toy().bet("p1", "seat1 main").bet("p1", "seat2 main").bet("p2", "seat1 main")
    assert [len(table.of("bet_accepted")), table.last.reason] == [2, "seat_taken"]


def test_a_side_bet_needs_its_seats_main_bet():
    table = Toy().bet("p1", "seat1 main").bet("p1", "seat2 jackpot")
    assert table.last.reason == "needs_bet"
    assert table.bet("p1", "seat1 jackpot").records[-1].kind == "bet_accepted"


def test_withdrawing_a_main_bet_withdraws_only_its_seats_side_bet():
    table = Toy().bet("p1", "seat1 main").bet("p1", "seat1 jackpot").bet("p1", "seat2 main").bet("p1", "seat2 jackpot")
    table.do(e.WithdrawBet("p1", "seat1 main"))
    assert {str(bet.spot) for bet in table.state.round.bets.values()} == {"seat2 main", "seat2 jackpot"}


def test_seats_are_dealt_to_in_their_order_whoever_bet_first():
    table = Toy().bet("p2", "seat3 main").bet("p1", "seat1 main").do(e.Close())
    assert table.state.round.joined.seats == ("seat1", "seat3")
    assert table.position.due(table.state).to == "seat1"


def test_a_round_without_a_seat_taken_is_cancelled_undealt():
    table = Toy().do(e.Close())
    assert (table.state.life, table.state.round.draws) == ("cancelled", ())


def test_each_seat_decision_stake_is_paid_on_its_own_line():
    table = Toy().bet("p1", "seat1 main", 101).bet("p1", "seat2 main", 300).do(e.Close())
    table.do(e.CardOut("AS"), e.CardOut("KS"), e.Choose("seat1", "double"), e.Choose("seat1.2", "double"))
    table.do(e.Choose("seat2", "stand"))
    paid = {what.market: (what.player, what.stake, what.returned) for what in table.of("paid")}
    assert paid == {
        "seat1 main": ("p1", 101, 202),
        "seat1 double": ("p1", 50, 100),
        "seat1.2 double": ("p1", 50, 100),
        "seat2 main": ("p1", 300, 0),
    }


def test_a_prize_is_an_amount_on_top_of_the_stake():
    table = Toy().bet("p1", "seat1 main").bet("p1", "seat1 jackpot", 250).do(e.Close(), e.CardOut("AS"))
    table.do(e.Choose("seat1", "stand"))
    assert [what.returned for what in table.of("paid") if what.market == "seat1 jackpot"] == [50250]


def test_a_correction_that_undoes_a_decision_returns_its_stake():
    table = Toy().bet("p1", "seat1 main").bet("p2", "seat2 main").do(e.Close(), e.CardOut("AS"), e.CardOut("KS"))
    table.do(e.Choose("seat1", "double"), e.KeyPressed("manager"), e.Rule("correct", "m", "x", draw=1, card="KS"))
    assert table.state.fault.code == "duplicate_card"  # draw 2 is the second king of spades: all after it is open again
    assert [what.market for what in table.of("bet_withdrawn")] == ["seat1 double"]
