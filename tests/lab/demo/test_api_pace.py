"""Remote table of a demo: late answers, silence, and repeated starts."""

import asyncio
import random
from types import SimpleNamespace

from controller.cli.client import TableReply
from controller.lab.demo.api_pace import ApiPace, NoTable
from controller.lab.demo.hands import DealtCards, Hands
from tests.patience import on_loop, turns, until
from tests.table.test_table import HOUSE


class PendingConnection:
    """Connection that answers each question when the test sets its result."""

    def __init__(self):
        self.asked = []

    async def ask(self, method, target, body=None):
        self.asked.append(answer := asyncio.get_running_loop().create_future())
        return await answer


def seen_by(steps):
    """Run the steps with a remote table; return what it reported."""

    async def play():
        line, messages = PendingConnection(), []
        pace = ApiPace(line, 1000, messages.append)
        await steps(line, pace)
        return messages

    return asyncio.run(play())


def test_a_late_answer_does_not_replace_a_newer_one():
    async def steps(line, pace):
        looks = [asyncio.create_task(pace.request_patiently("/api/state", pace._see)) for _ in range(2)]
        await until(lambda: len(line.asked) == 2)
        line.asked[1].set_result(TableReply(200, {"life": "betting"}))
        await looks[1]
        line.asked[0].set_result(TableReply(200, {"life": "settled"}))
        await looks[0]
        assert pace.state == {"life": "betting"}

    seen_by(steps)


def test_a_silent_table_is_reported_once_until_it_answers():
    """Two failed questions in a row are reported once; a failure after an answer is reported again."""

    async def twice(line, pace):
        for troubles in (2, 1):
            look = asyncio.create_task(pace.request_patiently("/api/state", pace._see))
            for _ in range(troubles):
                await until(lambda: line.asked)
                line.asked.pop().set_exception(NoTable("gone"))
            await until(lambda: line.asked)
            line.asked.pop().set_result(TableReply(200, {}))
            await look

    assert seen_by(twice) == ["gone", "gone"]


def test_a_command_refused_as_a_whole_is_told():
    async def steps(line, pace):
        acting = asyncio.create_task(pace.act("open"))
        await until(lambda: line.asked)
        line.asked.pop().set_result(TableReply(400, {"detail": "no such command"}))
        await until(lambda: line.asked or acting.done())
        assert not acting.done()
        line.asked.pop().set_result(TableReply(200, {"life": "betting"}))
        assert (await acting, pace.state) == ("ignored", {"life": "betting"})

    assert seen_by(steps) == ["open refused: no such command"]


class Standing:
    """Table at rest that answers at once and refuses every start of a round."""

    def __init__(self):
        self.seq, self.starts = 1, 0

    async def ask(self, method, target, body=None):
        await asyncio.sleep(0)
        if method == "POST":
            self.starts += 1
            return TableReply(
                200, {"verdicts": [{"verdict": "refused", "reason": "server_lost", "says": "no game server"}]}
            )
        return TableReply(200, {"seq": self.seq, "life": "idle", "places": {}, "loose": [], "due": None, "fault": None})


def test_hands_ask_for_a_round_again_once_something_has_changed():
    async def steps():
        table = Standing()
        pace = ApiPace(table, 1_000_000, lambda _: None, look=0)
        hands = Hands(SimpleNamespace(cards_left=416), pace, DealtCards(HOUSE.deck, False, random.Random(1)))
        await pace.request_patiently("/api/state", pace._see)
        working = [asyncio.create_task(pace.watch()), asyncio.create_task(hands.open_round())]
        await until(lambda: table.starts == 1)
        await turns(1000)
        assert table.starts == 1
        table.seq += 1
        await until(lambda: table.starts == 2)
        for task in working:
            task.cancel()
        await asyncio.wait(working)

    on_loop(steps)
