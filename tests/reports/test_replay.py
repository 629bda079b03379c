"""Replay of recorded inputs: each record follows from them to the byte, or the difference is named."""

import random
import re
import time

import msgspec
import pytest
from msgspec.structs import replace

from controller.config.table_file import PROGRAM
from controller.core import events as e
from controller.core import records as r
from controller.core import sheet
from controller.core.causes import NoServer
from controller.core.encoding import encode, encode_input, to_dict
from controller.core.house import House, Limits, Terms
from controller.core.position import Position
from controller.core.withholding import with_salt
from controller.games import GAMES, casino_holdem
from controller.journal import new_salt
from controller.lab.rtp.cores import spread
from controller.reports.replay import Replay
from controller.script.play import Play
from controller.script.reader import parse
from tests.chance import SEED
from tests.core.bench import Bench
from tests.core.chance import TABLES, Judge, happen
from tests.core.test_sheet import edited

SETTLED = "open\nbet p1 player 10.00\nclose\ncard 9C\ncard 2D\ncard KH\ncard 3S\n"
CANCELLED = "open\nbet p1 tie 5.00\nclose\ncard 7C\npress manager\nrule cancel by m\n"
FLUSH = """shuffled
open
bet p1 ante 10.00
close
card KS
card 9S
card 2D
card 2H
card 7S
card 5S
card 2S
decide p1 call
card 4D
card 3C
"""
HIDDEN_IN_PAUSES = """shuffled
open
bet p1 ante 10.00
close
card KS
card 9S
press manager
card 2D
restart
rule rescan by m
rule resume by m
card 2H
press manager
rule correct 3 5D by m because misread
rule correct 4 9H by m because misread
press manager
rule cancel by m
"""


def rows(records):
    """Return these records as rows of a journal, without hashes."""
    return [(one.seq, encode(one), one.input and encode_input(one.input), b"") for one in records]


def played(script, game="baccarat", **terms):
    table = Play(House(GAMES[game], GAMES[game].settings(), Terms(**terms), program=PROGRAM))
    for _ in table.run(parse(script)):
        pass
    return table.records


def replayed(records, games=GAMES, program=PROGRAM):
    audit = Replay(games, program)
    audit.take(rows(records))
    audit.finish()
    return audit


def found(records, **others):
    return without_ids(replayed(records, **others))


def without_ids(audit):
    """Return the differences of an audit as text, without the ids of bets."""
    return [re.sub(r" \(\w{26}\.\d+\)", "", str(difference)) for difference in audit.differences]


def forged(records, kind, change):
    """Return the records with the first one of this kind changed."""
    at = next(place for place, record in enumerate(records) if record.kind == kind)
    return [*records[:at], change(records[at]), *records[at + 1 :]]


def saying(**fields):
    return lambda record: replace(record, what=replace(record.what, **fields))


def another_holdem():
    """Return Casino Hold'em with a flush that pays 1 on the ante, where the sheet pays 2."""
    return edited(casino_holdem, '"Flush": 2', '"Flush": 1')


# ── records that replay unchanged ────────────────────────────────────────────────────────────────────────────────


class ReplayedRecord(Judge):
    """Replaying the recorded inputs gives the same records, to the byte."""

    def end(self):
        audit = replayed(self.bench.records)
        assert (audit.differences, audit.others) == ([], [])


def test_a_stake_older_than_the_maximum_replays_unchanged():
    bench = Bench(limits={market: Limits(1, None) for market in ("player", "banker", "tie")})
    bench.says("open")
    bench.do(e.PlaceBet("p1", "tie", 2**70), e.PlaceBet("p2", "moon", 2**70))
    bench.says("close; card 9C; card 9D; card KH; card KS")
    assert [paid.returned for paid in bench.facts("paid")] == [9 * 2**70]
    audit = replayed(bench.records)
    assert (audit.rounds, audit.differences, audit.others) == (1, [], [])


THREE_WINDOWS = """
open
bet p1 player 10.00
close
card 9C
bet p2 banker 5.00
bet p2 banker 5.00
close
card 2D
bet p1 player 1.00
close
card KH
card 3S
"""


