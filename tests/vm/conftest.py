"""Fixtures of the PC in software: three tables run on it, and no device was ever plugged in.

Each test starts from a copy of its disk and memory. pytest prints a table of results at the end; `--write FILE` writes
the table into a page too.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.rig import ROOT
from tests.vm.pc import SNAPSHOT, SoftwarePc
from tests.vm.processor import has_kvm
from tests.vm.results import VmResults
from tests.vm.tables import SHOES, VmTable

RESULTS = pytest.StashKey[VmResults]()


def pytest_addoption(parser):
    parser.addoption("--debian", choices=("bookworm", "trixie"), default="bookworm", help="what the PC runs")
    parser.addoption("--reuse", action="store_true", help="the PC as it was made the last time")
    parser.addoption("--write", type=Path, help="a page that the table of results is written into")


@pytest.fixture(scope="session")
def image(pytestconfig) -> Path:
    """Build the PC's kernel and disks, or take the last ones with `--reuse`; return their folder."""
    debian, began = pytestconfig.getoption("debian"), time.monotonic()
    folder = ROOT / "dist" / "vm" / debian
    ready = folder / "ready.qcow2"
    if not (pytestconfig.getoption("reuse") and ready.exists()):
        shutil.rmtree(folder, ignore_errors=True)
        script = ROOT / "tests" / "vm" / "image.sh"
        subprocess.run(["bash", script, folder, debian], check=True, env=os.environ | {"PYTHON": sys.executable})
        make_ready(folder, ready.with_suffix(".new"))
        ready.with_suffix(".new").rename(ready)
    kernel = (folder / "kernel").read_text().strip()
    processor = "KVM" if has_kvm(folder / "vmlinuz") else "emulated processor"
    results = pytestconfig.stash[RESULTS] = VmResults(debian, kernel, processor)
    results.heard("the_package_is_installed_and_the_pc_boots", "call", "passed", time.monotonic() - began)
    return folder


def make_ready(folder: Path, disk: Path) -> None:
    """Boot the PC for the first time, start three tables, and save a snapshot on this disk."""
    overlay(folder / "root.img", disk)
    with SoftwarePc(folder, disk) as pc:
        for name in SHOES:
            pc.run("tablectl", "table", "new", name, "--game", "baccarat")
            pc.write(f"/etc/tablectl/{name}.toml", VmTable(pc, name).config())
            pc.run("tablectl", "check", f"/etc/tablectl/{name}.toml")
        pc.run("systemctl", "enable", "--now", *(f"tablectl@{name}" for name in SHOES))
        for name in SHOES:
            VmTable(pc, name).stands("idle")
        pc.run("sync")
        output = pc.monitor("human-monitor-command", **{"command-line": f"savevm {SNAPSHOT}"})
        assert output == "", output


def overlay(base: Path, disk: Path) -> None:
    """Create a writable qcow2 disk with the content of `base`, which stays unchanged."""
    command = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", base, disk]
    subprocess.run(command, check=True)


@pytest.fixture
def disk(image, tmp_path) -> Iterator[Path]:
    """Copy of the ready PC's disk, deleted after the test."""
    copy = tmp_path / "disk.qcow2"
    subprocess.run(["cp", "--reflink=auto", "--sparse=always", image / "ready.qcow2", copy], check=True)
    yield copy
    copy.unlink()


@pytest.fixture
def pc(image, disk) -> Iterator[SoftwarePc]:
    with SoftwarePc(image, disk, SNAPSHOT) as one:
        yield one


@pytest.fixture
def documents(image, pytestconfig) -> list[str]:
    """Rows of the results table for document pages; each page's test appends one."""
    return pytestconfig.stash[RESULTS].documents


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    results = item.config.stash.get(RESULTS, None)
    if results is not None and item.get_closest_marker("vm"):
        results.heard(item.name, report.when, report.outcome, report.duration)
    return report


def pytest_terminal_summary(terminalreporter, config):
    results = config.stash.get(RESULTS, None)
    if results is None:
        return
    terminalreporter.write_line("\n" + results.table())
    if page := config.getoption("write"):
        results.write(page)
