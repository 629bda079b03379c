"""Salts of a live table: records that withhold a card have random bytes, new ones for each input."""

import re

import pytest
from msgspec.structs import replace

from controller.config.table_file import PROGRAM
from controller.core import events as e
from controller.core.encoding import encode, encode_input
from controller.games import GAMES
from controller.journal import verify
from controller.reports.replay import Replay
from tests.core.salts import given_away
from tests.patience import on_loop
from tests.table.test_table import HOLDEM, JournaledTable, started

HOUSE = replace(HOLDEM, program=PROGRAM)
DEALT = (e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 100), e.Close(), e.CardOut("AC"), e.CardOut("7D"))


@pytest.fixture
def recorded(tmp_path):
    """Records on disk of a table stopped with one hidden card and restarted, which then got another."""

    async def steps():
        before = await started(tmp_path / "t.journal", HOUSE)
        before.take(*DEALT, e.CardOut("KS"))
        before.close()
        rig = JournaledTable(tmp_path / "t.journal", HOUSE)
        rig.table.start("d1")
        rig.take(e.Rule("resume", "anna", "seen"), e.CardOut("QS"))
        rig.close()
        return rig.recorded()

    return on_loop(steps)


def test_a_live_table_salts_each_hidden_card_anew(recorded):
    salts = [record.salt for record in recorded if record.kind == "dealt" and not record.what.face_up]
    assert len(set(salts)) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)


def test_a_restart_in_mid_round_gives_no_hidden_card_away(recorded):
    assert given_away(recorded, "KS") == given_away(recorded, "QS") == []


def test_a_salted_record_on_disk_verifies_and_replays(recorded, tmp_path):
    assert verify(tmp_path / "t.journal").finding is None
    audit = Replay(GAMES, PROGRAM)
    audit.take([(one.seq, encode(one), one.input and encode_input(one.input), b"") for one in recorded])
    audit.finish()
    assert (audit.differences, audit.others) == ([], [])
