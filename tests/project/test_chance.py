"""Tests of random tests: hypothesis has no deadline, and the seed of proofs follows the commit."""

import subprocess

from hypothesis import settings

from tests.chance import WITHOUT_GIT, seed_of_commit


def test_each_commit_gives_another_seed_and_always_the_same(tmp_path):
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    seeds = [seed_of_commit(tmp_path)]
    for subject in ("one", "two"):
        subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", subject], check=True)
        seeds.append(seed_of_commit(tmp_path))
        assert seeds[-1] == seed_of_commit(tmp_path)
    assert len(set(seeds)) == 3
    assert seeds[0] == WITHOUT_GIT


def test_a_missing_folder_has_the_seed_without_git(tmp_path):
    assert seed_of_commit(tmp_path / "none") == WITHOUT_GIT


def test_no_hypothesis_example_has_a_deadline():
    assert settings().deadline is None
