"""`tablectl emulate --replay`: what a capture holds is said at the port, which is gone afterwards."""

import pytest
from click.testing import CliRunner

from controller.cli import main

CAPTURE = "0.0 shoe < 05 31 50\n0.1 shoe > 02 03\n20.0 shoe < 06 36\n"


@pytest.mark.parametrize(("capture", "said"), [(CAPTURE, 5), ("# nothing yet\n", 0)])
def test_a_capture_is_said_at_the_named_port_and_counted(tmp_path, capture, said):
    file, link = tmp_path / "capture", tmp_path / "shoe"
    file.write_text(capture, encoding="utf-8")
    words = ["emulate", "bee_tek", "--link", str(link), "--replay", str(file), "--speed", "1000"]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, f"bee_tek at {link}\n{said} bytes said\n")
    assert not link.is_symlink()