def test_a_record_older_than_the_windows_in_bets_replays_unchanged():
    house = House(GAMES["baccarat"], GAMES["baccarat"].settings(betting_windows=3), program=PROGRAM, deciding=r.RULING)
    table = Play(house)
    for _ in table.run(parse(THREE_WINDOWS)):
        pass
    about = {name for record in table.records for name in to_dict(record) if name in ("deadline", "window")}
    bets = [to_dict(record) for record in table.records if record.kind in ("bet_accepted", "bet_refused", "opened")]
    assert (about, [bet for bet in bets if "window" in bet]) == ({"window"}, [])
    audit = replayed(table.records)
    assert (audit.rounds, audit.differences, audit.others) == (1, [], [])


SHIFT = """
signed in 192.0.2.7 manager with badge_pin by maria
signed in 192.0.2.9 dealer with badge by dora
dealer dora id 101
open
bet p1 player 10.00
lost server
wait 5s
found server
rule resume by maria because line is back
leave
close
card 9C
card 2D
press manager
rule cancel by maria because alone
rule cancel with ion badge 104 by maria because seen twice
dealer eva
open
lost server
wait 5m
handed over ion note quiet
"""


def test_a_shift_with_staff_events_is_replayed_byte_identically():
    records = played(SHIFT, second_above=500)
    whats = {record.kind: record.what for record in records}
    assert whats["ruling_refused"].reason == "needs_second"
    assert (whats["ruled"].second, whats["ruled"].second_id) == ("ion", "104")
    assert whats["cancelled"].why == NoServer()
    assert whats["signed_in"].proof == "badge"
    assert {"dealer_leaving", "handed_over"} <= set(whats)
    audit = replayed(records)
    assert (audit.differences, audit.others, audit.records) == ([], [], len(records))


def much(job):
    """Play and replay one table; return its number, rounds, records, processor seconds and differences."""
    number, least, seed = job
    bench, chance = TABLES[number](), random.Random(f"{SEED} {seed}")
    while bench.state.round.number < least:
        happen(bench, chance.randrange(100), chance.randrange(10**6))
    began = time.process_time()
    audit = replayed(bench.records)
    return number, bench.state.round.number, audit.records, time.process_time() - began, audit.differences


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_a_thousand_rounds_of_all_games_are_replayed_byte_identically(capsys):
    jobs = [(number, 15, seed) for seed in range(9) for number in range(len(TABLES))]
    played, records, seconds = 0, 0, 0.0
    for number, count, decided, took, differences in spread(much, jobs):
        assert differences == [], TABLES[number]
        played, records, seconds = played + count, records + decided, seconds + took
    with capsys.disabled():
        print(f"\n{played} rounds, {records} records decided again, {records / seconds:,.0f} a second")
    assert played >= 1_000


def test_a_restart_in_a_round_is_decided_again_too():
    records = played("open\nbet p1 player 10.00\nclose\ncard 9C\nrestart\nrule resume by m\ncard 2D\nrestart 60s\n")
    assert replayed(records).differences == []


def test_two_deadlines_at_one_moment_are_told_apart():
    records = played("open\nclose\ncard JOKER\nwait 1m\n", acknowledge_seconds=30, ruling_seconds=30)
    ticks = [record.input for record in records if record.input and record.input.event == e.Tick()]
    assert ticks[0] == ticks[1]
    assert replayed(records).differences == []


@pytest.mark.parametrize(
    ("script", "game", "terms"),
    [
        (FLUSH, "casino_holdem", {}),
        (HIDDEN_IN_PAUSES, "casino_holdem", {}),
        ("open\nclose\ncard JOKER\nwait 1m\n", "baccarat", {"acknowledge_seconds": 30, "ruling_seconds": 30}),
        (
            "open\nclose\ncard JOKER\nwait 1m\n",
            "baccarat",
            {"acknowledge_seconds": 30, "ruling_seconds": 30, "unruled": "cancel"},
        ),
    ],
)
def test_replay_takes_salts_from_the_record_to_the_byte(script, game, terms):
    records = with_salt(played(script, game, **terms), new_salt)
    assert any(record.salt for record in records) == ("cancel" in terms.values() or game == "casino_holdem")
    assert (found(records), replayed(records).others) == ([], [])


