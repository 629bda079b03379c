"""Alerts leave the service's confinement; systemd sends the alert of a table that is down."""

import pytest

from tests.end_to_end.test_service import CALL, CONFIG, UNIT, ServiceTable
from tests.patience import eventually
from tests.services import Webhook

pytestmark = [pytest.mark.proof, pytest.mark.timeout(600)]

MANAGER = 5  # a key of the panel
TARGETS = """
[alerts.manager]
url = "json://127.0.0.1:{0}"
[alerts.director]
url = "json://127.0.0.1:{0}"
level = 2
"""


def test_a_fault_of_a_service_reaches_its_targets(machine):
    hook = Webhook()
    with hook.up() as port, ServiceTable(machine) as here:
        machine.write("/etc/tablectl/t1.toml", CONFIG + TARGETS.format(port))
        here.systemctl("start")
        here.stands("idle")
        here.press(MANAGER)
        eventually(lambda: hook.took)
        assert hook.took[0]["title"].endswith("dealer_call: table t1, no round")


def test_a_table_given_up_calls_everybody_and_stays_down(machine):
    hook = Webhook()
    with hook.up() as port, ServiceTable(machine) as here:
        here.drop_in("[Unit]\nStartLimitBurst=2\n")
        machine.write("/etc/tablectl/t1.toml", CONFIG.replace('path = "t1', 'path = "/proc/t1') + TARGETS.format(port))
        hook.status = 500
        machine.run("systemctl", "start", UNIT, check=False)
        eventually(lambda: "not delivered" in here.log(CALL))
        assert "Scheduled restart" in here.log(UNIT)
        hook.status = 200
        eventually(lambda: len(hook.took) == 2)
        assert {took["title"] for took in hook.took} == {"[t1#down] table t1 is down"}
        assert (here.says("ActiveState"), here.says("SubState")) == ("failed", "failed")


def test_a_restarted_table_is_not_called_down(machine):
    with ServiceTable(machine) as here:
        machine.write("/etc/tablectl/t1.toml", CONFIG + TARGETS.format(9))
        machine.run("systemctl", "start", CALL)
        here.systemctl("start")
        here.stands("idle")
        assert machine.run("systemctl", "is-active", CALL, check=False).stdout == "inactive\n"
