"""Change the code in small ways, one at a time, and see whether the tests fail on each change.

The seed draws a sample from all mutants of controller/ and drivers/. One run of all tests, with probes in the code,
shows which tests run which function. Then each mutant is made in a copy of the project, and its tests run there. It is
killed if a test fails, hangs or cannot be collected. Of the others, mypy refuses some, as `make lint` would; the rest
survives. The end lists the survivors, apart from those that `equivalent.toml` explains.

    python -m tests.mutants [--count N] [--seed N] [--results FILE] [--again FILE] [--tree FOLDER] [ROOM ...]

Exits with 1 if a mutant survived without an explanation.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue

from .choose import Chooser
from .copies import ProjectCopy
from .mutant import Mutant, MutantPlace, draw, room_of
from .mutate import NOISE, Module, surveyed
from .results import MutantResults, MutantVerdict, explained, read, table
from .suite import Suite, look_up, modules
from .verdict import Examiner

ROOT = Path(__file__).parents[2]


def main() -> int:
    given = _arguments()
    tree = given.tree.resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that started processes are ended too
    mutants = _chosen(tree, given)
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    folder.chmod(0o755)  # some tests start programs as another user
    try:
        map_path = given.map or (given.results and given.results.with_suffix(".map.json"))
        suite = look_up(tree, folder, given.jobs, map_path)
        if suite.failing:
            print("left out, since they fail in an unchanged copy:", *suite.failing, sep="\n  ")
        results = MutantResults(given.results)
        _test(mutants, results, suite, tree, folder, given)
        _refuse(mutants, results, ProjectCopy(tree, folder / "types"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _tell([results.verdicts[one.key] for one in mutants])


def _arguments() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").splitlines()[0])
    words.add_argument("rooms", nargs="*", metavar="ROOM", help="controller/core, drivers/shoes ...; without, all")
    words.add_argument("--count", type=int, default=200, help="mutants (200)")
    words.add_argument("--seed", type=int, help="without, one that is derived from the commit")
    words.add_argument("--budget", type=float, default=120, help="processor seconds of tests for a mutant (120)")
    words.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants tested at a time (a core each)")
    words.add_argument("--results", type=Path, help="JSON lines; a run that was cut off goes on with them")
    words.add_argument("--map", type=Path, help="which tests run what, kept for the same code (beside the results)")
    words.add_argument("--again", type=Path, help="test only the survivors in these results")
    words.add_argument("--tree", type=Path, default=ROOT, help="a checkout of another commit")
    return words.parse_args()


def _chosen(tree: Path, given: argparse.Namespace) -> list[Mutant]:
    """Return the mutants to test: a drawn sample, or the survivors of earlier results still in the code."""
    rooms = [room.rstrip("/") for room in given.rooms]
    paths = [path for path in modules(tree) if not rooms or room_of(path) in rooms]
    if not paths:
        raise SystemExit(f"no such room; there are: {', '.join(sorted({room_of(path) for path in modules(tree)}))}")
    with ProcessPoolExecutor(given.jobs) as pool:
        found = list(pool.map(partial(surveyed, tree), paths, chunksize=8))
    places = [place for one in found for place in one.places]
    if given.again:
        survivors = {one.key for one in explained(read(given.again)) if one.word == "survived"}
        drawn = [place for place in places if place.key in survivors]
        print(f"{len(drawn)} of {len(survivors)} survivors are still in the code")
    else:
        drawn = _drawn(tree, places, given)
        noise = sum((one.noise for one in found), Counter[str]())
        for kind, count in noise.items():
            print(f"left out: {count}, each of which {NOISE[kind]}")
    module = cache(partial(Module, tree))
    return [module(place.path).mutant(place) for place in drawn]


def _drawn(tree: Path, places: Sequence[MutantPlace], given: argparse.Namespace) -> list[MutantPlace]:
    seed = given.seed if given.seed is not None else _seed(tree)
    drawn = draw(places, seed, given.count)
    print(f"{len(drawn)} of {len(places)} mutants, --seed {seed}", flush=True)
    return drawn


def _seed(tree: Path) -> int:
    command = ["git", "rev-parse", "HEAD"]
    return int(subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True).stdout[:8], 16)


def _test(
    mutants: Sequence[Mutant], results: MutantResults, suite: Suite, tree: Path, folder: Path, given: argparse.Namespace
) -> None:
    """Test mutants until each has a verdict; drop verdicts by tests that fail in an unchanged copy, too."""
    unchanged = ProjectCopy(tree, folder / "u")
    while left := [one for one in mutants if one.key not in results.verdicts]:
        for number, verdict in enumerate(_verdicts(left, suite, tree, folder, given), start=1):
            results.add(verdict)
            print(f"{number}/{len(left)} in {verdict.seconds:.0f} s, {verdict}", flush=True)
        failing = suite.leave_out(results.killers(), unchanged)
        if failing:
            print("once more without these, which fail in an unchanged copy:", *failing, sep="\n  ")
        results.forget(failing)


def _verdicts(
    mutants: Sequence[Mutant], suite: Suite, tree: Path, folder: Path, given: argparse.Namespace
) -> Iterator[MutantVerdict]:
    """Test the mutants in parallel, in one copy a job; yield each verdict when it is known."""
    chooser, examiners = Chooser(tree, suite), SimpleQueue[Examiner]()
    copies = [ProjectCopy(tree, Path(tempfile.mkdtemp(dir=folder))) for _ in range(given.jobs)]
    for copy in copies:
        examiners.put(Examiner(copy, suite))

    def test(mutant: Mutant) -> MutantVerdict:
        examiner = examiners.get()
        try:
            return examiner.verdict(mutant, chooser.batches(mutant, given.budget))
        finally:
            examiners.put(examiner)

    with ThreadPoolExecutor(given.jobs) as pool:
        futures = [pool.submit(test, mutant) for mutant in mutants]
        try:
            yield from (future.result() for future in as_completed(futures))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in copies:
                copy.end_processes()


def _refuse(mutants: Sequence[Mutant], results: MutantResults, copy: ProjectCopy) -> None:
    """Have mypy look at the survivors; it takes a minute for the first one."""
    for one in mutants:
        verdict = results.verdicts[one.key]
        if explained([verdict])[0].word == "survived" and (error := copy.type_error(one.path, one.code)):
            results.add(replace(verdict, word="refused", by=error))


def _tell(verdicts: Sequence[MutantVerdict]) -> int:
    """Print the equivalent mutants, the survivors and the table; return 1 if a mutant survived."""
    results = explained(verdicts)
    left = [one for one in results if one.word == "survived"]
    print(*(one for one in results if one.word == "equivalent"), *left, table(results), sep="\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