def test_a_record_with_another_salt_is_named():
    records = with_salt(played(FLUSH, "casino_holdem"), new_salt)
    changed = next(record for record in records if record.kind == "dealt" and record.salt)
    others = [replace(one, salt=new_salt()) if one is changed else one for one in records]
    assert found(others) == [f"round 1: record {changed.seq}: dealt is not what follows from the input before it"]


def test_records_from_before_salts_replay_beside_salted_ones():
    records = played(FLUSH + FLUSH, "casino_holdem")
    half = next(place for place, record in enumerate(records) if record.kind == "checkpoint") + 1
    assert found([*records[:half], *with_salt(records[half:], new_salt)]) == []


def test_every_program_start_records_the_tables_configuration():
    first, *others = [record for record in played("restart\nopen\nrestart\n") if record.kind == "configured"]
    assert first.seq == 1
    assert [other.what for other in others] == [first.what, first.what]


# ── edited records ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_wrong_amount_is_named_with_round_and_bet():
    records = forged(played(CANCELLED + SETTLED), "paid", saying(returned=2100))
    assert found(records) == ["round 2: bet p1 player: recorded 21.00, computed 20.00"]


def test_a_refund_that_does_not_follow_is_named():
    records = forged(played(CANCELLED), "refunded", saying(stake=400))
    assert found(records) == ["round 1: bet p1 tie: recorded 4.00, computed 5.00"]


def test_an_outcome_that_does_not_follow_is_named():
    records = played(SETTLED)
    outcome = next(record.what.outcome for record in records if record.kind == "settled")
    (line,) = found(forged(records, "settled", saying(outcome={**outcome, "winner": "banker"})))
    assert line.startswith("round 1: outcome: recorded {'winner': 'banker'")
    assert "computed {'winner': 'player'" in line


def test_a_payment_that_is_gone_is_named():
    records = played(SETTLED)
    paid = next(record.what for record in records if record.kind == "paid")
    left = [record for record in records if record.what != paid]
    assert f"round 1: bet p1 player ({paid.bet}): recorded nothing, computed 20.00" in map(
        str, replayed(left).differences
    )


def test_a_payment_that_never_was_is_named():
    records = played(SETTLED)
    at = next(place for place, record in enumerate(records) if record.kind == "paid")
    more = replace(records[at], what=r.Paid("p2", "tie", "b2", 100, 900))
    assert "round 1: bet p2 tie (b2): recorded 9.00, computed nothing" in found([*records[:at], more, *records[at:]])


