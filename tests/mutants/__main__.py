"""Change the code in small ways, one at a time, and see whether the tests of its area fail on each change.

A sample that the seed picks out of all mutants. Each is made in a copy of the project and tested there; it is killed
when a test fails or hangs, and else has survived. Survivors are shown, but for those that `equivalent.toml` explains.

    python -m tests.mutants [--count N] [--seed N] [AREA ...]

Exit 1 where a mutant has survived that is not explained.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .mutate import Module, Mutant

ROOT = Path(__file__).parents[2]
NEEDED = ("controller", "drivers", "tests", "config", "pyproject.toml", "README.md", "docs")  # by the tests
HUNG = 60  # seconds for one test
CORE = ("tests/core", "tests/script/test_edges.py", "tests/table/test_table.py", "tests/script/test_script_export.py")
TOLD = (
    "tests/web/test_player_screen.py",
    "tests/reports/test_significant.py",
    "tests/journal/test_format.py",
)  # as people read it


class Area(NamedTuple):
    """What is changed, and what should notice: the tests that are close to it, then others."""

    folder: str
    close: tuple[str, ...]
    others: tuple[str, ...]


AREAS = {
    "decide": Area(
        folder="controller/core/decide",
        close=("tests/core/test_rulings.py", "tests/script/test_play.py"),
        others=(*CORE, *TOLD, "tests/games"),
    ),
    "games": Area(
        folder="controller/games",
        close=("tests/games",),
        others=("tests/rtp", "tests/script/test_play.py", "tests/config/test_config.py", *CORE, *TOLD),
    ),
    "shoes": Area(
        folder="drivers/shoes",
        close=("tests/drivers/test_bee_tek.py", "tests/drivers/test_angel_eye.py"),
        others=(
            "tests/drivers/test_angel_eye_emulator.py",
            "tests/station/test_devices.py",
            "tests/config/test_config.py",
        ),
    ),
}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("areas", nargs="*", metavar="AREA", choices=[[], *AREAS], help=f"out of {', '.join(AREAS)}")
    words.add_argument("--count", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    areas = {name: AREAS[name] for name in given.areas or AREAS}
    with tempfile.TemporaryDirectory(prefix="tablectl-mutants-") as folder:
        return look(Path(folder), areas, given.count, given.seed)


def look(folder: Path, areas: Mapping[str, Area], count: int, seed: int) -> int:
    """Test a sample in a copy of the project, and say what came of it."""
    copy(folder)
    modules = [(area, module) for area in areas.values() for module in modules_of(folder, area)]
    everything = [(area, module, number) for area, module in modules for number in range(len(module))]
    chosen = random.Random(seed).sample(everything, min(count, len(everything)))
    print(f"{len(chosen)} of {len(everything)} mutants, seed {seed}")
    for area in areas.values():
        if not passes(folder, area):
            print(f"the tests of {area.folder} fail as it is; nothing was changed", file=sys.stderr)
            return 2
    survivors = list(survive(folder, [(area, module[number]) for area, module, number in chosen]))
    return tell(survivors, len(chosen))


def copy(folder: Path) -> None:
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)


def modules_of(folder: Path, area: Area) -> list[Module]:
    paths = sorted((folder / area.folder).rglob("*.py"))
    return [Module(folder, path.relative_to(folder)) for path in paths]


def survive(folder: Path, mutants: Sequence[tuple[Area, Mutant]]) -> Iterator[Mutant]:
    for number, (area, mutant) in enumerate(mutants, start=1):
        began = time.monotonic()
        path = folder / mutant.path
        text = path.read_text(encoding="utf-8")
        put(path, mutant.code)
        survived = passes(folder, area)
        put(path, text)
        word = "SURVIVED" if survived else "killed"
        print(f"{number}/{len(mutants)} {word} in {time.monotonic() - began:.0f} s: {mutant}", flush=True)
        if survived:
            yield mutant


def put(path: Path, code: str) -> None:
    """Write a module. What was compiled of it goes: it is told apart by size and second only."""
    path.write_text(code, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()


def passes(folder: Path, area: Area) -> bool:
    """Whether no test of the area fails, in the copy."""
    return all(_pass(folder, tests) for tests in (area.close, area.others))


def _pass(folder: Path, tests: Sequence[str]) -> bool:
    quiet = ("-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-o", f"timeout={HUNG}")
    command = (sys.executable, "-m", "pytest", *quiet, "--hypothesis-seed=1", *tests)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode == 0


def tell(survivors: Sequence[Mutant], count: int) -> int:
    """The score and the survivors. An equivalent mutant is no other program: it does not count."""
    explained = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8"))["mutant"]
    known = {(one["was"], one["now"]): one["why"] for one in explained}
    equivalent = [mutant for mutant in survivors if (mutant.was, mutant.now) in known]
    for mutant in equivalent:
        print(f"equivalent: {mutant}\n  {known[mutant.was, mutant.now]}")
    left = [mutant for mutant in survivors if mutant not in equivalent]
    for mutant in left:
        print(f"survived: {mutant}")
    real = count - len(equivalent)
    print(f"score: {real - len(left)} of {real} killed, {len(equivalent)} equivalent, {len(left)} survived")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
