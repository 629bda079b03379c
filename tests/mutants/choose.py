"""Choose the tests that can notice a mutant, and the order in which they are tried."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath

from .instrument import innermost
from .mutant import Mutant
from .suite import CostedTest, Suite, modules

BATCHES = (4.0, 16.0, 40.0)  # processor seconds of a batch: the first kills most mutants; the last size repeats
OPENED = 0.3  # seconds to import and collect one more file of tests
FOR_FAR = 0.25  # of the budget, for tests that are not known to run the changed function
READS_ONLY = 1000  # functions assumed for a test that only reads sources: it is about all of them
WALKS = "pkgutil.py"  # tests that import it look at all modules, as do tests that import those tests
OF_ALL = ("tests/documents/test_documents.py",)  # shows what all modules hold, through few functions
NEAR, BESIDE, FAR, FARTHER = 1.0, 10.0, 100.0, 300.0  # distance: from tests that run the function


class Chooser:
    """Finds the tests of a mutant in the map of a suite."""

    def __init__(self, tree: Path, suite: Suite) -> None:
        self._suite = suite
        self._ran: dict[int, set[str]] = defaultdict(set)
        self._readers: dict[str, set[str]] = defaultdict(set)
        self._of_file: dict[str, set[str]] = defaultdict(set)
        for case in suite.cases.values():
            self._of_file[case.file].add(case.name)
            for number in case.hits:
                self._ran[number].add(case.name)
            for path in case.reads:
                self._readers[path].add(case.file)
        self._importers = importers(tree, [*modules(tree), *suite.files])
        walkers = self._importers[WALKS] & suite.files.keys()
        self._of_all = walkers.union(OF_ALL, *(self._importers[path] for path in walkers))

    def running(self, mutant: Mutant) -> set[str]:
        """Return the tests that run the mutant's function."""
        return self._ran[innermost(self._suite.functions, mutant.path, mutant.line)]

    def batches(self, mutant: Mutant, budget: float) -> Iterator[list[str]]:
        """Yield batches of tests, the most useful first, until they cost `budget` processor seconds."""
        sizes = iter(BATCHES)
        size, batch, spent = next(sizes), list[str](), 0.0
        for name, cost in self._affordable(self._distances(mutant), PurePath(mutant.room).name, budget):
            batch.append(name)
            spent += cost
            if spent >= size:
                yield _by_file(batch)
                size, batch, spent = next(sizes, BATCHES[-1]), [], 0.0
        if batch:
            yield _by_file(batch)

    def _affordable(self, distances: Mapping[str, float], room: str, budget: float) -> Iterator[tuple[str, float]]:
        """Yield tests and their costs, the most useful first; distant tests get only a part of the budget."""
        worth = self._worth(distances, room)
        far, files = budget * FOR_FAR, set[str]()
        for name in sorted(worth, key=worth.__getitem__):
            case = self._suite.cases[name]
            cost = case.cost - case.fixtures if case.file in files else case.cost + OPENED
            is_far = distances[name] >= FAR
            if is_far and cost > far:
                continue
            yield name, cost
            files.add(case.file)
            far -= cost if is_far else 0
            budget -= cost
            if budget <= 0:
                break

    def _distances(self, mutant: Mutant) -> dict[str, float]:
        """Return all tests that may notice a mutant, with their distance from it."""
        function = innermost(self._suite.functions, mutant.path, mutant.line)
        in_module = self._in_module([mutant.path])
        importers = self._importers[mutant.path] | self._of_all
        direct = {name for path in importers for name in self._of_file.get(path, ())}
        readers = {name for file in self._readers[mutant.path] for name in self._of_file[file]}
        near, beside = {*self._ran[function]}, self._beside(self._ran[function]) | readers
        far, farther = self._beside(in_module | direct), set[str]()
        if self._suite.functions[function].is_module:
            second = {path for one in importers for path in self._importers[one]}
            farther = self._in_module(second)
            beside |= self._in_module(importers)
            near |= in_module | direct
        rings = ((farther, FARTHER), (far, FAR), (beside, BESIDE), (near, NEAR))  # the nearest counts
        return {name: distance for names, distance in rings for name in names}

    def _beside(self, names: Iterable[str]) -> set[str]:
        """Return all tests of these tests' files: fixtures of a file run in its first test only."""
        files = {self._suite.cases[name].file for name in names}
        return {name for file in files for name in self._of_file[file]}

    def _in_module(self, paths: Iterable[str]) -> set[str]:
        """Return the tests that run a function of these modules."""
        files = set(paths)
        numbers = (number for number, one in enumerate(self._suite.functions) if one.path in files)
        return {name for number in numbers for name in self._ran[number]}

    def _worth(self, distances: Mapping[str, float], room: str) -> dict[str, float]:
        """Return a number for each test; the lowest is tried first.

        Near and cheap tests come first, which run few functions, belong to the mutant's room and differ from others.
        """
        worth = {name: _worth(self._suite.cases[name], distance, room) for name, distance in distances.items()}
        alike: dict[str, int] = defaultdict(int)  # the same test with other parameters
        for name in sorted(worth, key=worth.__getitem__):
            test = name.partition("[")[0]
            alike[test] += 1
            worth[name] *= alike[test]
        return worth


def _worth(case: CostedTest, distance: float, room: str) -> float:
    elsewhere = 1 if room in PurePath(case.file).parts else 3
    return (case.cost + OPENED / 10) * distance * elsewhere * max(len(case.hits) or READS_ONLY, 5) ** 0.5


def _by_file(names: Iterable[str]) -> list[str]:
    """Return the tests grouped by file, as tests of a file share its fixtures."""
    files: dict[str, list[str]] = defaultdict(list)
    for name in names:
        files[name.partition("::")[0]].append(name)
    return [name for file in files.values() for name in file]


def importers(tree: Path, paths: Iterable[str]) -> dict[str, set[str]]:
    """Return the files that import each module, by the module's path."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        for name in _imported(path, (tree / path).read_text(encoding="utf-8")):
            stem = name.replace(".", "/")
            found[f"{stem}.py"].add(path)
            found[f"{stem}/__init__.py"].add(path)
    return found


def _imported(path: str, text: str) -> Iterator[str]:
    """Yield the modules that a file imports, and all imported names that may be modules."""
    package = PurePath(path).parent.parts
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (module, *(f"{module}.{one.name}" for one in node.names))
