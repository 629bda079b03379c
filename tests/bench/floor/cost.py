"""Measure processor time and memory of a studio's programs, as the kernel counts them."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class ProcessorShare(NamedTuple):
    """Share of a processor that a program took between two measurements, and megabytes at the end."""

    processor: float
    memory: float


class ProgramMeter:
    """Meter of programs; each program can be several processes."""

    def __init__(self, programs: Mapping[str, Sequence[int]]) -> None:
        self._programs = programs
        self._began = self._look()

    def _look(self) -> tuple[float, dict[str, float]]:
        return time.monotonic(), {name: sum(map(_seconds, ids)) for name, ids in self._programs.items()}

    def spent(self) -> dict[str, ProcessorShare]:
        """Return what each program took since the meter was made."""
        (began, before), (now, after) = self._began, self._look()
        return {
            name: ProcessorShare((after[name] - before[name]) / (now - began), sum(map(megabytes, ids)))
            for name, ids in self._programs.items()
        }


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def megabytes(process: int) -> float:
    """Return the resident memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def family(process: int) -> list[int]:
    """Return the ids of a process and all its descendants."""
    below = [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return [process, *(one for child in below for one in family(child))]
