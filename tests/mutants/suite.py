"""Map of a test suite: the functions that each test runs, its cost, and the sources it reads as text."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .copies import ProjectCopy
from .instrument import Function, functions_of, instrumented

ROOMS = ("controller", "drivers")
PATIENCE = 3 * 3600.0  # seconds, for all tests
LOG_END = 4000  # characters of pytest's output that are shown where tests fail in an unchanged copy


@dataclass
class CostedTest:
    """Test and its cost. `fixtures`: processor seconds of setup and teardown, shared within its file."""

    name: str
    seconds: float
    fixtures: float
    wall: float
    hits: list[int] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]

    @property
    def cost(self) -> float:
        """Seconds of work; part of the wall time counts, as a browser's processor time is not measured."""
        return max(self.seconds, self.wall / 4, 0.005)


@dataclass
class Suite:
    """Passing tests and functions of the project. `failing`: tests that fail on unchanged code."""

    sources: str
    files: dict[str, str]
    functions: list[Function]
    cases: dict[str, CostedTest]
    failing: list[str]

    @classmethod
    def load(cls, path: Path) -> "Suite":
        fields = json.loads(path.read_text(encoding="utf-8"))
        fields["functions"] = [Function(*one) for one in fields["functions"]]
        fields["cases"] = {one["name"]: CostedTest(**one) for one in fields["cases"]}
        return cls(**fields)

    def save(self, path: Path) -> None:
        own = {**vars(self), "cases": [asdict(case) for case in self.cases.values()]}
        path.write_text(json.dumps(own), encoding="utf-8")

    def leave_out(self, names: Sequence[str], copy: ProjectCopy) -> list[str]:
        """Run these tests in an unchanged copy; remove and return the failing ones.

        A test that only a mutant has, since it changed a parameter's name, cannot run there and is not returned.
        """
        left_out = failing(copy, [name for name in names if name in self.cases or "::" not in name])
        self.failing += left_out
        self.cases = {name: case for name, case in self.cases.items() if name not in left_out}
        return left_out


def failing(copy: ProjectCopy, names: Sequence[str]) -> list[str]:
    """Run tests or files of tests; return those that do not pass."""
    if names:
        result = copy.run(names, (), PATIENCE)
        if not result.passed:
            print(copy.log()[-LOG_END:], flush=True)
    ended = {one["test"]: one["failed"] for one in copy.notes() if "test" in one}

    def fails(name: str) -> bool:
        own = [failed for test, failed in ended.items() if test == name or test.startswith((f"{name}[", f"{name}::"))]
        return any(own) or not own

    return [name for name in names if fails(name)]


def modules(root: Path) -> list[str]:
    """Return the paths of all modules that can be mutated."""
    return sorted(str(path.relative_to(root)) for room in ROOMS for path in (root / room).rglob("*.py"))


def look_up(tree: Path, folder: Path, jobs: int, kept: Path | None) -> Suite:
    """Return the map of a project's tests; if `kept` has the same sources, run only changed test files."""
    sources, files = _digest(tree, modules(tree)), {path: _digest(tree, [path]) for path in _test_files(tree)}
    suite = Suite.load(kept) if kept and kept.exists() else None
    if suite is None or suite.sources != sources:
        suite = Suite(sources, {}, _functions(tree), {}, [])
    changed = [path for path in files if suite.files.get(path) != files[path]]
    gone = suite.files.keys() - files.keys()
    suite.cases = {name: one for name, one in suite.cases.items() if one.file not in gone.union(changed)}
    suite.failing = [name for name in suite.failing if name.partition("::")[0] not in gone.union(changed)]
    suite.files = files
    if changed:
        print(f"which functions do the tests of {len(changed)} files run?", flush=True)
        _note(suite, tree, folder, changed, jobs)
        if kept:
            suite.save(kept)
    return suite


def _note(suite: Suite, tree: Path, folder: Path, files: Sequence[str], jobs: int) -> None:
    """Run the tests of `files` with probes; run the failing ones again without probes."""
    copy = ProjectCopy(tree, folder / "i")
    for number, function in enumerate(suite.functions):
        if function.is_module:
            copy.put(function.path, instrumented(copy.text(function.path), number))
    copy.run(files, _workers(jobs), PATIENCE)
    notes = copy.notes()
    cases = {one["test"]: _case(one) for one in notes if "test" in one}
    if not cases:
        raise SystemExit(f"no test ran:\n{copy.log()}")
    _add_hits(cases, copy.hits())
    _add_reads(cases, notes)
    failed = [one["test"] for one in notes if one.get("failed")]
    print(f"{len(cases)} tests ran, {len(failed)} failed with probes; their processor seconds: {_total(cases):.0f}")
    suite.cases.update(cases)
    suite.leave_out(failed, ProjectCopy(tree, folder / "f"))


def _case(note: dict) -> CostedTest:
    return CostedTest(note["test"], note["seconds"], note["fixtures"], note["wall"])


def _add_hits(cases: dict[str, CostedTest], hits: Iterable[tuple[str, list[int]]]) -> None:
    found: dict[str, set[int]] = defaultdict(set)
    for name, numbers in hits:
        found[name].update(numbers)
    for name, case in cases.items():
        case.hits = sorted(found[name])


def _add_reads(cases: dict[str, CostedTest], notes: Iterable[dict]) -> None:
    """Add the sources that tests read; sources read while a file is collected count for all its tests."""
    reads = {one.get("test", one.get("collected")): one["reads"] for one in notes if one.get("reads")}
    for name, case in cases.items():
        case.reads = sorted({*reads.get(name, ()), *reads.get(case.file, ())})


def _workers(jobs: int) -> tuple[str, ...]:
    return ("-n", str(jobs), "--dist", "worksteal") if jobs > 1 else ()


def _total(cases: dict[str, CostedTest]) -> float:
    return sum(case.seconds for case in cases.values())


def _functions(tree: Path) -> list[Function]:
    return [one for path in modules(tree) for one in functions_of(path, (tree / path).read_text(encoding="utf-8"))]


def _test_files(tree: Path) -> list[str]:
    return sorted(str(path.relative_to(tree)) for path in (tree / "tests").rglob("test_*.py"))


def _digest(tree: Path, paths: Iterable[str]) -> str:
    parts = (path.encode() + b"\0" + (tree / path).read_bytes() for path in paths)
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
