"""Health of devices counted from a growing record: each record once."""

from contextlib import closing

import pytest

from controller.journal import Journal, head_of
from controller.station import device_figures
from controller.station.device_figures import HealthBook
from tests.core.bench import Bench


@pytest.fixture
def path(tmp_path):
    """Record of a table whose shoe was lost three times."""
    table = Bench()
    table.says("lost shoe; found shoe; lost shoe; found shoe; lost shoe")
    assert table.records[-1].kind == "device_lost"
    with closing(Journal(tmp_path / "t.journal")) as book:
        book.append(table.records)
    return tmp_path / "t.journal"


def test_a_record_counts_once_however_often_it_is_read(path):
    health = HealthBook(path, "table")
    for _ in range(3):
        health.read()
        assert health.health_of("shoe").losses == 3


def test_a_record_made_during_a_read_counts_once(path, monkeypatch):
    health, end = HealthBook(path, "table"), head_of(path)
    with monkeypatch.context() as early:
        early.setattr(device_figures, "head_of", lambda _: end._replace(seq=end.seq - 4))
        health.read()
    losses = health.health_of("shoe").losses
    health.read()
    assert (losses, health.health_of("shoe").losses) == (3, 3)
