"""Driver of procedures: answers, errors, look-ahead and walks, on generators that are no game."""

import pickle

import pytest
from msgspec import Struct

from controller.rules.dealing import (
    BetsClosed,
    CardTo,
    Dealing,
    Decisions,
    OutOfOrder,
    Revealed,
    SheetFailed,
    as_answer,
    drive,
    look_ahead,
    walk,
)
from controller.rules.procedure import Ask, Bets, Deal, Hand, Outcome, Reveal, ask, bets, deal, reveal


class AnswersOutcome(Outcome, frozen=True):
    """Outcome: the answers that the generator received."""

    answers: tuple[object, ...]


ASK = Ask(("p1", "p2"), ("call", "fold"), "fold")
STEPS = [Deal("player"), Deal("dealer", face_up=False), Bets(2), ASK, Reveal("dealer")]
ANSWERS = [
    CardTo("9H", "player"), CardTo("2C", "dealer"), BetsClosed(2), Decisions({"p1": "call", "p2": "fold"}),
    Revealed("dealer"),
]  # fmt: skip


def every_step():
    answers = ()
    for step in STEPS:
        answers = (*answers, (yield step))
    return AnswersOutcome(answers)


def at_step(number: int) -> Dealing:
    return drive(every_step(), ANSWERS[:number])


def test_the_first_step_is_due_at_once():
    assert Dealing(every_step()).due == Deal("player")


@pytest.mark.parametrize("number", range(len(STEPS)))
def test_each_answer_leads_to_the_next_step(number):
    dealing = at_step(number)
    assert dealing.due == STEPS[number]
    assert dealing.outcome is None


def test_the_procedure_gets_the_card_the_decisions_or_nothing():
    dealing = at_step(len(STEPS))
    assert dealing.due is None
    assert dealing.outcome == AnswersOutcome(("9H", "2C", None, {"p1": "call", "p2": "fold"}, None))


WRONG = {
    0: [CardTo("9H", "dealer"), CardTo("9H", ""), BetsClosed(2), Decisions({}), Revealed("player")],
    1: [CardTo("9H", "player"), Revealed("dealer")],
    2: [BetsClosed(1), BetsClosed(3), CardTo("9H", "player"), Revealed("dealer")],
    3: [
        Decisions({}),
        Decisions({"p1": "call"}),
        Decisions({"p1": "call", "p2": "raise"}),
        Decisions({"p1": "call", "p2": "fold", "p3": "fold"}),
        CardTo("9H", "p1"),
    ],
    4: [Revealed("player"), CardTo("9H", "dealer"), Decisions({"p1": "call", "p2": "fold"})],
    5: [*ANSWERS],
}


@pytest.mark.parametrize(("number", "answer"), [(number, answer) for number, many in WRONG.items() for answer in many])
def test_an_answer_out_of_order_leaves_everything_unchanged(number, answer):
    received = []

    def spied():
        procedure, value = every_step(), None
        while True:
            try:
                step = procedure.send(value)
            except StopIteration as end:
                return end.value
            value = yield step
            received.append(value)

    dealing = drive(spied(), ANSWERS[:number])
    before = dealing.due, dealing.outcome, len(received)
    assert not answer.fits(dealing.due)
    with pytest.raises(OutOfOrder) as error:
        dealing.answer(answer)
    assert (error.value.due, error.value.answer) == (before[0], answer)
    assert (dealing.due, dealing.outcome, len(received)) == before
    for right in ANSWERS[number:]:  # right answers still work afterwards
        dealing.answer(right)
    assert dealing.due is None


def test_a_wrong_answer_never_reaches_the_procedure():
    def touchy():
        assert (yield Deal("player")) == "9H"
        return AnswersOutcome(())

    dealing = Dealing(touchy())
    with pytest.raises(OutOfOrder):
        dealing.answer(CardTo("2C", "banker"))
    dealing.answer(CardTo("9H", "player"))
    assert dealing.outcome == AnswersOutcome(())


def test_a_procedure_must_return_an_outcome():
    def forgetful():
        yield Deal("player")

    dealing = Dealing(forgetful())
    with pytest.raises(SheetFailed, match=r"^TypeError in dealing.py, line \d+$"):
        dealing.answer(CardTo("9H", "player"))


def test_a_procedure_must_yield_steps():
    def yields_without_from():
        yield deal(Hand("player"))

    with pytest.raises(SheetFailed, match=r"^TypeError in dealing.py, line \d+$"):
        Dealing(yields_without_from())


@pytest.mark.parametrize(
    "step",
    [
        Deal(None), Deal("player", 1), Reveal(None), Bets(1), Bets("2"), Ask((), ("call", "fold"), "fold"),
        Ask(("p1",), (), ""), Ask(("p1",), ("call", "fold"), "stand"), Ask(("p1", "p1"), ("call", "fold"), "fold"),
        Ask("p1", ("call", "fold"), "fold"), Ask(("p1",), (1, 2), 1), Ask(("p1",), ("call", "fold"), "fold", 1.5),
    ],
)  # fmt: skip
def test_a_step_that_no_table_can_carry_out_fails(step):
    def sheet():
        yield step
        return AnswersOutcome(())

    with pytest.raises(SheetFailed, match=r"^TypeError in dealing.py, line \d+$"):
        Dealing(sheet())


def test_a_procedure_without_a_step_ends_at_once():
    def empty():
        return AnswersOutcome(())
        yield

    dealing = Dealing(empty())
    assert (dealing.due, dealing.outcome) == (None, AnswersOutcome(()))


