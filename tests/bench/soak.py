"""Check that a table does not grow over thousands of rounds while its devices are pulled.

The panel is on the real libusb of a umockdev testbed, the shoe behind a device server. With --no-panel the shoe is on a
real pty: not beside the testbed, because umockdev miscounts a file that one thread opens and another one closes, and
aborts the program after some 200 pulls. A simulated dealer deals through the table's own socket; a simulated shift
manager rules on the faults. After each part memory, threads and descriptors are measured. At the end the slope of
memory is printed, in KiB a round with its error (`tests.bench.growth`), and the record is verified.

    python -m tests.bench.soak [--rounds 5000] [--after 250] [--pulls 0.2] [--no-panel] [--folder DIR]

Needs the Debian packages umockdev, gir1.2-umockdev-1.0, python3-gi and libusb-1.0-0.
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from controller.cli import main as tablectl
from controller.cli.client import NoAnswer, ask
from controller.journal import read, verify
from controller.lab.commands.dealers_line import AtSocket
from controller.lab.demo.api_pace import ApiPace
from controller.lab.demo.dealer import DemoDealer
from controller.lab.demo.hands import DealtCards, Hands, RemotePlayers, Shift, deck_of, errors
from controller.station import guard
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.port import EmulatedPort
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.tcp_port import TcpPort
from tests.bench.growth import Use, grown, slope, use
from tests.bench.testbed import NoPanel, UmockPanel, testbed
from tests.needs import umockdev
from tests.ports import free

ROOT = Path(__file__).parents[2]
SPEED = 100_000.0
KEY = 3  # of the panel: SHUFFLED, which this game does not use
RULINGS = ("resume", "rescan", "burn", "move", "void", "cancel")
COUNTED = ("settled", "cancelled", "faulted", "ruled", "device_lost", "ignored")
CONFIG = """
[table]
name = "soak"
dealer = "d1"
[game]
name = "baccarat"
[shoe]
port = "{port}"
allow = ["cancel_error"]
[panel]
{panel}
[timers]
betting = 3600
[journal]
path = "{folder}/soak.journal"
[api]
socket = "{folder}/soak.sock"
[web]
listen = "off"
"""


class Soak:
    """Dealer, shift manager and pulled plugs of one table, and the measured samples."""

    def __init__(
        self,
        folder: Path,
        port: str,
        table: "subprocess.Popen[bytes]",
        panel: UmockPanel | NoPanel,
        given: argparse.Namespace,
    ) -> None:
        self._table, self._panel, self._given = table, panel, given
        self._dice = random.Random(given.seed)
        self._pulls, self._pulling = Counter[str](), asyncio.Event()
        self._pulling.set()
        self._socket = folder / "soak.sock"
        self._pace = ApiPace(AtSocket(self._socket), SPEED, lambda _: None, look=0.005)
        self._port: EmulatedPort = (
            TcpPort("127.0.0.1", int(port.rpartition(":")[2])) if "://" in port else PtyPort(Path(port))
        )
        self.uses: list[tuple[int, Use]] = []

    async def run(self) -> None:
        """Play all rounds of the soak."""
        await self._panel.do("plug")
        deck, hides = await deck_of(self._pace)
        shoe = EmulatedAngelEye(self._port, deck=deck.cards, decks=deck.copies, seed=self._given.seed)
        shoe.plug()
        shoe.watch()
        hands = Hands(shoe, self._pace, DealtCards(deck, given=False, dice=self._dice))
        dealer = DemoDealer(hands, RemotePlayers(self._pace), self._pace, self._dice, hides=hides)
        dealing = asyncio.create_task(self._deal(Shift(hands, self._pace, dealer)))
        beside = [asyncio.create_task(each) for each in (self._rule(), self._pull(), self._live())]
        try:
            ended, _ = await asyncio.wait([dealing, *beside], return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in (dealing, *beside):
                task.cancel()
            await asyncio.wait([dealing, *beside])
            shoe.unplug()

    async def _deal(self, shift: Shift) -> None:
        for rounds in self._parts():
            await shift.work(errors(0.02, self._dice), rounds)
            await self._tell()

    async def _live(self) -> None:
        """Wait until the table's process ends, then raise RuntimeError."""
        while self._table.poll() is None:
            await asyncio.sleep(0.1)
        raise RuntimeError(f"the table ended with {self._table.returncode}")

    def _parts(self):
        rest = self._given.rounds
        while rest > 0:
            yield min(rest, self._given.after)
            rest -= self._given.after

    async def _tell(self) -> None:
        """Measure what the table uses, at rest with all devices connected; keep and print the sample."""
        mocked = not self._given.no_panel
        self._pulling.clear()
        while (await asyncio.to_thread(ask, self._socket, "GET", "/api/state")).body["lost"]:
            await asyncio.sleep(0.1)
        least = use(self._table.pid, mocked=mocked)
        for _ in range(40):  # memory of a running verification or answer is no growth
            await asyncio.sleep(0.05)
            least = Use(*map(min, least, use(self._table.pid, mocked=mocked)))
        self.uses.append((self._pace.state["round"], least))
        self._pulling.set()
        print(
            f"round {self._pace.state['round']:>6}: {least.memory:>7} KiB, {least.threads} threads, "
            f"{least.files} descriptors; pulled: shoe {self._pulls['shoe']}, panel {self._pulls['panel']}",
            flush=True,
        )

    async def _rule(self) -> None:
        """Act as shift manager: choose a random ruling for each fault as soon as one is offered."""
        while True:
            fault = self._pace.state.get("fault")
            if fault is not None and (offered := self._offered(fault)):
                command = {"command": "rule", "fault": fault["seq"], "ruling": offered, "because": "soak"}
                command["id"] = f"{fault['seq']}-{offered}-{self._dice.random()}"
                try:
                    await asyncio.to_thread(ask, self._socket, "POST", "/api/commands", command)
                except NoAnswer as trouble:
                    print(trouble)
            await asyncio.sleep(0.02)

    def _offered(self, fault: dict) -> str | None:
        fits = [one for one in RULINGS if one in fault["rulings"]]
        if fault["code"] == "device_lost" and "resume" not in fits:
            return None  # wait: the device is plugged in again
        return self._dice.choice(fits) if fits else None

    async def _pull(self) -> None:
        """Pull and put back a random plug at random times, then press a key of the panel."""
        while True:
            await asyncio.sleep(self._dice.expovariate(self._given.pulls * 5))
            await self._pulling.wait()
            if self._dice.random() < 0.5:
                self._pulls["shoe"] += 1
                self._port.unplug()
                await asyncio.sleep(self._dice.random() * 0.3)
                self._port.plug()
            else:
                self._pulls["panel"] += 1
                await self._panel.do("unplug")
                await asyncio.sleep(self._dice.random() * 0.3)
                await self._panel.do("plug")
            await self._panel.do(f"press {KEY}")
            await self._panel.do(f"release {KEY}")


