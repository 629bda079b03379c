"""Test that a run is refused, with their names, if installed packages add games or devices."""

import pytest

from tests.foreign_packages import refuse_foreign_packages


def test_no_test_runs_beside_packages_with_games_or_devices(tmp_path, monkeypatch):
    refuse_foreign_packages()
    info = tmp_path / "vendor_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vendor-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablectl.games]\nvendors = vendor:GAME\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(pytest.UsageError, match="found vendor-games: pip uninstall vendor-games"):
        refuse_foreign_packages()
