"""The tables on the software PC, their devices, and what people do at them."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.shoes import EmulatedShoe
from drivers.emulators.xkeys import EmulatedXK24
from tests.patience import eventually
from tests.vm.pc import PATIENCE, SoftwarePc

OPEN, CLOSE, FINISH = 0, 1, 2  # keys of the panel
CARDS = ["9C", "2D", "KH", "3S"]  # a natural: Player has 9
PACE = 0.3  # seconds between two requests for a table's state
ADDRESS = "10.0.2.15"
TABLE = """
[table]
name = "{name}"
dealer = "d1"
[game]
name = "baccarat"
[timers]
betting = 3600
stall = 3600
acknowledge = 3600
ruling = 3600
[journal]
path = "{name}.journal"
[clock]
wait = 0
[web]
listen = "{listen}"
plain = true
[shoe]
"""
SHOES = {
    "t1": 'model = "bee_tek"\nport = "/dev/table/shoe-SERIAL1-0001"\n[panel]\nmodel = "xk24"\n',
    "t2": 'model = "barcode"\nport = "/dev/table/shoe-SERIAL2-0001"\n',
    "t3": 'model = "hid_pos"\n[panel]\nmodel = "stream_deck"\n',
}
LISTEN = {"t1": f"{ADDRESS}:8032", "t2": "127.0.0.1:8033", "t3": "127.0.0.1:8034", "t4": "127.0.0.1:8035"}


def lying(state: Mapping[str, Any]) -> int:
    """Return how many cards lie on the table in this round."""
    return sum(len(cards) for cards in state["places"].values())


class VmTable:
    """Table that runs as a service on a software PC."""

    def __init__(self, pc: SoftwarePc, name: str) -> None:
        self.pc, self.name, self.unit = pc, name, f"tablectl@{name}.service"
        self.journal = Path(f"/var/lib/tablectl/{name}/{name}.journal")

    def config(self, devices: str = "") -> str:
        """Return the table's config. The PC does not have the web address of t1 until a test adds it."""
        return TABLE.format(name=self.name, listen=LISTEN[self.name]) + (devices or SHOES[self.name])

    def state(self) -> Mapping[str, Any]:
        """Return the table's state; empty while the table does not answer."""
        return self.pc.ask(self.name, "/api/state") or {}

    def until(self, holds: Callable[[Mapping[str, Any]], object]) -> Mapping[str, Any]:
        """Wait until the condition holds for the table's state; return this state."""
        last: Mapping[str, Any] = {}

        def looked() -> bool:
            nonlocal last
            time.sleep(PACE)  # without a pause the table would do little but answer
            last = self.state()
            return bool(last) and bool(holds(last))

        try:
            eventually(looked, round(PATIENCE / PACE))
        except AssertionError:
            raise AssertionError(f"{last}\n{self.log()[-3000:]}") from None
        return last

    def stands(self, life: str) -> Mapping[str, Any]:
        """Wait until the round's life is at this step; return the state."""
        return self.until(lambda state: state["life"] == life)

    def has(self, *devices: str) -> None:
        """Wait until these devices are present."""
        self.until(lambda _: set(devices) <= self.present())

    def misses(self, device: str) -> None:
        """Wait until the table reports this device as lost."""
        self.until(lambda state: device in state["lost"] and device not in self.present())

    def present(self) -> set[str]:
        """Return the names of the devices that are present."""
        body = self.pc.ask(self.name, "/api/devices") or {"devices": []}
        return {one["device"]["name"] for one in body["devices"] if one["present"]}

    def paused(self, code: str) -> Mapping[str, Any]:
        """Wait until this fault pauses the table; return the state."""
        return self.until(lambda state: state["life"] == "paused" and state["fault"]["code"] == code)

    def command(self, *words: str, check: bool = True) -> str:
        """Run a `tablectl` command for this table; return its output."""
        return self.pc.run("tablectl", *words, "--table", self.name, check=check)

    def opens(self) -> None:
        """Open a round and close its betting by commands; wait until cards may be dealt."""
        self.command("open")
        self.command("close")
        self.stands("dealing")

    def settles(self) -> None:
        """Confirm the result by command, as the dealer; check the settled round and the record."""
        self.command("press", "finish")
        self.settled()

    def settled(self) -> None:
        """Wait until the round is settled; check that the player has won and that the record verifies."""
        assert self.stands("settled")["outcome"]["winner"] == "player"
        assert "records valid" in self.pc.run("tablectl", "journal", "verify", self.journal)

    def resume(self) -> None:
        """Rule as the shift manager that the round continues."""
        self.command("rule", "resume", "--because", "nobody has touched a card")

    def records(self, *kinds: str) -> list[str]:
        """Return the records of these kinds in order, as the JSON lines of `journal export`."""
        shown = self.pc.run("tablectl", "journal", "export", self.journal)
        return [line for line in shown.splitlines() if any(f'"kind":"{kind}"' in line for kind in kinds)]

    def troubles(self) -> str:
        """Return the troubles that the table's health check names, one a line."""
        return "\n".join((self.pc.ask(self.name, "/healthz") or {"troubles": ()})["troubles"])

    def deals(self, shoe: EmulatedShoe, until: int) -> None:
        """Draw cards until this many lie on the table in the round."""
        while (lie := lying(self.state())) < until:
            shoe.draw()
            self.until(lambda state, lie=lie: lying(state) > lie)

    def says(self, name: str) -> str:
        """Return a property of the table's systemd unit."""
        return self.pc.run("systemctl", "show", "--value", "-p", name, self.unit).strip()

    def log(self) -> str:
        return self.pc.run("journalctl", "--no-pager", "-o", "cat", "-u", self.unit, check=False)


class FirstTable(VmTable):
    """Table t1, with a shoe and a panel."""

    def __init__(self, pc: SoftwarePc) -> None:
        super().__init__(pc, "t1")
        self.shoe = EmulatedBeeTek(pc.serial["serial1"], cards=CARDS)
        self.panel = EmulatedXK24(pc.usb_socket("usb1"), serial="P1")

    def plugs(self) -> "FirstTable":
        """Plug in shoe and panel, and wait until the table has found both."""
        self.shoe.plug()
        self.panel.plug()
        self.has("shoe", "panel")
        return self

    def begins(self, cards: int = 2) -> "FirstTable":
        """Plug in shoe and panel, open and close a round by the panel's keys, and deal this many cards."""
        self.plugs()
        self.panel.tap(OPEN)
        self.stands("betting")
        for _ in range(2):  # twice, since the betting time is not over
            self.panel.tap(CLOSE)
        self.stands("dealing")
        self.deals(self.shoe, cards)
        return self

    def ends(self) -> None:
        """Deal the rest of the round, confirm the result on the panel, and check it."""
        self.deals(self.shoe, len(CARDS))
        self.panel.tap(FINISH)
        self.settled()
