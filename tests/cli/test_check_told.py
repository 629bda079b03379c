"""Output of `tablectl check` for a small table: one line for each part, `none` for a missing one."""

from click.testing import CliRunner

from controller.cli import main

CONFIG = """
[table]
name = "t1"
[game]
name = "rhum32"
[shoe]
model = "bee_tek"
port = "/dev/serial/by-id/none"
[journal]
path = "t1.journal"
[web]
listen = "127.0.0.1:0"
"""


def test_check_has_a_line_for_each_part_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "t1.toml").write_text(CONFIG, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "t1.toml"])
    lines = dict(line.split(": ", 1) for line in result.output.splitlines())
    assert result.exit_code == 0, result.output
    assert lines["t1.toml"].startswith("sound; it could run here")
    assert lines["table t1"] == "rhum32, 52 cards, result confirmed by dealer"
    assert lines["shoe"] == "bee_tek at /dev/serial/by-id/none, 9600 baud, only listened to"
    parts = {name: lines[name] for name in ("panel", "beacon", "badge reader", "alerts", "journal", "anchor")}
    assert parts == {**dict.fromkeys(parts, "none"), "journal": "t1.journal"}
    assert lines["pages"] == "http://127.0.0.1:0"
    assert lines["game server"] == "none required"
    assert lines["people"] == "the shift managers of the users file (no registry)"
