"""What a table tells the bus: every event, once and in order, the head of each round, its status, its beat."""

import msgspec

from controller.journal import hash_at, read
from tests.bus.rig import on_loop, until
from tests.bus.tables import AUDIENCES, as_over_http, at_work, events, stored


def test_every_audience_gets_the_events_of_the_http_api_and_the_head_of_each_round(server, tmp_path):
    async def steps():
        path = tmp_path / "t.journal"
        async with at_work(path, server.section(players=True)) as table, server.client("admin") as admin:
            table.play(3)
            epoch = table.epoch
            await table.caught_up()
        async with server.client("admin") as admin:
            told = await stored(admin, "EVENTS")
            for audience in AUDIENCES:
                assert events(told, audience) == as_over_http(path, audience)
            assert {one.epoch for one in told} == {epoch}
            heads = [head.body for head in await stored(admin, "HEADS")]
        ends = [record for record in read(path) if record.kind == "settled"]
        wanted = [(epoch, one.seq, hash_at(path, one.seq).hex()) for one in ends]
        assert len(ends) == 3
        assert [(head["epoch"], head["seq"], head["hash"]) for head in heads[:3]] == wanted
        last = max(record.seq for record in read(path))
        assert [head["seq"] for head in heads[3:]] == ([last] if last != ends[-1].seq else [])

    on_loop(steps)


def test_the_status_is_the_last_there_is_and_a_beat_comes_every_second(server, tmp_path):
    async def steps():
        async with server.client("floors", "main") as floor:
            beats, words = [], []

            async def beat(message):
                beats.append(msgspec.json.decode(message.data))

            async def word(message):
                words.append(msgspec.json.decode(message.data))

            await floor.subscribe("tablectl.main.*.beat", cb=beat)
            await floor.subscribe("$KV.tablectl_status.main.*", cb=word)
            await floor.flush()
            async with at_work(tmp_path / "t.journal", server.section()) as table:
                table.play()
                seq = table.table.state.seq
                await until(lambda: words and words[-1]["seq"] == seq)
                await until(lambda: len(beats) > 1 and beats[-1]["seq"] == seq)
                assert beats[-1] == {"epoch": table.epoch, "seq": seq}
                assert (words[-1]["table"], words[-1]["game"], words[-1]["life"]) == ("t1", "baccarat", "settled")
                assert (words[-1]["fault"], words[-1]["dealer"]) == (None, "d1")

    on_loop(steps)
