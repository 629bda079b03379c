"""Tests of `make release`: it never releases half, and the same sources give the same bytes."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.repository import git

ROOT = Path(__file__).parents[2]
CHANGES = "# Changelog\n\n## [Unreleased]\n\n- A round can be watched.\n"


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Make a git tree with one commit of this tree's files, without the tests."""
    tree = tmp_path_factory.mktemp("sources")
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in names.stdout.splitlines():
        if name.startswith("tests/") or not (ROOT / name).exists():
            continue
        place = tree / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes((ROOT / name).read_bytes())
        place.chmod((ROOT / name).stat().st_mode)
    (tree / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "as it is")
    for key, value in (("user.name", "who"), ("user.email", "who@example.com")):
        git(tree, "config", key, value)
    return tree


@pytest.fixture
def tree(sources, tmp_path):
    """Copy the sources to a tree that the test can change."""
    return shutil.copytree(sources, tmp_path / "tree", symlinks=True)


def release(tree, version):
    command = [tree / "packaging" / "release.sh", sys.executable, version]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def spoilt(tree):
    (tree / "README.md").write_text("spoilt", encoding="utf-8")


def silent(tree):
    (tree / "CHANGELOG.md").write_text(CHANGES.replace("- A round can be watched.\n", ""), encoding="utf-8")
    git(tree, "commit", "-qam", "nothing is said")


@pytest.mark.parametrize(
    ("version", "before", "said"),
    [
        ("1.2", None, "expected a version such as 1.2.0, got '1.2': make release RELEASE=1.2.0"),
        ("", None, "expected a version such as 1.2.0, got '': make release RELEASE=1.2.0"),
        ("1.2.0", spoilt, "there are changes that are not committed; commit or remove them first"),
        ("1.2.0", silent, "CHANGELOG.md says nothing under [Unreleased]"),
        ("1.2.0", lambda tree: git(tree, "tag", "v1.2.0"), "there is a release 1.2.0 already"),
    ],
)
def test_a_tree_that_is_not_ready_is_not_released(tree, version, before, said):
    if before:
        before(tree)
    head = git(tree, "rev-parse", "HEAD")
    refused = release(tree, version)
    assert (refused.returncode, refused.stderr) == (1, f"tablectl: {said}\n")
    assert git(tree, "rev-parse", "HEAD") == head
    assert not (tree / "dist").exists()


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_a_release_is_built_twice_to_the_byte_and_tagged(tree):
    result = release(tree, "1.2.0")
    assert result.returncode == 0, result.stderr
    assert "version 1.2.0 is built and tagged" in result.stdout
    sums = dict(reversed(line.split()) for line in (tree / "dist/SHA256SUMS-1.2.0").read_text().splitlines())
    assert {name.partition("1.2.0")[2] for name in sums} == {"-py3-none-any.whl", ".cdx.json", ".tar.gz", "_amd64.deb"}
    for name, digest in sums.items():
        assert hashlib.sha256((tree / "dist" / name).read_bytes()).hexdigest() == digest
    assert git(tree, "log", "-1", "--format=%s%d").startswith("Version 1.2.0 (HEAD -> main, tag: v1.2.0)")
    assert "## [Unreleased]\n\n## [1.2.0] - " in (tree / "CHANGELOG.md").read_text(encoding="utf-8")
    assert '__version__ = "1.2.0"' in (tree / "controller/__init__.py").read_text(encoding="utf-8")


HALF = """#!/bin/sh
for file; do :; done
echo half of it >"$file"
kill -9 $PPID
"""


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_a_half_written_package_has_no_package_name(tree, tmp_path):
    """The build is killed in its last step, as by a power cut: only a `.part` file may be left."""
    shims = tmp_path / "shims"
    shims.mkdir()
    (shims / "dpkg-deb").write_text(HALF)
    (shims / "dpkg-deb").chmod(0o755)
    environment = {**os.environ, "PATH": f"{shims}:{os.environ['PATH']}"}
    result = subprocess.run([tree / "packaging/deb.sh", sys.executable], env=environment, check=False)
    assert result.returncode == -signal.SIGKILL
    assert [path.suffix for path in (tree / "dist").iterdir()] == [".part"]