def soak(folder: Path, given: argparse.Namespace) -> list[str]:
    """Run the soak; return a sentence for each thing that is wrong at its end."""
    config = folder / "soak.toml"
    port = f"{folder}/shoe" if given.no_panel else f"socket://127.0.0.1:{free()}"
    panel_model = "" if given.no_panel else 'model = "xk24"'
    config.write_text(CONFIG.format(folder=folder, panel=panel_model, port=port), encoding="utf-8")
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    with ExitStack() as stack:
        panel = NoPanel() if given.no_panel else UmockPanel(stack.enter_context(testbed({**own, **umockdev()})))
        log = stack.enter_context((folder / "log").open("w"))
        command = [sys.executable, "-m", "tests.bench.soak", "--table", config]
        environment = {**own, **panel.environment}
        table = stack.enter_context(subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log))
        stack.callback(table.kill)
        work = Soak(folder, port, table, panel, given)
        asyncio.run(work.run())
        table.terminate()
        ended = table.wait(60)
    if (found := slope(work.uses)) is not None:
        print(f"memory: {found}")
    return grown(work.uses) + unsound(folder, given.rounds) + ([f"the table ended with {ended}"] if ended else [])


def unsound(folder: Path, rounds: int) -> list[str]:
    """Verify the record and print its counts; return a sentence for each missing kind of record."""
    kinds = Counter(record.kind for record in read(folder / "soak.journal"))
    print(", ".join(f"{kinds[kind]} {kind}" for kind in COUNTED))
    verdict = verify(folder / "soak.journal")
    print(f"{verdict.records} records valid")
    problems = [] if kinds["settled"] + kinds["cancelled"] >= rounds else ["rounds are missing"]
    return problems + [f"{kind}: none" for kind in ("settled", "faulted", "device_found") if not kinds[kind]]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=5000)
    words.add_argument("--after", type=int, default=250, help="rounds after which it is measured, each time")
    words.add_argument("--pulls", type=float, default=0.2, help="how often plugs are pulled: five times this a second")
    words.add_argument("--no-panel", action="store_true", help="the shoe alone")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--folder", type=Path, help="where to write; by default in memory")
    words.add_argument("--table", type=Path, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.table is not None:
        guard.BURST = guard.STEADY = 10.0**9  # this dealer is no person
        tablectl(["run", str(given.table)])
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=given.folder or "/dev/shm") as folder:
        problems = soak(Path(folder), given)
    print(f"{time.monotonic() - began:.0f} s; " + ("; ".join(problems) or "nothing grew, the record stands"))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
