"""An auditor's reading: what each round came to, and whether the rule sheets give the same again."""

import msgspec
from msgspec.structs import replace

from controller.core import records as r
from controller.core.house import House, Terms
from controller.core.records import Record
from controller.games import GAMES
from controller.reports.replay import Replay, summaries
from controller.script.play import Play
from controller.script.reader import parse

THREE_ROUNDS = """
open
close
card 9C
card 2D
card KH
card 3S
card 4D
rule burn by manager1
open
card 7C
rule cancel by manager1 because "wrong shoe"
open
close
card 2C
"""


def played(script: str, game: str = "baccarat", terms: Terms | None = None) -> list[Record]:
    play = Play(House(GAMES[game], GAMES[game].settings(), terms or Terms()))
    for _ in play.run(parse(script)):
        pass
    return play.records


def replayed(records: list[Record]) -> Replay:
    audit = Replay()
    for record in records:
        audit.take(record)
    return audit


def test_each_round_is_summed_up_with_its_end_and_its_faults():
    rounds = list(summaries(played(THREE_ROUNDS)))
    assert [(one.round, one.end, one.told, one.faults) for one in rounds] == [
        (1, "settled", "player", ["extra_card"]),
        (2, "cancelled", "wrong shoe", ["card_before_close"]),
        (3, "live", "", []),
    ]
    assert [one.game for one in rounds] == ["baccarat"] * 3
    assert rounds[0].outcome is not None
    assert rounds[0].outcome["banker"] == 5
    assert rounds[0].at == "2026-01-01T00:00:00.000000Z"


def test_a_record_without_rounds_has_no_summary():
    assert list(summaries(played(""))) == []


def test_replay_drives_every_settled_round_again():
    audit = replayed(played(THREE_ROUNDS))
    assert (audit.rounds, audit.differences, audit.unread) == (1, [], 0)


def test_replay_after_corrections_finds_no_difference():
    script = "open|close|card 2C|card 3D|card 2D|card AS|card 8H|press manager|rule correct 1 6C by m|rule burn by m"
    audit = replayed(played(script.replace("|", "\n"), terms=Terms(confirm="dealer")))
    assert (audit.rounds, audit.differences) == (1, [])


def test_replay_names_the_round_whose_result_is_not_the_rule_sheets():
    records = played("open\nclose\ncard 9C\ncard 2D\ncard KH\ncard 3S\n")
    forged = [
        replace(record, what=replace(record.what, outcome={**record.what.outcome, "winner": "banker"}))
        if isinstance(record.what, r.Settled)
        else record
        for record in records
    ]
    (difference,) = replayed(forged).differences
    assert difference.startswith("round 1: ")
    assert "'winner': 'banker'" in difference
    assert "'winner': 'player'" in difference


def test_replay_names_a_dealt_card_that_was_changed():
    records = played("open\nclose\ncard 2C\ncard 9D\ncard 3H\ncard KS\n")
    forged = [
        replace(record, what=replace(record.what, card="9C"))
        if isinstance(record.what, r.Dealt) and record.what.draw == 1
        else record
        for record in records
    ]
    assert replayed(forged).differences


def test_a_checkpoint_that_cannot_be_read_is_a_finding():
    records = played(THREE_ROUNDS)
    last = max(place for place, record in enumerate(records) if isinstance(record.what, r.Checkpoint))
    spoilt = replace(records[last], what=r.Checkpoint(msgspec.Raw(b'{"seq":"none"}')))
    (difference,) = replayed([spoilt, *records[last + 1 :]]).differences
    assert difference.startswith(f"record {spoilt.seq}: ")


def test_after_a_record_that_does_not_follow_replay_goes_on_from_the_next_checkpoint():
    records = played(THREE_ROUNDS)
    audit = replayed([records[0], *records[2:]])
    assert len(audit.differences) == 1
    assert audit._state == replayed(records)._state


def test_a_round_of_another_version_is_read_and_not_driven():
    records = [
        replace(record, what=replace(record.what, version="0.9")) if isinstance(record.what, r.Opened) else record
        for record in played("open\nclose\ncard 9C\ncard 2D\ncard KH\ncard 3S\n")
    ]
    audit = replayed(records)
    assert (audit.rounds, audit.unread, audit.differences) == (0, 1, [])
    assert audit.report() == {"records": len(records), "rounds": 0, "other_versions": 1, "differences": []}
