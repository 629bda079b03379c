"""The packages of `examples/`, installed as anybody would install them, in a folder that is put on the path."""

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
    """The packages, in this folder."""
    subprocess.run([sys.executable, *PIP.split(), folder, *PACKAGES], check=True, capture_output=True, text=True)
    return folder


def environment(site: Path) -> dict[str, str]:
    """What makes a program find them."""
    return {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}


def said(site: Path, folder: Path, *commands: str) -> list[Any]:
    """What these commands of tablectl print, one after the other in one process."""
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
    """All that lies in the packages, but for what Python keeps."""
    return {path for package in PACKAGES for path in package.rglob("*") if "__pycache__" not in path.parts}
