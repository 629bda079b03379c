"""Alert targets on the command line: their errors, their waiting alerts, and whether they are reached."""

import json

import pytest

import controller.cli.alerts
from controller.config.table_file import load
from controller.journal import Journal
from controller.journal.outbox import DeliveryPace, TargetPlaces
from controller.outputs.delivery import AlertMessage
from tests.core.bench import Bench
from tests.ports import free
from tests.services import Webhook

SECRET = "json://operator:pass-word@127.0.0.1:9/secret-path?+X-Token=token"


@pytest.fixture
def config(tmp_path):
    def write(*lines: str):
        """Write a table's config with these alert targets; return its path."""
        path = tmp_path / "table.toml"
        text = f'[game]\nname = "baccarat"\n[table]\nname = "t1"\n[journal]\npath = "{tmp_path / "table.journal"}"\n'
        text += '[shoe]\nport = "/dev/none"\n[web]\nlisten = "off"\n'
        path.write_text(text + "\n".join(lines), encoding="utf-8")
        return path

    return write


# ── errors of a target ───────────────────────────────────────────────────────────────────────────────────────────


def refusal(tablectl, path) -> str:
    output = tablectl("check", path, exit_code=2).stderr
    assert output.startswith(f"tablectl: {path}: ")
    assert output.count("\n") == 1
    return output.removeprefix(f"tablectl: {path}: ")


def test_a_bad_alert_url_is_named_by_key_not_shown(tablectl, config):
    message = refusal(tablectl, config("[alerts.mail]", 'url = "nope://operator:pass-word@host"'))
    assert message.startswith("alerts.mail.url: expected a URL that apprise understands, such as mailtos://")
    assert "nope" not in message
    assert "pass-word" not in message


def test_a_bad_alert_url_in_a_file_is_not_shown(tablectl, config, tmp_path):
    (tmp_path / "mail").write_text("nope://host")
    message = refusal(tablectl, config("[alerts.mail]", f'file = "{tmp_path / "mail"}"'))
    assert message.startswith("alerts.mail.file: expected a URL that apprise understands")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["[alerts.mail]"], "alerts.mail: expected either url, file or env, got 0 of them"),
        (["[alerts.mail]", 'url = "json://h"', 'env = "X"'], "alerts.mail: expected either url, file or env, got 2"),
        (
            ["[alerts.mail]", 'ulr = "json://h"'],
            "alerts.mail.ulr: no such key (did you mean url?); there are env, file",
        ),
        (["[alerts.mail]", 'url = "json://h"', "level = 0"], "alerts.mail.level: expected a whole number from 1 to 9"),
        (
            ["[alerts.a]", 'url = "json://h"', "[alerts.b]", "url = 5"],
            "alerts.b.url: expected text in quotes of 1 to 4096 ",
        ),
        (["[alerts]", f'targets = ["{SECRET}"]'], "alerts.targets: expected a section of its own"),
        (["[alerts.mail]", f'url = ["{SECRET}"]'], "alerts.mail.url: expected text"),
    ],
)
def test_a_mistake_names_its_key_and_shows_no_secret(tablectl, config, lines, said):
    message = refusal(tablectl, config(*lines))
    assert message.startswith(said)
    assert "pass-word" not in message
    assert "token" not in message


def test_check_names_the_targets(tablectl, config):
    path = config("[alerts.mail]", f'url = "{SECRET}"', "[alerts.office]", 'env = "TABLECTL_NONE"', "level = 2")
    output = tablectl("check", path).stdout
    missing = "its address cannot be read here: the environment variable TABLECTL_NONE is not set"
    assert f"alerts: mail (level 1), office (level 2, {missing})" in output
    assert "pass-word" not in output


def test_check_as_json_shows_no_secret(tablectl, config):
    output = tablectl("check", config("[alerts.mail]", f'url = "{SECRET}"'), "--json").stdout
    assert json.loads(output)["alerts"] == {
        "mail": {"url": "json://...", "file": None, "env": None, "level": 1, "language": "en"}
    }


def test_a_table_without_alerts_has_none(tablectl, config):
    assert "alerts: none" in tablectl("check", config()).stdout
    assert load(config()).alerts == {}


# ── waiting alerts ───────────────────────────────────────────────────────────────────────────────────────────────


TWO = ("[alerts.mail]", f'url = "{SECRET}"', "[alerts.office]", 'url = "json://127.0.0.1:9"', "level = 2")


