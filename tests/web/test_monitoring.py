"""Metrics and health of a running table, as a monitoring system reads them over its doors."""

from prometheus_client.parser import text_string_to_metric_families

from controller.core import events as e
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import TimedJournal
from controller.web.listeners import TableDoors
from controller.web.net import entrance
from controller.web.net.admission import LIMITS
from tests.outputs.test_metrics import parse_samples
from tests.patience import on_loop, until
from tests.web.net import BrowserPerson, NetworkTable
from tests.web.rig import NATURAL


class MeteredTable(NetworkTable):
    """Table with both doors that has metrics."""

    def doors(self) -> TableDoors:
        timed = self.table.journal = TimedJournal(self.table.journal, self.table.house.table)
        metrics = Metrics(self.table, timed, MetricSources(("shoe", "panel")))
        return TableDoors(self.table, self.rig.path, self.listening, self.net, metrics=metrics)


async def scraped(table: MeteredTable) -> dict[str, dict[str, float]]:
    answer = await BrowserPerson(table).ask("GET", "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return parse_samples(answer.body)


def test_the_metrics_count_rounds_records_and_connections(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table, table.following("/api/events"):
            table.rig.take(e.Open(), e.PlaceBet("p1", "banker", 1000), e.PlaceBet("p1", "moon", 1000), e.Close())
            table.rig.deal(*NATURAL)
            table.rig.take(e.KeyPressed("finish"), e.LostDevice("panel"))
            found = await scraped(table)
            assert found["tablectl_rounds_total"] == {"settled": 1, "cancelled": 0}
            assert found["tablectl_bets_total"] == {"accepted": 1, "refused": 1}
            assert found["tablectl_cards_total"] == {"reader": 4, "manual": 0}
            assert found["tablectl_device_present"] == {"shoe": 1, "panel": 0}
            assert found["tablectl_journal_append_seconds_count"] == {"": len(table.rig.calls)}
            assert found["tablectl_record_seq"] == {"": table.table.state.seq}
            assert found["tablectl_connections"] == {"": 2}

    on_loop(steps)


def test_only_known_callers_see_money_in_metrics(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path, kiosk=False) as table:
            token = {"authorization": f"Bearer {table.token}"}
            texts = [(await BrowserPerson(table, headers).ask("GET", "/metrics")).body for headers in ({}, token)]
            assert [b"_money_total" in text for text in texts] == [False, True]
            assert (await BrowserPerson(table, {"authorization": "Bearer x"}).ask("GET", "/metrics")).status == 401

    on_loop(steps)


def test_request_times_are_labelled_by_known_route_and_status(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table:
            for target in ("/healthz", "/api/rounds/1", "/api/rounds/2", "/api/made-up", "/api/made-up-too"):
                await BrowserPerson(table).ask("GET", target)
            found = (await scraped(table))["tablectl_request_seconds_count"]
            assert found == {"/healthz,200": 1, "/api/rounds/{number},403": 2, "none,404": 2}

    on_loop(steps)


def test_the_metrics_show_places_taken_and_their_limits(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table, table.following("/api/events"):
            found = await scraped(table)
            assert found["tablectl_subscribers"]["local"] == found["tablectl_places_taken"]["local"] == 1
            assert found["tablectl_places_limit"]["viewer"] == LIMITS["viewer"].places
            assert found["tablectl_turned_away_total"]["viewer,503"] == 0
            assert found["tablectl_connections_limit"] == {"": 2 * entrance.CONNECTIONS}

    on_loop(steps)


def test_the_metrics_include_the_process(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table:
            text = (await BrowserPerson(table).ask("GET", "/metrics")).body.decode()
            families = {family.name: family for family in text_string_to_metric_families(text)}
            assert families["process_resident_memory_bytes"].samples[0].value > 10**6
            assert all(family.documentation for family in families.values())

    on_loop(steps)


def test_healthz_fails_while_the_table_cannot_record(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table:
            well = await BrowserPerson(table).ask("GET", "/healthz")
            assert (well.status, well.body["ok"], well.body["life"]) == (200, True, "idle")
            table.rig.journal.broken = f"{tmp_path}: disk full"
            table.rig.take(e.Open())
            ill = await BrowserPerson(table).ask("GET", "/healthz")
            assert (ill.status, ill.body["ok"]) == (503, False)
            assert ill.body["says"] == "the record cannot be written; the table waits for its disk"
            assert (await scraped(table))["tablectl_halted"] == {"": 1}
            table.rig.journal.broken = None
            await until(lambda: table.table.halted is None)
            assert (await BrowserPerson(table).ask("GET", "/healthz")).status == 200
            assert (await scraped(table))["tablectl_halted"] == {"": 0}

    on_loop(steps)


def test_healthz_fails_while_the_program_ends(tmp_path):
    async def steps():
        async with MeteredTable(tmp_path) as table:
            table.api._feed.close()
            ill = await table.ask("GET", "/healthz")
            assert (ill.status, ill.body["says"]) == (503, "the program is about to end")

    on_loop(steps)