class SheetBug(Exception):
    """Error that stands for a bug in a rule sheet."""


def breaks():
    yield Deal("player")
    raise SheetBug("9H")


def test_a_procedure_error_shows_its_place_and_hides_its_message():
    dealing = Dealing(breaks())
    with pytest.raises(SheetFailed, match=r"^SheetBug in test_dealing.py, line \d+$"):
        dealing.answer(CardTo("9H", "player"))


def test_a_sheets_failure_is_passed_on_by_another_process():
    assert str(pickle.loads(pickle.dumps(SheetFailed("KeyError in a.py, line 3")))) == "KeyError in a.py, line 3"


def test_drive_stops_at_the_first_answer_that_does_not_fit():
    with pytest.raises(OutOfOrder) as error:
        drive(every_step(), [ANSWERS[0], ANSWERS[0], ANSWERS[1]])
    assert error.value.due == STEPS[1]


def test_driving_twice_gives_the_same():
    assert drive(every_step(), ANSWERS).outcome == drive(every_step(), ANSWERS).outcome


# ── looking ahead ────────────────────────────────────────────────────────────────────────────────────────────────


def by_card():
    card = yield Deal("player")
    if card == "9H":
        yield Deal("banker")
    elif card == "2C":
        yield Reveal("player")
    return AnswersOutcome((card,))


def test_look_ahead_says_what_each_card_would_lead_to():
    ahead = look_ahead(by_card, [], ["9H", "2C", "AS"])
    assert ahead == {"9H": Deal("banker"), "2C": Reveal("player"), "AS": AnswersOutcome(("AS",))}


def test_look_ahead_goes_on_from_the_answers_so_far():
    assert look_ahead(by_card, [CardTo("9H", "player")], ["KD"]) == {"KD": AnswersOutcome(("9H",))}


def test_look_ahead_is_empty_when_no_card_is_due():
    assert look_ahead(by_card, [CardTo("2C", "player")], ["KD"]) == {}
    assert look_ahead(by_card, [CardTo("AS", "player")], ["KD"]) == {}


# ── walking every path ───────────────────────────────────────────────────────────────────────────────────────────


def test_walk_takes_every_path_once():
    def choices(step):
        return ["9H", "2C", "AS"] if isinstance(step, Deal) else [None]

    found = {tuple(answers): outcome for answers, outcome in walk(by_card, choices)}
    assert set(found) == {
        (CardTo("9H", "player"), CardTo("9H", "banker")),
        (CardTo("9H", "player"), CardTo("2C", "banker")),
        (CardTo("9H", "player"), CardTo("AS", "banker")),
        (CardTo("2C", "player"), Revealed("player")),
        (CardTo("AS", "player"),),
    }
    assert found[CardTo("AS", "player"),] == AnswersOutcome(("AS",))


def test_walk_of_decisions():
    def decides():
        decisions = yield ASK
        return AnswersOutcome((decisions["p1"],))

    both = [{"p1": one, "p2": "fold"} for one in ("call", "fold")]
    assert {outcome.answers for _, outcome in walk(decides, lambda _: both)} == {("call",), ("fold",)}


def test_walk_is_lazy():
    class TooFar(Exception):
        pass

    def endless():
        while True:
            yield Deal("player")

    def choices(_):
        choices.asked += 1
        if choices.asked > 5:
            raise TooFar
        return ["9H"]

    choices.asked = 0
    path = walk(endless, choices)
    with pytest.raises(TooFar):
        next(path)


@pytest.mark.parametrize(
    ("step", "choice", "answer"),
    [
        (Deal("player"), "9H", CardTo("9H", "player")),
        (ASK, {"p1": "call", "p2": "call"}, Decisions({"p1": "call", "p2": "call"})),
        (Reveal("dealer"), None, Revealed("dealer")),
        (Bets(3), None, BetsClosed(3)),
    ],
)
def test_as_answer_returns_the_answer_that_fits_the_step(step, choice, answer):
    assert as_answer(step, choice) == answer


# ── helpers for rule sheets ──────────────────────────────────────────────────────────────────────────────────────


def test_deal_gives_one_card_to_each_hand_in_turn():
    one, other = Hand("one"), Hand("other")

    def sheet():
        yield from deal(one, other, one, face_up=False)
        return AnswersOutcome(tuple(one.cards + other.cards))

    dealing = Dealing(sheet())
    for place, card in [("one", "2C"), ("other", "3C"), ("one", "4C")]:
        assert dealing.due == Deal(place, face_up=False)
        dealing.answer(CardTo(card, place))
    assert dealing.outcome == AnswersOutcome(("2C", "4C", "3C"))


def test_ask_reveal_and_bets_yield_their_steps():
    def sheet():
        yield from bets(2)
        decisions = yield from ask(["p1", "p2"], "call", "fold", default="fold")
        yield from reveal(Hand("dealer"))
        return AnswersOutcome((decisions["p2"],))

    assert drive(sheet(), ANSWERS[2:]).outcome == AnswersOutcome(("fold",))


def test_a_question_to_nobody_is_not_asked():
    def sheet():
        decisions = yield from ask((), "call", "fold", default="fold")
        return AnswersOutcome(tuple(decisions))

    assert Dealing(sheet()).outcome == AnswersOutcome(())


def test_steps_compare_by_value_and_are_immutable():
    assert all(isinstance(step, Struct) and step == type(step)(*_fields(step)) for step in STEPS)
    with pytest.raises(AttributeError):
        STEPS[0].to = "banker"


def _fields(step: Struct) -> list[object]:
    return [getattr(step, name) for name in step.__struct_fields__]
