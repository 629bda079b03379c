"""Tests of commands that a program sends twice, late, or with the id of another program's command.

No command may act twice, in the wrong round or on another question.
"""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from tests.examples.crew import RESTING, Crew
from tests.examples.table import ExampleTable
from tests.patience import PATIENCE

ACTING = ("opened", "bet_accepted", "bet_withdrawn", "closed", "decided")
SLICE = 5000  # most commands of one list

Said = dict[str, Any]


class HttpProgram:
    """Program that sends commands over HTTP, with a token of its own."""

    def __init__(self, table: ExampleTable, name: str) -> None:
        headers = {"Authorization": f"Bearer {table.token(name)}"}
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{table.web}/api/v1", headers=headers, timeout=PATIENCE)

    def sends(self, *commands: Said) -> list[Said]:
        """Send the commands in one list; return the verdict on each."""
        answer = self._http.post("/commands", json=list(commands))
        assert answer.status_code == 200, answer.text
        verdicts: list[Said] = answer.json()["verdicts"]
        return verdicts

    def reasons(self, *commands: Said) -> list[str | None]:
        """Send the commands; return the reason of each refusal, None if the command was done."""
        return [verdict.get("reason") for verdict in self.sends(*commands)]

    def leave(self) -> None:
        self._http.close()


class CrewedTable:
    """Running table with its crew and two programs."""

    def __init__(self, table: ExampleTable) -> None:
        self.table, self.crew, self.ids = table, Crew(table, random.Random(1)), count(1)
        table.start()
        self.program, self.other = HttpProgram(table, "platform"), HttpProgram(table, "other")

    def close(self) -> None:
        for program in (self.program, self.other):
            program.leave()
        self.table.kill()
        self.crew.leave()

    def opens(self) -> int:
        """Cancel a running round, open a new one, and return its number."""
        if self.crew.look()["life"] not in RESTING:
            self.crew.does(command="press", key="manager")
            assert self.crew.rules("cancel")
        assert self.crew.begin()
        number: int = self.crew.look()["round"]
        return number

    def deals(self) -> None:
        """Close the bets and deal until players are asked for a decision."""
        self.crew.does(command="close")
        while self.crew.look()["life"] == "dealing":
            self.crew.step(0)

    def finds_a_misread_card(self) -> None:
        """Correct the first card of the round, so that the table asks all later decisions again."""
        self.crew.does(command="press", key="manager")
        assert self.crew.rules("correct", draw=1, card="6S" if self.crew.first == "6H" else "6H")

    def decision(self, which: int) -> Said:
        """Return a command with option number `which` of the present question."""
        state = self.crew.look()
        due = state["due"]
        about = {"question": state["question"], "who": due["who"][0], "decision": due["options"][which]}
        return {"command": "decide", "id": self.id(), **about}

    def bet(self, on: int, player: str = "ann", seat: int = 1) -> Said:
        market = "ante" if self.table.game == "casino_holdem" else f"seat{seat} main"
        return {"command": "bet", "id": self.id(), "round": on, "player": player, "market": market, "stake": 500}

    def id(self) -> str:
        return f"s{next(self.ids)}"

    def done(self, kind: str, on: int | None = None) -> list[tuple[str, str]]:
        """Return program and id of each command of a program that made a record of this kind."""
        records = [record for record in self.table.records() if record.kind == kind and record.input]
        origins = [record.input.origin for record in records if on in (None, record.round)]
        return [(one.via, one.command) for one in origins if one is not None and one.via.startswith("token:")]


@pytest.fixture(scope="module", params=["blackjack", pytest.param("casino_holdem", marks=pytest.mark.proof)])
def stage(tmp_path_factory, request) -> Iterator[CrewedTable]:
    stage = CrewedTable(ExampleTable(tmp_path_factory.mktemp("t"), request.param))
    yield stage
    stage.close()


def assert_answered_alike_after(stage: CrewedTable, others: int) -> None:
    number = stage.opens()
    bet = stage.bet(number)
    first = stage.program.sends(bet)
    for start in range(0, others, SLICE):
        flood = [{**bet, "id": stage.id(), "market": "nothing"} for _ in range(min(SLICE, others - start))]
        assert set(stage.program.reasons(*flood)) == {"unknown_market"}
    assert stage.program.sends(bet) == first
    stage.table.kill()
    stage.table.start()
    assert stage.program.sends(bet) == first
    assert stage.program.reasons({**bet, "stake": 600}) == ["id_reused"]
    assert stage.other.reasons(bet) == ["betting_closed"]  # a command of its own, sent too late
    assert stage.done("bet_accepted", number) == [("token:platform", bet["id"])]


def test_a_bet_sent_after_200_others_is_answered_alike(stage):
    assert_answered_alike_after(stage, 200)