def test_what_waits_for_a_target_is_listed(tablectl, config, tmp_path):
    path = config(*TWO)
    bench = Bench()
    bench.says("press manager; rule resume by maria because x; press manager")
    journal = Journal(tmp_path / "table.journal")
    TargetPlaces(journal.path).begin(["mail", "office"], 0)
    journal.append(bench.records)
    TargetPlaces(journal.path).move("mail", bench.records[4].seq)
    output = tablectl("alerts", path).stdout
    journal.close()
    assert output.splitlines() == [
        "mail: level 1, 2 waiting",
        "  [table#5] ruled resume: table table, no round goes on",
        "  [table#8] dealer_call: table table, no round",
        "office: level 2, nothing waiting",
    ]


def test_an_alert_target_never_run_with_has_not_begun(tablectl, config):
    output = tablectl("alerts", config(*TWO), "--json").stdout
    assert [json.loads(line) for line in output.splitlines()] == [
        {"target": "mail", "level": 1, "waiting": None},
        {"target": "office", "level": 2, "waiting": None},
    ]
    assert "not started" in tablectl("alerts", config(*TWO)).stdout


def test_without_a_target_it_says_how_to_write_one(tablectl, config):
    for words in ([], ["--down"]):
        message = tablectl("alerts", config(), *words, exit_code=2).stderr
        assert "alerts: no target given; write one, such as url = " in message


# ── test messages ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_test_names_each_target_it_could_not_reach(tablectl, config):
    hook = Webhook()
    with hook.up() as port:
        path = config(
            "[alerts.hook]", f'url = "json://127.0.0.1:{port}"',
            "[alerts.mail]", f'url = "json://operator:pass-word@127.0.0.1:{free()}"', "level = 2",
        )  # fmt: skip
        result = tablectl("alerts", path, "--test", exit_code=1)
    hooked, mailed = result.stdout.splitlines()
    assert hooked == "hook: level 1, test delivered"
    assert mailed.startswith("mail: level 2, not delivered: A Connection error")
    assert "pass-word" not in result.output
    assert [took["title"] for took in hook.took] == ["[t1#test] test: table t1"]


# ── the table is down ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_down_table_alerts_every_level_with_the_restart_command(tablectl, config):
    hook = Webhook()
    with hook.up() as port:
        url = f'url = "json://127.0.0.1:{port}"'
        path = config("[alerts.manager]", url, "[alerts.director]", url, "level = 2")
        output = tablectl("alerts", path, "--down").stdout
    assert sorted(output.splitlines()) == ["director: delivered", "manager: delivered"]
    assert [took["title"] for took in hook.took] == 2 * ["[t1#down] table t1 is down"]
    assert "systemctl reset-failed tablectl@table; systemctl start tablectl@table" in hook.took[0]["message"]


def test_a_table_down_with_a_broken_config_still_alerts(tablectl, config, monkeypatch):
    took = []

    async def send(message: AlertMessage, _: float) -> None:
        took.append(message.title)

    monkeypatch.setattr(controller.cli.alerts, "send", send)
    path = config("[alerts.mail]", 'url = "json://host"')
    path.write_text(path.read_text().replace('"baccarat"', '"bacarat"'))
    tablectl("alerts", path, "--down")
    path.write_text(path.read_text().replace('"t1"', "1"))
    tablectl("alerts", path, "--down")
    assert took == ["[t1#down] table t1 is down", "[table#down] table table is down"]
    assert "table.name: expected text" in tablectl("alerts", path, "--test", exit_code=2).stderr


def test_a_failing_target_is_retried_without_delaying_the_others(tablectl, config, monkeypatch):
    tries = []

    async def send(message: AlertMessage, _: float) -> str | None:
        tries.append(message.target.url)
        return "no route to host" if tries.count("json://late") < 3 and message.target.url == "json://late" else None

    monkeypatch.setattr(controller.cli.alerts, "send", send)
    monkeypatch.setattr(controller.cli.alerts, "PACE", DeliveryPace(first=0.001))
    result = tablectl("alerts", config("[alerts.a]", 'url = "json://late"', "[alerts.b]", 'url = "json://b"'), "--down")
    assert tries == ["json://late", "json://b", "json://late", "json://late"]
    assert result.stdout.splitlines() == ["b: delivered", "a: delivered"]
    assert result.stderr == 2 * "a: not delivered: no route to host; trying again\n"


def test_a_test_and_the_alert_itself_are_not_sent_together(tablectl, config):
    assert "expected --test or --down, got both" in tablectl("alerts", config(), "--test", "--down", exit_code=2).stderr
