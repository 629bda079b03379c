"""Alerts of faults arrive by mail and webhook, even after a server was down or the table was killed."""

import re
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, StationProcess
from tests.patience import PATIENCE, eventually
from tests.ports import free
from tests.services import Mailbox, Silence, Webhook

WRONG_PLACE = ("open", "close", "card 9C at banker")
FAULT = "wrong_place: table t1, round 1"
END = "ruled burn: table t1, round 1 goes on"
RULE = 'rule burn by maria because "slipped out"'


class Services:
    """A webhook and a mail server, and the config of a table that alerts the webhook."""

    def __init__(self, folder: Path) -> None:
        self.mail, self.hook = Mailbox(), Webhook()
        self._mail_port, self._hook_port = free(), free()
        self.folder = Folder(folder)
        self.folder.write_config()
        self.alert("hook", f'url = "json://127.0.0.1:{self._hook_port}/alerts"')
        self._mails = False

    def alert(self, name: str, where: str) -> None:
        """Add a target of alerts to the config."""
        with self.folder.config.open("a") as config:
            config.write(f"[alerts.{name}]\n{where}\n")

    def alert_by_mail_too(self) -> None:
        secret = self.folder.config.with_name("mail")
        to = f"127.0.0.1:{self._mail_port}?from=t1@example.com&to=maria@example.com&mode=insecure"
        secret.write_text(f"mailto://{to}", encoding="utf-8")
        self.alert("mail", f'file = "{secret}"')
        self._mails = True

    @contextmanager
    def up(self):
        """Run the mail server and the webhook's server."""
        with self.mail.up(self._mail_port), self.hook.up(self._hook_port):
            yield

    def mailed(self) -> list[str]:
        return [str(message["Subject"]) for message in self.mail.took]

    def hooked(self) -> list[str]:
        return [took["title"] for took in self.hook.took]

    def told(self, *subjects: str) -> bool:
        """Return True if each target has received these in this order, once or more, with the fault's number."""
        (fault,) = (record.seq for record in self.folder.records() if record.kind == "faulted")
        got = [self.hooked(), self.mailed()] if self._mails else [self.hooked()]
        return all([*dict.fromkeys(one)] == [f"[t1#{fault}] {subject}" for subject in subjects] for one in got)


@pytest.fixture
def services(tmp_path):
    services = Services(tmp_path)
    shoe = PtyPort(services.folder.port)
    shoe.plug()
    yield services
    shoe.unplug()


def break_the_procedure(folder: Folder, station: StationProcess) -> None:
    """Wait for the shoe, start a round and deal its first card to the wrong place."""
    eventually(lambda: folder.count("device_found", device="shoe"))
    for line in WRONG_PLACE:
        station.say(line)
    next(event for event in station.hears() if event.get("kind") == "faulted")


def test_targets_that_were_down_receive_each_alert_once(services):
    services.alert_by_mail_too()
    with StationProcess(services.folder.config) as station:
        break_the_procedure(services.folder, station)
        eventually(lambda: station.events().count("not_delivered") >= 2)
        with services.up():
            eventually(lambda: services.told(FAULT))
            station.say(RULE)
            eventually(lambda: station.events().count("delivered") == 4)
        assert station.finishes() == 0
        assert services.told(FAULT, END)
        assert "mailto" not in station.errors()
    with services.up(), StationProcess(services.folder.config) as station:
        eventually(lambda: station.events().count("delivered") == 6)  # plus the alert that the restart paused the round
    assert (len(services.mailed()), len(services.hooked())) == (3, 3)
    fault, end, *_ = (message.get_content() for message in services.mail.took)
    assert re.search(r"expected: a card to PLAYER\s+came: 9♣ at BANKER\s+may be ruled: Move a card, Burn", fault)
    assert "maria rules: Burn the card, draw 1" in end
    assert "slipped out" not in end  # a reason may name a card that lies face down
    assert str(services.mail.took[0]["To"]) == "maria@example.com"


def test_a_killed_table_delivers_its_waiting_alert_after_the_restart(services):
    with StationProcess(services.folder.config) as station:
        break_the_procedure(services.folder, station)
        eventually(lambda: station.events().count("not_delivered") >= 2)
        station.process.kill()
        station.ends()
    with services.up(), StationProcess(services.folder.config):
        eventually(lambda: services.told(FAULT))


def test_a_table_killed_at_a_fault_delivers_fault_and_ruling(services):
    with services.up():
        with StationProcess(services.folder.config) as station:
            break_the_procedure(services.folder, station)
            station.process.kill()
            station.ends()
        with StationProcess(services.folder.config) as station:
            station.say(RULE)
            eventually(lambda: services.told(FAULT, END))


def test_a_target_that_never_answers_holds_up_no_table(services):
    silence = Silence()
    services.alert("silent", f'url = "json://127.0.0.1:{silence.port}/?rto=600"')
    with services.up(), StationProcess(services.folder.config) as station:
        break_the_procedure(services.folder, station)
        assert silence.called.wait(PATIENCE)
        for line in (RULE, "card 2C", "card 3C", "card 4C"):
            station.say(line)
        eventually(lambda: services.folder.count("dealt") == 3)
        eventually(lambda: services.told(FAULT, END))
        assert station.finishes() == 0  # before the ten minutes of the target are over
    assert silence.left.wait(PATIENCE)
