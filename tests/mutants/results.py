"""Verdicts on mutants: a line each in a file, from which a later run continues, and a table by room."""

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from .mutant import Mutant, room_of

EQUIVALENT = Path(__file__).parent / "equivalent.toml"


@dataclass(frozen=True)
class MutantVerdict:
    """Result of a mutant's tests.

    `word`: killed, refused, survived or equivalent. `by`: killing test, mypy's error, or why it is equivalent. `tried`:
    number of tests.
    """

    key: str
    path: str
    line: int
    was: str
    now: str
    word: str
    by: str
    tried: int
    seconds: float

    @classmethod
    def of(cls, mutant: Mutant, *, killed: bool, by: str, tried: int, seconds: float) -> Self:
        word = "killed" if killed else "survived"
        return cls(mutant.key, mutant.path, mutant.line, mutant.was, mutant.now, word, by, tried, seconds)

    def __str__(self) -> str:
        by = f" ({self.by})" if self.by else ""
        return f"{self.word}{by}: {self.path}:{self.line}\n  - {self.was}\n  + {self.now}"


class MutantResults:
    """Verdicts of a run, stored in a file if a path is given."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        exists = path is not None and path.exists()
        self.verdicts = {one.key: one for one in read(path)} if exists else {}

    def add(self, verdict: MutantVerdict) -> None:
        self.verdicts[verdict.key] = verdict
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(verdict)) + "\n")

    def killers(self) -> list[str]:
        return sorted(
            {one.by for one in self.verdicts.values() if one.word == "killed" and one.by.startswith("tests/")}
        )

    def forget(self, killers: Iterable[str]) -> None:
        """Drop the verdicts that these tests caused."""
        names = set(killers)
        self.verdicts = {key: one for key, one in self.verdicts.items() if one.by not in names}


def read(path: Path) -> list[MutantVerdict]:
    """Return the verdicts of a file; for a mutant that was tested again, the last one."""
    lines = path.read_text(encoding="utf-8").splitlines()
    verdicts = (MutantVerdict(**json.loads(line)) for line in lines if line.endswith("}"))
    return list({one.key: one for one in verdicts}.values())


def explained(verdicts: Iterable[MutantVerdict], path: Path = EQUIVALENT) -> list[MutantVerdict]:
    """Return the verdicts; survivors that `equivalent.toml` explains become "equivalent"."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    reasons = {(one["path"], one["was"], one["now"]): one["why"] for one in entries}

    def explain(one: MutantVerdict) -> MutantVerdict:
        why = reasons.get((one.path, one.was, one.now))
        return replace(one, word="equivalent", by=why) if why and one.word == "survived" else one

    return [explain(one) for one in verdicts]


def table(verdicts: Sequence[MutantVerdict]) -> str:
    """Return the counts by room, and the rates of those that tests kill, and that tests or mypy notice.

    Equivalent mutants do not count in the rates.
    """
    rooms = sorted({room_of(one.path) for one in verdicts})
    rows = [_row(room, [one for one in verdicts if room_of(one.path) == room]) for room in rooms]
    head = f"{'room':24} {'drawn':>7} {'killed':>7} {'refused':>8} {'equivalent':>11} {'survived':>9} {'rates':>11}"
    return "\n".join([head, *rows, _row("all", verdicts)])


def _row(name: str, verdicts: Sequence[MutantVerdict]) -> str:
    words = [one.word for one in verdicts]
    killed, refused, equivalent, survived = map(words.count, ("killed", "refused", "equivalent", "survived"))
    counted = killed + refused + survived
    rates = f"{killed / counted:.0%} {(killed + refused) / counted:.0%}" if counted else "-"
    return f"{name:24} {len(words):7} {killed:7} {refused:8} {equivalent:11} {survived:9} {rates:>11}"
