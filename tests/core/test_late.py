"""Late commands act on nothing: a bet for another round or window, a decision on another question."""

from controller.core import events as e
from controller.core import records as r

from .bench import Bench, kinds
from .chance import Judge

ROUND = "open; bet p1 tie 5.00; close; card 9C; card 2D; card KH; card 3S"
ASKED = "shuffled; open; bet p1 ante 10.00; bet p2 ante 10.00; close; " + "; ".join(
    f"card {card}" for card in ("AC", "7D", "KS", "QS", "2C", "9D", "TH")
)


def refused(records):
    """Return the reasons of refusal, one per record."""
    return [one.what.reason for one in records]


def question_numbers(table):
    return [record.seq for record in table.records if record.kind == "asked"]


def second_round(game="baccarat"):
    table = Bench(game)
    table.says(ROUND)
    table.says("open; bet p9 banker 1.00")
    return table


def test_a_late_bet_is_not_one_of_the_next_round():
    table = second_round()
    records = table.do(e.PlaceBet("p1", "tie", 500, round=1))
    assert (kinds(records), refused(records)) == (["bet_refused"], ["other_round"])
    assert kinds(table.do(e.PlaceBet("p1", "tie", 500, round=2))) == ["bet_accepted"]


def test_a_bet_on_a_future_round_is_refused():
    table = second_round()
    assert refused(table.do(e.PlaceBet("p1", "tie", 500, round=3))) == ["other_round"]


def test_a_bet_on_a_finished_round_is_refused_betting_closed():
    table = Bench()
    table.says(ROUND)
    assert refused(table.do(e.PlaceBet("p1", "tie", 500, round=1))) == ["betting_closed"]


def test_a_late_unbet_withdraws_no_stake_of_the_next_round():
    table = second_round()
    assert refused(table.do(e.WithdrawBet("p9", "banker", round=1))) == ["other_round"]
    assert kinds(table.do(e.WithdrawBet("p9", "banker", round=2))) == ["bet_withdrawn"]


def test_a_late_close_does_not_close_the_next_round():
    table = second_round()
    assert refused(table.do(e.Close("server", round=1))) == ["other_round"]
    assert table.life == "betting"
    assert kinds(table.do(e.Close("server", round=2))) == ["closed"]


def test_a_late_open_opens_no_other_round():
    table = second_round()
    assert refused(table.do(e.Open("server", round=2))) == ["other_round"]  # round 2 is running: the next one is 3
    table.says("close; card 9C; card 2D; card KH; card 3S")
    assert refused(table.do(e.Open("server", round=2))) == ["other_round"]
    assert kinds(table.do(e.Open("server", round=3))) == ["opened"]


def test_an_open_for_the_next_round_is_refused_round_live():
    assert refused(second_round().do(e.Open("server", round=3))) == ["round_live"]


def test_a_late_decision_answers_no_other_question():
    table = Bench("casino_holdem")
    table.says(ASKED)
    (question,) = question_numbers(table)
    records = table.do(e.Choose("p1", "call", question - 1))
    assert (kinds(records), refused(records)) == (["decision_refused"], ["other_question"])
    assert kinds(table.do(e.Choose("p1", "call", question))) == ["decided"]


def test_a_decision_sent_twice_does_not_answer_the_next_question():
    table = Bench("blackjack")
    table.says("shuffled; open; bet p1 seat1 main 10.00; close; card 2C; card 5D; card 3H; card 9D")
    table.do(e.Choose("seat1", "hit", question_numbers(table)[0]))
    table.says("card 2S")
    assert refused(table.do(e.Choose("seat1", "hit", question_numbers(table)[0]))) == ["other_question"]
    assert len(question_numbers(table)) == 2
    assert kinds(table.do(e.Choose("seat1", "hit", question_numbers(table)[1]))) == ["decided"]


def test_a_question_asked_anew_after_a_ruling_is_another():
    table = Bench("casino_holdem")
    table.says(ASKED)
    table.says("decide p1 call; press manager; rule correct 7 TS touched anew by manager")
    first, again = question_numbers(table)
    assert refused(table.do(e.Choose("p1", "call", first))) == ["other_question"]
    assert kinds(table.do(e.Choose("p1", "call", again))) == ["decided"]


def test_a_question_has_its_number_after_a_restart():
    table = Bench("casino_holdem")
    table.says(ASKED)
    before = table.state.round.asking
    table.restart()
    assert table.state.round.asking == before
    assert before.seq == question_numbers(table)[0]


class InItsPlace(Judge):
    """An event that names a round, window or question acts on that one or on nothing."""

    def look(self, before, event, records, after):
        acting = [record for record in records if record.input and record.input.event is event]
        for record in acting:
            match record.what, event:
                case (r.BetAccepted(), e.PlaceBet(round=named)) | (r.BetWithdrawn(), e.WithdrawBet(round=named)):
                    assert named in (None, record.round)
                    assert event.window in (None, before.round.window)
                case r.Opened(), e.Open(round=named):
                    assert named in (None, record.round)
                case r.Closed(window=window), e.Close(round=named) if window == before.round.window:
                    assert (named in (None, record.round), event.window in (None, window)) == (True, True)
                case (r.PlayerGone(), e.LineCut(round=named)) | (r.PlayerBack(), e.LineBack(round=named)):
                    assert named in (None, before.round.number)
                case r.Decided(), e.Choose(question=named):
                    assert named in (None, before.round.asking.seq)
                case (r.BetRefused(reason="other_round"), _) | (r.DecisionRefused(reason="other_question"), _):
                    assert records[0] is not record or (before.round, before.life) == (after.round, after.life)
