"""Run `make test` beside eight processes that burn the processor, the disk and the memory.

    python -m tests.bench.loaded_suite [--runs 3]

Three processes compute, three write and fsync files, two fill 512 MiB of memory again and again. Prints for each run
its seconds, the highest load average and pytest's last line. Exits with 1 if a test failed.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = bytes(range(256)) * 4096  # 1 MiB
BLOCKS = 64  # MiB of a file, before it is overwritten


def compute(_: Path) -> None:
    """Square numbers until terminated."""
    number = 1
    while True:
        number = number * number % 1_000_003 + 2


def write(folder: Path) -> None:
    """Write a file block by block, each followed by an fsync, until terminated."""
    with (folder / str(os.getpid())).open("wb", buffering=0) as file:
        while True:
            file.seek(0)
            for _ in range(BLOCKS):
                file.write(BLOCK)
                os.fsync(file.fileno())


def fill(_: Path) -> None:
    """Fill 512 MiB of memory again and again until terminated."""
    while True:
        filled = bytearray(BLOCK * 512)
        for place in range(0, len(filled), 4096):
            filled[place] ^= 1


BURNERS: tuple[Callable[[Path], None], ...] = (compute,) * 3 + (write,) * 3 + (fill,) * 2


def main() -> int:
    """Run the suite the given number of times beside the burners; return 1 if a test failed."""
    words = argparse.ArgumentParser(prog="python -m tests.bench.loaded_suite")
    words.add_argument("--runs", type=int, default=3, help="how often make test runs (3)")
    given = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="loaded-") as folder:
        burners = [multiprocessing.Process(target=burn, args=(Path(folder),), daemon=True) for burn in BURNERS]
        for burner in burners:
            burner.start()
        try:
            failed = [run(number) for number in range(1, given.runs + 1)]
        finally:
            for burner in burners:
                burner.kill()
                burner.join()
    return 1 if any(failed) else 0


def run(number: int) -> bool:
    """Run the suite once and print its figures; return True if it failed."""
    began, loads, ended = time.monotonic(), [0.0], threading.Event()

    def watch() -> None:
        while not ended.wait(5):
            loads.append(os.getloadavg()[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        done = subprocess.run(["make", "test"], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    finally:
        ended.set()
        watcher.join()
    lines = done.stdout.splitlines()
    shown = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    print(f"run {number}: {time.monotonic() - began:.0f} s, load up to {max(loads):.0f}", *shown, sep="\n  ")
    print(f"  {lines[-1] if lines else done.stderr}", flush=True)
    if done.returncode:
        Path(f"{tempfile.gettempdir()}/loaded-{number}.log").write_text(done.stdout, encoding="utf-8")
    return bool(done.returncode)


if __name__ == "__main__":
    sys.exit(main())
