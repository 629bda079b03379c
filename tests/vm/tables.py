"""The tables of the PC, and what people do at them."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.shoes import EmulatedShoe
from drivers.emulators.xkeys import EmulatedXK24
from tests.patience import eventually
from tests.vm.pc import PATIENCE, Pc

OPEN, CLOSE, FINISH = 0, 1, 2  # keys of the panel
CARDS = ["9C", "2D", "KH", "3S"]  # a natural: Player has 9
PACE = 0.3  # seconds between two looks at a table
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
    """How many cards lie in the round."""
    return sum(len(cards) for cards in state["places"].values())


class Table:
    """Table that runs on a PC."""

    def __init__(self, pc: Pc, name: str) -> None:
        self.pc, self.name, self.unit = pc, name, f"tablectl@{name}.service"
        self.journal = Path(f"/var/lib/tablectl/{name}/{name}.journal")

    def config(self, devices: str = "") -> str:
        """Its config. The address of t1 is not there until a test brings it."""
        return TABLE.format(name=self.name, listen=LISTEN[self.name]) + (devices or SHOES[self.name])

    def state(self) -> Mapping[str, Any]:
        """Where it stands; nothing while it does not answer."""
        return self.pc.ask(self.name, "/api/state") or {}

    def until(self, holds: Callable[[Mapping[str, Any]], object]) -> Mapping[str, Any]:
        """Wait until it stands so."""
        last: Mapping[str, Any] = {}

        def looked() -> bool:
            nonlocal last
            time.sleep(PACE)  # asked without a pause it would do little else
            last = self.state()
            return bool(last) and bool(holds(last))

        try:
            eventually(looked, round(PATIENCE / PACE))
        except AssertionError:
            raise AssertionError(f"{last}\n{self.log()[-3000:]}") from None
        return last

    def stands(self, life: str) -> Mapping[str, Any]:
        """Wait for this part of a round's life."""
        return self.until(lambda state: state["life"] == life)

    def has(self, *devices: str) -> None:
        """Wait until it has these."""
        self.until(lambda _: set(devices) <= self.present())

    def misses(self, device: str) -> None:
        """Wait until it knows that this one is gone."""
        self.until(lambda state: device in state["lost"] and device not in self.present())

    def present(self) -> set[str]:
        """The devices that it has."""
        told = self.pc.ask(self.name, "/api/devices") or {"devices": []}
        return {one["device"]["name"] for one in told["devices"] if one["present"]}

    def paused(self, code: str) -> Mapping[str, Any]:
        """Wait for this fault."""
        return self.until(lambda state: state["life"] == "paused" and state["fault"]["code"] == code)

    def command(self, *words: str, check: bool = True) -> str:
        """A command of the table's, with its name."""
        return self.pc.run("tablectl", *words, "--table", self.name, check=check)

    def opens(self) -> None:
        """A round, to its close, by commands."""
        self.command("open")
        self.command("close")
        self.stands("dealing")

    def settles(self) -> None:
        """The dealer confirms the result, and the record is sound."""
        self.command("press", "finish")
        self.settled()

    def settled(self) -> None:
        """The round is over, as its cards have it, and the record is sound."""
        assert self.stands("settled")["outcome"]["winner"] == "player"
        assert "records stand" in self.pc.run("tablectl", "journal", "verify", self.journal)

    def resume(self) -> None:
        """The shift manager has looked: it goes on."""
        self.command("rule", "resume", "--because", "nobody has touched a card")

    def records(self, *kinds: str) -> list[str]:
        """The records of these kinds, in order, as an auditor sees them."""
        shown = self.pc.run("tablectl", "journal", "export", self.journal)
        return [line for line in shown.splitlines() if any(f'"kind":"{kind}"' in line for kind in kinds)]

    def troubles(self) -> str:
        """What it tells of itself that is wrong."""
        return "\n".join((self.pc.ask(self.name, "/healthz") or {"troubles": ()})["troubles"])

    def deals(self, shoe: EmulatedShoe, until: int) -> None:
        """Draw cards until so many lie in the round."""
        while (lie := lying(self.state())) < until:
            shoe.draw()
            self.until(lambda state, lie=lie: lying(state) > lie)

    def says(self, name: str) -> str:
        """A property of its unit."""
        return self.pc.run("systemctl", "show", "--value", "-p", name, self.unit).strip()

    def log(self) -> str:
        return self.pc.run("journalctl", "--no-pager", "-o", "cat", "-u", self.unit, check=False)


class FirstTable(Table):
    """That with a shoe and a panel."""

    def __init__(self, pc: Pc) -> None:
        super().__init__(pc, "t1")
        self.shoe = EmulatedBeeTek(pc.serial["serial1"], cards=CARDS)
        self.panel = EmulatedXK24(pc.usb_socket("usb1"), serial="P1")

    def plugs(self) -> "FirstTable":
        """Both are plugged in."""
        self.shoe.plug()
        self.panel.plug()
        self.has("shoe", "panel")
        return self

    def begins(self, cards: int = 2) -> "FirstTable":
        """A round by the panel's keys, until so many cards lie."""
        self.plugs()
        self.panel.tap(OPEN)
        self.stands("betting")
        for _ in range(2):  # before its time is up
            self.panel.tap(CLOSE)
        self.stands("dealing")
        self.deals(self.shoe, cards)
        return self

    def ends(self) -> None:
        """The rest of the round."""
        self.deals(self.shoe, len(CARDS))
        self.panel.tap(FINISH)
        self.settled()
