"""Faults reach the shift manager by mail and webhook: late, when those were down, and though the table was killed."""

import re
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, Station
from tests.patience import eventually
from tests.ports import free
from tests.services import Mailbox, Silence, Webhook

WRONG_PLACE = ("open", "close", "card 9C at banker")
FAULT = "wrong_place: table t1, round 1"
END = "ruled burn: table t1, round 1 goes on"
RULE = 'rule burn by maria because "slipped out"'


class Services:
    """A mail server and a webhook, and the config of a table that alerts both."""

    def __init__(self, folder: Path) -> None:
        self.mail, self.hook = Mailbox(), Webhook()
        self._mail_port, self._hook_port = free(), free()
        self.folder = Folder(folder)
        secret = folder / "mail"
        secret.write_text(
            f"mailto://127.0.0.1:{self._mail_port}?from=t1@example.com&to=maria@example.com&mode=insecure"
        )
        with self.folder.write_config().open("a") as config:
            config.write(f'[alerts.mail]\nfile = "{secret}"\n')
            config.write(f'[alerts.hook]\nurl = "json://127.0.0.1:{self._hook_port}/alerts"\n')

    @contextmanager
    def up(self):
        """Both are there."""
        with self.mail.up(self._mail_port), self.hook.up(self._hook_port):
            yield

    def mailed(self) -> list[str]:
        return [str(message["Subject"]) for message in self.mail.took]

    def hooked(self) -> list[str]:
        return [took["title"] for took in self.hook.took]

    def told(self, *subjects: str) -> bool:
        """Whether both have got these, at least once each, in this order and with the number of the fault."""
        (fault,) = (record.seq for record in self.folder.records() if record.kind == "faulted")
        wanted = [f"[t1#{fault}] {subject}" for subject in subjects]
        return [*dict.fromkeys(self.mailed())] == [*dict.fromkeys(self.hooked())] == wanted


@pytest.fixture
def services(tmp_path):
    services = Services(tmp_path)
    shoe = PtyPort(services.folder.port)
    shoe.plug()
    yield services
    shoe.unplug()


def break_the_procedure(station: Station) -> None:
    """Once the shoe is there: a round, and a card on the wrong place."""
    next(said for said in station.hears() if said.get("kind") == "device_found")
    for line in WRONG_PLACE:
        station.say(line)
    next(said for said in station.hears() if said.get("kind") == "faulted")


def test_a_fault_and_its_end_reach_targets_that_were_down_and_are_not_repeated_after_a_stop(services):
    with Station(services.folder.config) as station:
        break_the_procedure(station)
        eventually(lambda: station.events().count("not_delivered") >= 2)
        with services.up():
            eventually(lambda: services.told(FAULT))
            station.say(RULE)
            eventually(lambda: station.events().count("delivered") == 4)
        assert station.finishes() == 0
        assert services.told(FAULT, END)
        assert "mailto" not in station.errors()
    with services.up(), Station(services.folder.config) as station:
        station.say('rule resume by maria because "all cards are in the record"')  # the restart paused the round
        eventually(lambda: station.events().count("delivered") == 8)
    assert (len(services.mailed()), len(services.hooked())) == (4, 4)
    fault, end, *_ = (message.get_content() for message in services.mail.took)
    assert re.search(r"due was: a card to PLAYER\s+came: 9♣ at BANKER\s+may be ruled: Move a card, Burn", fault)
    assert "maria rules: Burn the card, draw 1 – slipped out" in end
    assert str(services.mail.took[0]["To"]) == "maria@example.com"


def test_a_table_killed_before_it_could_deliver_delivers_after_its_restart(services):
    with Station(services.folder.config) as station:
        break_the_procedure(station)
        eventually(lambda: station.events().count("not_delivered") >= 2)
        station.process.kill()
        station.ends()
    with services.up(), Station(services.folder.config):
        eventually(lambda: services.told(FAULT))


def test_a_table_killed_the_moment_a_fault_is_recorded_delivers_it_and_its_end(services):
    with services.up():
        with Station(services.folder.config) as station:
            break_the_procedure(station)
            station.process.kill()
            station.ends()
        with Station(services.folder.config) as station:
            station.say(RULE)
            eventually(lambda: services.told(FAULT, END))


def test_a_target_that_never_answers_holds_up_neither_the_table_nor_its_end(services):
    silence = Silence()
    with services.folder.config.open("a") as config:
        config.write(f'[alerts.silent]\nurl = "json://127.0.0.1:{silence.port}/?rto=600"\n')
    with services.up(), Station(services.folder.config) as station:
        break_the_procedure(station)
        assert silence.called.wait(15)
        for line in (RULE, "card 2C", "card 3C", "card 4C"):
            station.say(line)
        eventually(lambda: services.folder.count("dealt") == 3)
        eventually(lambda: services.told(FAULT, END))
        began = time.monotonic()
        assert station.finishes() == 0
        assert time.monotonic() - began < 12  # and not the ten minutes of the target
    assert silence.left.wait(10)
