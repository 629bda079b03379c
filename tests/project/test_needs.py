"""Tests that a test says in one sentence which program or right this PC lacks."""

import os
import sys

import pytest

from tests import needs
from tests.needs import NETWORK, STRACE, UMOCKDEV, MissingNeed, need, strace, umockdev
from tests.networks import alone


@pytest.fixture(autouse=True)
def anew():
    need.cache_clear()
    yield
    need.cache_clear()


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """Simulate a PC without any programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(needs, "DEBIAN_PYTHON", str(tmp_path / "python3"))


@pytest.mark.parametrize(("use", "says"), [(strace, STRACE), (umockdev, UMOCKDEV), (alone, NETWORK)])
def test_a_missing_program_is_named_in_one_sentence(bare, use, says):
    with pytest.raises(MissingNeed) as lacking:
        use()
    text = str(lacking.value)
    assert text.startswith(f"{says}; ")
    assert "No such file or directory" in text
    assert "\n" not in text


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "import sys; print('not\\npermitted', file=sys.stderr)"])
def test_a_program_that_fails_or_complains_is_lacking(code):
    with pytest.raises(MissingNeed, match=r"it takes root; (3|not permitted)$"):
        need((sys.executable, "-c", code), "it takes root")


def test_a_program_that_works_is_tried_once(tmp_path):
    command = (sys.executable, "-c", f"open({str(tmp_path / 'tried')!r}, 'a').write('.')")
    for _ in range(3):
        need(command, "it takes root", HOME=os.devnull)
    assert (tmp_path / "tried").read_text() == "."
