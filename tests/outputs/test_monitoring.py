"""Alert rules and dashboard of the project, checked by promtool and by a real Prometheus."""

import json
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from controller.core import events as e
from controller.outputs.custody_status import CustodyProgress
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import TimedJournal
from controller.web.listeners import TableDoors
from tests.patience import PATIENCE, eventually
from tests.ports import free
from tests.web.net import BrowserPerson
from tests.web.rig import NATURAL, ThreadedTable
from tests.web.test_monitoring import MeteredTable

ROOT = Path(__file__).parents[2]
RULES = ROOT / "config/monitoring/tablectl.rules.yml"
DASHBOARD = json.loads((ROOT / "config/monitoring/tablectl-dashboard.json").read_text())
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
FLOORS = "tablectl_floor_"  # checked by tests/floor/site/test_monitoring.py


class SoundCustody:
    """Custody of a record without any trouble."""

    progress = CustodyProgress(anchored=1, verified=1, at=0)
    troubles: Mapping[str, str | None] = {"anchor": None}
    messages = ()


class Scraped(MeteredTable):
    """Table with metrics of its record and an alert target."""

    def doors(self) -> TableDoors:
        timed = self.table.journal = TimedJournal(self.table.journal, self.table.house.table)
        around = MetricSources(("shoe", "panel"), lambda: {"duty": 0}, SoundCustody())
        return TableDoors(
            self.table, self.rig.path, self.listening, self.net, metrics=Metrics(self.table, timed, around)
        )


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[ThreadedTable]:
    """Run a table that has dealt a round, had a fault and refused a bet."""
    with ThreadedTable(tmp_path_factory.mktemp("t"), Scraped) as table:
        table.do(_has_played)
        yield table


async def _has_played(table: Scraped) -> None:
    table.rig.take(e.Open(), e.PlaceBet("p1", "banker", 1000), e.PlaceBet("p1", "moon", 1000), e.Close())
    table.rig.deal(*NATURAL)
    table.rig.take(e.KeyPressed("finish"), e.Open(), e.CardOut("5H"))


def scraped(running: ThreadedTable) -> str:
    """Return the metrics of the table as text."""

    async def told(table: Scraped) -> str:
        return (
            await BrowserPerson(table, {"authorization": f"Bearer {table.token}"}).ask("GET", "/metrics")
        ).body.decode()

    return running.do(told)


def test_rules_and_dashboard_name_only_metrics_that_exist(running):
    metrics = set(re.findall(r"^# TYPE (\w+)", scraped(running), re.MULTILINE))
    named = set(re.findall(r"\btablectl_\w+", " ".join([*QUERIES, RULES.read_text()])))
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in named if not name.startswith(FLOORS)} <= metrics


def test_each_panel_has_its_own_number_and_place():
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}) == len(panels)


# ── by Prometheus ────────────────────────────────────────────────────────────────────────────────────────────────


def promtool(*arguments: object, given: str = "") -> str:
    """Run promtool; return its output. Any finding fails the test."""
    done = subprocess.run(
        ["promtool", *map(str, arguments)], input=given, capture_output=True, text=True, timeout=PATIENCE
    )
    print("$ promtool", *arguments, done.stdout + done.stderr, sep=" ")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.proof
def test_promtool_accepts_the_alert_rules_and_their_tests(tmp_path):
    assert "28 rules found" in promtool("check", "rules", RULES)
    cases = tmp_path / "rules.test.yml"
    cases.write_text((ROOT / "tests/outputs/tablectl.rules.test.yml").read_text().replace("RULES", str(RULES)))
    assert "SUCCESS" in promtool("test", "rules", cases)


@pytest.mark.proof
def test_promtool_accepts_the_metrics_of_a_table(running):
    promtool("check", "metrics", given=scraped(running))


@contextmanager
def prometheus(folder: Path, target: str, token: str) -> Iterator[str]:
    """Run a Prometheus that scrapes the table and evaluates the rules each second; yield its address."""
    (folder / "token").write_text(token)
    config = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(RULES)],
        "scrape_configs": [
            {
                "job_name": "tablectl",
                "authorization": {"credentials_file": str(folder / "token")},
                "static_configs": [{"targets": [target]}],
            }
        ],
    }
    (folder / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
    address = f"127.0.0.1:{free()}"
    files = [f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}"]
    with (folder / "log").open("w") as log:
        program = subprocess.Popen(["prometheus", *files, f"--web.listen-address={address}"], stdout=log, stderr=log)
        try:
            yield f"http://{address}"
        finally:
            program.terminate()
            program.wait(PATIENCE)


def ask_prometheus(base: str, path: str, **query: str) -> Any:
    """Ask the API of Prometheus; return the data of its answer."""
    with urllib.request.urlopen(f"{base}/api/v1/{path}?{urllib.parse.urlencode(query)}", timeout=PATIENCE) as answer:
        body = json.load(answer)
    assert body["status"] == "success", body
    return body["data"]


@pytest.mark.proof
def test_a_real_prometheus_answers_every_rule_and_dashboard_query(tmp_path, running):
    async def where(table: Scraped) -> tuple[str, str]:
        return f"127.0.0.1:{table.port}", table.token

    def seen() -> Any:
        with suppress(URLError):  # Prometheus does not listen yet
            return ask_prometheus(base, "query", query='count_over_time(up{job="tablectl"}[1m]) > 3')["result"]

    with prometheus(tmp_path, *running.do(where)) as base:
        eventually(seen)
        groups = eventually(lambda: evaluated(ask_prometheus(base, "rules")["groups"]))
        states = {rule["name"]: (rule["health"], rule.get("lastError")) for group in groups for rule in group["rules"]}
        print(states)
        assert set(states.values()) == {("ok", None)}
        for query in QUERIES:
            ask_prometheus(base, "query", query=query.replace("$table", ".*").replace("$__rate_interval", "1m"))
        samples = ask_prometheus(base, "query", query="tablectl_staked_money_total")["result"]
        assert [one["value"][1] for one in samples] == ["10"]


def evaluated(groups: list[Any]) -> list[Any]:
    """Return the rule groups once each rule has been evaluated, else nothing."""
    return groups if groups and all(rule["health"] != "unknown" for one in groups for rule in one["rules"]) else []