@pytest.mark.proof
@pytest.mark.parametrize("stage", ["casino_holdem"], indirect=True)
def test_a_bet_sent_after_20_000_others_is_answered_alike(stage):
    assert_answered_alike_after(stage, 20_000)


def test_one_id_of_two_programs_is_two_commands(stage):
    number = stage.opens()
    ours = stage.bet(number)
    theirs = {**stage.bet(number, "bob", seat=2), "id": ours["id"]}
    first = stage.program.sends(ours), stage.other.sends(theirs)
    assert [verdict["verdict"] for (verdict,) in first] == ["done", "done"]
    assert (stage.program.sends(ours), stage.other.sends(theirs)) == first
    assert stage.other.reasons(ours) == ["id_reused"]
    assert stage.done("bet_accepted", number) == [("token:platform", ours["id"]), ("token:other", ours["id"])]
    assert stage.crew.look()["bets"]["count"] == 2


def test_commands_for_the_last_round_do_nothing_in_the_next(stage):
    before = stage.opens()
    number = stage.opens()
    held = stage.bet(number)
    assert stage.program.reasons(held) == [None]
    late = (
        stage.bet(before, "late", seat=2),
        {"command": "unbet", "id": stage.id(), "round": before, "player": "ann", "market": held["market"]},
        {"command": "close", "id": stage.id(), "round": before},
        {"command": "open", "id": stage.id(), "round": before},
    )
    assert stage.program.reasons(*late) == ["other_round"] * len(late)
    state = stage.crew.look()
    assert (state["life"], state["round"], state["bets"]["count"]) == ("betting", number, 1)


def test_a_decision_on_a_past_question_answers_no_other(stage):
    number = stage.opens()
    assert stage.program.reasons(stage.bet(number), stage.bet(number, "bob", seat=2)) == [None, None]
    stage.deals()
    decided, changed = stage.decision(0), stage.decision(1)
    assert stage.program.reasons(decided) == [None]
    stage.finds_a_misread_card()
    now = stage.decision(0)
    assert now["question"] > decided["question"]
    assert stage.program.reasons(decided, changed) == [None, "other_question"]
    assert stage.program.reasons({**decided, "id": stage.id()}) == ["other_question"]
    assert stage.decision(0)["question"] == now["question"]
    assert stage.crew.look()["decided"] == {}


class RepeatedCommands:
    """Rounds in which old commands are sent again.

    With their own ids at any time; with new ids once their round or question is past.
    """

    def __init__(self, stage: CrewedTable, dice: random.Random) -> None:
        self._stage, self._dice = stage, dice
        self._sent: list[tuple[Said, Said]] = []  # command and answer
        self.late = 0

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self._bet(self._stage.opens())
            while (state := self._stage.crew.look())["life"] not in RESTING:
                if state["life"] == "deciding":
                    self._says(self._decision(state))
                else:
                    self._stage.crew.step(0)
                self._repeat()

    def _bet(self, number: int) -> None:
        for seat in range(1, 5):
            bet = self._stage.bet(number, f"p{seat}", seat)
            self._says(bet)
            if self._dice.random() < 0.3:
                about = {name: bet[name] for name in ("round", "player", "market")}
                self._says({"command": "unbet", "id": self._stage.id(), **about})
            self._repeat()
        self._says({"command": "close", "id": self._stage.id(), "round": number})

    def _decision(self, state: Said) -> Said:
        who = next(who for who in state["due"]["who"] if who not in state["decided"])
        choice = self._dice.choice(state["due"]["options"])
        about = {"question": state["question"], "who": who, "decision": choice}
        return {"command": "decide", "id": self._stage.id(), **about}

    def _says(self, command: Said) -> None:
        (answer,) = self._stage.program.sends(command)
        self._sent.append((command, answer))

    def _repeat(self) -> None:
        state = self._stage.crew.look()
        for command, answer in self._dice.sample(self._sent, min(2, len(self._sent))):
            if command.get("round", state["round"]) < state["round"] or command.get("question") not in (
                None,
                state["question"],
            ):
                self.late += 1
                (verdict,) = self._stage.program.sends({**command, "id": f"late{next(self._stage.ids)}"})
                assert verdict["verdict"] == "refused", (command, verdict)
            else:  # ids are kept for the present and the last round
                assert self._stage.program.sends(command) == [answer]


def test_nothing_sent_again_is_done_twice_or_too_late(stage):
    repeated = RepeatedCommands(stage, random.Random(1))
    repeated.play(3)
    for kind in ACTING:
        by = stage.done(kind)
        assert len(by) == len(set(by)), kind
        assert not any(command.startswith("late") for _, command in by), kind
    assert repeated.late > 10