CHANGES = {
    "dealt": saying(card="8C"),
    "closed": saying(by="server"),
    "completed": saying(outcome={}),
    "settled": saying(by="dealer"),
    "paid": saying(player="p2"),
    "opened": lambda record: replace(record, at=record.at + 1),
    "bet_accepted": lambda record: replace(record, dealer="d2"),
    "checkpoint": saying(state=msgspec.Raw(b"{}")),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_changed_record_of_any_kind_is_found(kind):
    records = forged(played(SETTLED + SETTLED), kind, CHANGES[kind])
    first, *_ = replayed(records).differences
    assert first.round == 1


def test_a_changed_input_is_found_by_its_consequences():
    other = e.Input(e.CardOut("2C"), 0)
    records = forged(played(SETTLED), "dealt", lambda record: replace(record, input=replace(other, at=record.input.at)))
    assert replayed(records).differences[0].round == 1


@pytest.mark.parametrize("gone", range(2, 15))
def test_a_gap_is_named_and_the_next_round_replayed(gone):
    records = played(SETTLED + SETTLED)
    differences = replayed([record for record in records if record.seq != gone]).differences
    assert differences
    assert {difference.round for difference in differences} <= {None, 1}


def test_a_checkpoint_that_cannot_be_read_is_a_finding():
    records = played(SETTLED + SETTLED)
    last = max(place for place, record in enumerate(records) if record.kind == "checkpoint")
    spoilt = replace(records[last], what=r.Checkpoint(msgspec.Raw(b'{"seq":"none"}')))
    assert found([spoilt, *records[last + 1 :]])


def test_a_difference_in_a_live_round_names_no_cards():
    records = forged(played(FLUSH[: FLUSH.index("decide")], "casino_holdem"), "asked", saying(seconds=99))
    (line,) = found(records)
    assert line == f"round 1: record {records[-1].seq}: asked is not what follows from the input before it"


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_beginning_at_a_round_end_is_replayed():
    bench = Bench()
    bench.says("open; close; card 9C; card 2D; card KC; card 3D")
    bench.do(e.NewFile())
    bench.says("shoe change; card 4H; shoe ready; open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D")
    begin = next(place for place, record in enumerate(bench.records) if record.kind == "checkpoint")
    audit = replayed(bench.records[begin:])
    assert (audit.rounds, audit.read, audit.differences) == (1, 0, [])
    forgery = forged(bench.records[begin:], "paid", saying(returned=1))
    assert len(found(forgery)) == 1


def test_several_files_are_one_record():
    records = played(SETTLED + CANCELLED)
    audit = Replay(GAMES, PROGRAM)
    audit.take(rows(records[:9]))
    audit.take(rows(records[9:]))
    audit.finish()
    assert (audit.records, audit.rounds, audit.differences) == (len(records), 2, [])


# ── another program, another sheet ───────────────────────────────────────────────────────────────────────────────


def test_another_pay_table_is_found_by_its_payments():
    records = played(FLUSH, "casino_holdem")
    audit = replayed(records, {**GAMES, "casino_holdem": another_holdem()})
    assert without_ids(audit) == ["round 1: bet p1 ante: recorded 30.00, computed 20.00"]
    (other,) = audit.others
    assert sheet.digest(GAMES["casino_holdem"])[:12] in other


def test_equal_outcomes_of_another_program_version_are_no_difference():
    records = forged(played(SETTLED), "closed", saying(by="nobody"))
    audit = replayed(records, program="0.9")
    assert audit.differences == []
    (other,) = audit.others
    assert "here are 0.9 and" in other


def test_another_version_may_give_a_fault_another_number():
    records = played("open\nbet p1 tie 5.00\nclose\ncard 7C\npress manager\nwait 31s\n")
    fault = next(record.seq for record in records if record.kind == "faulted")
    table = Bench()
    table.says("open; bet p1 tie 5.00; close; card 7C; cut; press manager")
    assert replayed(records, program="0.9").differences == []
    shifted = [replace(record, seq=record.seq + (record.seq >= fault)) for record in table.records]
    shifted += [
        replace(record, seq=record.seq + 1, input=named(record.input, fault + 2))
        for record in table.do(e.Rule("cancel", "m", "", fault=table.state.fault.seq))
    ]
    assert replayed(shifted, program="0.9").differences == []


def named(given, fault):
    return given and replace(given, event=replace(given.event, fault=fault))


def test_rounds_of_an_unknown_game_are_not_replayed():
    audit = replayed(played(SETTLED), {})
    assert (audit.rounds, audit.read, audit.differences) == (0, 1, [])
    assert audit.others == ["baccarat is a game that is not known here: its rounds are not decided again"]


def test_a_live_round_under_another_sheet_allows_only_cancel():
    bench = Bench("casino_holdem")
    bench.says("shuffled; open; bet p1 ante 10.00; close; card KS")
    changed = another_holdem()
    bench.house = replace(bench.house, game=changed)
    bench.position = Position({**GAMES, "casino_holdem": changed})
    configured, failed = bench.do(e.ProgramBack())
    assert configured.what.digest == sheet.digest(changed)
    assert (failed.what.code, failed.what.rulings) == ("replay_failed", ("cancel",))
    assert [record.kind for record in bench.says("card 9S; rule resume by m")] == ["drawn", "ruling_refused"]
    assert bench.says("rule cancel by m")[-1].kind == "checkpoint"
    assert replayed(bench.records).differences == []
