"""Tests that only locked packages are installed, and that the bill of materials lists all of them."""

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.test_architecture import SOURCES, imports

ROOT = Path(__file__).parents[2]
LEVELS = ("run", "bus", "demo", "dev", "mutants", "supply")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(
    r"^([a-z0-9.-]+)==(\S+)(?: ; (.+?))? \\((?:\n    --hash=sha256:[0-9a-f]{64} \\)*\n    --hash=sha256:[0-9a-f]{64})$",
    re.M,
)


@cache
def locked(level: str) -> dict[str, tuple[str, str | None]]:
    """Return release and marker of each locked package, by name; assert that the file has no other line."""
    text = (ROOT / "requirements" / f"{level}.txt").read_text()
    assert PIN.sub("", text).strip() == "", "a line that is no pin with its hashes"
    return {name: (release, marker or None) for name, release, marker, _ in PIN.findall(text)}


@cache
def distributions() -> set[str]:
    """Return the names of the packages that the program imports, without the optional ones."""
    ours, packages = {"controller", "drivers"}, packages_distributions()
    imported = {name.partition(".")[0] for path in SOURCES for name in imports(path)}
    names = imported - sys.stdlib_module_names - ours - {""}
    optional = {"libusb_package", "nats", "nkeys", "nacl"}  # `pip install tablectl[usb]`, `tablectl[bus]`
    return {canonicalize_name(one) for name in names - optional for one in packages[name]}


@pytest.mark.parametrize("level", LEVELS)
def test_every_package_is_locked_by_its_hashes(level):
    assert {"pip", "hatchling", "editables", *distributions()} <= set(locked(level))


@pytest.mark.parametrize("level", LEVELS)
def test_the_lock_meets_the_requirements_of_the_project(level):
    extras = PROJECT["optional-dependencies"]
    groups = {
        "run": [],
        "bus": ["bus"],
        "demo": ["demo", "bus"],
        "dev": ["dev", "test", "demo", "bus"],
        "mutants": ["mutants", "dev", "test", "demo", "bus"],
        "supply": ["supply"],
    }[level]
    for text in (*PROJECT["dependencies"], *(one for extra in ("build", *groups) for one in extras[extra])):
        requirement = Requirement(text)
        if requirement.name != "tablectl":
            release, _ = locked(level)[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(release), text


def test_all_levels_lock_the_same_release_of_a_package():
    releases = {(name, release) for level in LEVELS for name, (release, _) in locked(level).items()}
    assert len(releases) == len({name for name, _ in releases})


def test_this_environment_is_what_was_locked():
    for name, (release, marker) in locked("dev").items():
        if marker is None or Marker(marker).evaluate():
            assert version(name) == release, name


def test_nothing_is_installed_without_the_lock():
    makefile = (ROOT / "Makefile").read_text()
    assert "PIP_INSTALL := -m pip install --quiet --no-input --disable-pip-version-check --no-deps\n" in makefile
    installs = re.findall(r"python\"? \$\(PIP_INSTALL\) (.+?) ?(?:&&.*|;.*)?$", makefile, re.MULTILINE)
    assert sorted(installs) == [
        "--no-build-isolation -e .",
        "--no-build-isolation .",
        "--require-hashes --no-build-isolation -r requirements/$(1).txt",
        "--require-hashes --no-build-isolation -r requirements/bus.txt",
        "--require-hashes -r requirements/run.txt",
        "--require-hashes -r requirements/run.txt",
    ]
    assert makefile.count("pip install") == 1


def test_the_bill_of_materials_covers_every_import(tmp_path):
    path = tmp_path / "sbom.cdx.json"
    (recipe,) = re.findall(r"cyclonedx-py requirements .+?bus\.txt", (ROOT / "Makefile").read_text(), re.S)
    words = recipe.replace("\\\n", " ").replace("dist/sbom.cdx.json.part", str(path)).split()
    program = Path(sys.executable).with_name(words[0])
    subprocess.run([program, *words[1:], "--no-validate"], cwd=ROOT, check=True, capture_output=True)  # it is slow
    bill = json.loads(path.read_text())
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "tablectl")
    parts = {part["name"]: part["version"] for part in bill["components"]}
    assert parts == {name: release for name, (release, _) in locked("bus").items()}
    assert distributions() <= set(parts)
    assert all(part["externalReferences"][0]["hashes"] for part in bill["components"])


def test_security_md_says_how_a_hole_is_reported():
    text = (ROOT / "SECURITY.md").read_text()
    assert "Report a vulnerability" in text
    assert re.search(r"within \w+ working days", text)
