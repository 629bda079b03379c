"""Records made by an older version: they can still be read, and replay reports no false difference."""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest

from controller.config.table_file import PROGRAM
from controller.core.encoding import decode
from controller.core.fold import fold
from controller.core.state import State
from controller.core.views import AUDIENCES, view
from controller.games import GAMES
from controller.reports.replay import Replay
from controller.text.records import sentence

FILE = Path(__file__).parent / "recorded" / "before_the_difference.jsonl.gz"


def tables():
    """Return the rows of each recorded table, as they were on its disk."""
    found = defaultdict(list)
    for line in gzip.decompress(FILE.read_bytes()).splitlines():
        name, seq, record, given = json.loads(line)
        found[name].append((seq, record.encode(), given and given.encode(), b""))
    return found


TABLES = tables()


@pytest.mark.parametrize("name", TABLES)
def test_an_older_versions_record_replays_without_a_false_difference(name):
    audit = Replay(GAMES, PROGRAM)
    audit.take(TABLES[name])
    audit.finish()
    assert audit.differences == []
    assert audit.rounds + audit.read
    assert "rulings were carried out by another program: rounds with one are not decided again" in audit.others


@pytest.mark.parametrize("name", TABLES)
def test_an_older_versions_record_is_read_and_put_in_words(name):
    records = [decode(line) for _, line, _, _ in TABLES[name]]
    assert fold(State(), records).seq == len(records)
    sentences = [sentence(view(record, audience)) for record in records for audience in AUDIENCES]
    assert all(sentences)
