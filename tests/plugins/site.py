"""Install the packages of `examples/` with pip into a folder, and run programs that import from it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = tuple(ROOT / "examples" / name for name in ("three_card_poker", "barcode_shoe", "key_strip"))
PIP = (
    "-m pip install --quiet --no-index --no-deps --no-build-isolation --no-compile --disable-pip-version-check --target"
)


def install(folder: Path) -> Path:
    """Install the packages into this folder; return it."""
    subprocess.run([sys.executable, *PIP.split(), folder, *PACKAGES], check=True, capture_output=True, text=True)
    return folder


def environment(site: Path) -> dict[str, str]:
    """Return environment variables with which a program finds the packages."""
    return {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}


def run_commands(site: Path, folder: Path, *commands: str) -> list[Any]:
    """Run commands of tablectl one after the other in one process; return the output of each."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.plugins.uses", folder],
        input=json.dumps(commands),
        env={**environment(site), "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def files() -> set[Path]:
    """Return the paths of all files in the packages, without Python's caches."""
    return {path for package in PACKAGES for path in package.rglob("*") if "__pycache__" not in path.parts}
