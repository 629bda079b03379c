"""The seed of the proofs: new for each commit, so that their runs add up. Other tests keep seeds of their own.

`PROOF_SEED=7 make proof` repeats a run. Statistical proofs, which any seed fails now and then, keep a fixed one.
"""

import os
import subprocess
from pathlib import Path

VARIABLE = "PROOF_SEED"
WITHOUT_GIT = 1


def seed_of_commit(folder: Path) -> int:
    """A number made of the newest commit's hash; WITHOUT_GIT where there is no commit or no git."""
    command = ["git", "-C", folder, "rev-parse", "--verify", "HEAD"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return WITHOUT_GIT
    return int(said[:8], 16)


SEED = int(os.environ.get(VARIABLE) or seed_of_commit(Path(__file__).parent))
os.environ[VARIABLE] = str(SEED)  # for the workers of pytest and for programs that a test starts
