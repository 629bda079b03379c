"""Tests of a package's version: each build of a fix gets a newer one, a release keeps its own."""

import os
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from tests.project.repository import git

ROOT = Path(__file__).parents[2]
FIX, NEXT = "2026-01-31T09:05:07+0200", "2026-01-31T09:05:08+0200"


@pytest.fixture
def tree(tmp_path) -> Path:
    """Make a git tree of version 0.1.0 with one commit, made at the time FIX."""
    top = tmp_path / "tree"
    for name in ("packaging/version.sh", "controller/__init__.py"):
        (top / name).parent.mkdir(parents=True)
        shutil.copy2(ROOT / name, top / name)
    source = top / "controller/__init__.py"
    source.write_text(re.sub(r'__version__ = ".*"', '__version__ = "0.1.0"', source.read_text()))
    git(top, "init", "-q")
    commit(top, FIX)
    return top


def commit(tree: Path, date: str) -> str:
    """Commit the whole tree at this time; return the commit's hash."""
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "--allow-empty", "-m", "a fix", GIT_COMMITTER_DATE=date)
    return git(tree, "rev-parse", "HEAD").strip()


def version(tree: Path) -> str:
    return subprocess.run([tree / "packaging/version.sh"], capture_output=True, text=True, check=True).stdout.strip()


def rises(*versions: str) -> bool:
    """Return whether dpkg takes each version for newer than the version before it."""
    commands = (["dpkg", "--compare-versions", older, "lt", newer] for older, newer in pairwise(versions))
    return all(subprocess.run(command, check=False).returncode == 0 for command in commands)


def change(tree: Path, seconds: int) -> None:
    """Change the source file and set its time of last change, in seconds since 1970."""
    source = tree / "controller/__init__.py"
    source.write_text(f"{source.read_text()}# changed at {seconds}\n")
    os.utime(source, (seconds, seconds))


def test_a_build_has_its_commits_second_and_hash(tree):
    assert version(tree) == f"0.1.0+git20260131.070507.{git(tree, 'rev-parse', 'HEAD')[:8]}"
    assert version(tree) == version(shutil.copytree(tree, tree.with_name("clone")))


def test_builds_rise_from_their_release_to_the_next(tree):
    first = version(tree)
    commit(tree, NEXT)
    assert rises("0.1.0", first, version(tree), "0.1.1")
    assert rises(version(tree), "0.2.0")


def test_uncommitted_changes_are_named_and_rise_until_the_commit(tree):
    clean, newest = version(tree), max(path.stat().st_mtime for path in tree.rglob("*"))
    change(tree, int(newest) + 60)
    first = version(tree)
    change(tree, int(newest) + 61)
    second = version(tree)
    assert first.startswith(f"{clean}.dirty")
    commit(tree, NEXT)
    assert rises(clean, first, second, version(tree))


def test_a_deleted_file_makes_the_tree_dirty(tree):
    clean = version(tree)
    (tree / "controller/__init__.py").rename(tree / "controller/old.py")
    (tree / "controller/__init__.py").write_text('__version__ = "0.1.0"\n')
    (tree / "controller/old.py").unlink()
    assert version(tree).startswith(f"{clean}.dirty")


def test_a_release_keeps_its_plain_version_while_unchanged(tree):
    git(tree, "tag", "-a", "v0.1.0", "-m", "tablectl 0.1.0")
    assert version(tree) == "0.1.0"
    (tree / "note").touch()
    assert ".dirty" in version(tree)
    commit(tree, NEXT)
    assert version(tree).startswith("0.1.0+git")


def test_sources_without_git_have_the_plain_version(tree):
    shutil.rmtree(tree / ".git")
    assert version(tree) == "0.1.0"


def test_a_clone_that_git_cannot_read_makes_no_package(tree):
    shutil.rmtree(tree / ".git")
    (tree / ".git").touch()
    refused = subprocess.run([tree / "packaging/version.sh"], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.endswith(
        "tablectl: git cannot read this clone (see above), and the package's version comes from its commit\n"
    )
