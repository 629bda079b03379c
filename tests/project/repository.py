"""Run git in a test's own tree, with an invented author and without the user's configuration."""

import os
import subprocess
from pathlib import Path

IDENTITY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def git(tree: Path, *arguments: str, **environment: str) -> str:
    """Run git in the tree; returns its output. `environment`: variables such as GIT_COMMITTER_DATE."""
    return subprocess.run(
        ["git", "-c", "user.name=who", "-c", "user.email=who@example.com", *arguments],
        cwd=tree, env={**os.environ, **IDENTITY, **environment}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
