"""Alerts to shift managers: each fault and its end with the fault's id, and never a hidden card."""

from contextlib import closing

import pytest
from msgspec.structs import replace

from controller.core import records as r
from controller.core.causes import ByRuling, NoCard
from controller.core.clock import SECOND
from controller.core.records import Record
from controller.journal import Journal
from controller.journal.outbox import Parcel
from controller.outputs.alert_text import KINDS, SHOWN, alert, pause, summary
from controller.outputs.alerts import OLD, parcel
from controller.outputs.hold import last_without_alert
from controller.outputs.own_alerts import trial
from controller.rules.procedure import Deal
from tests.core.bench import START, Bench

HOLDEM_HIDDEN = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS"


def alert_of(records, record):
    """Return the alert that a record leads to, with all earlier records at hand."""
    if record.kind not in KINDS:
        return None
    kinds = [one for one in records if one.kind in KINDS]
    back = [one for one in reversed(kinds) if one.seq < record.seq]
    return alert(record, pause(back), late=record is not kinds[-1])


def alerts(says, game="baccarat", **terms):
    """Return all alerts of a script, each made as soon as its record exists."""
    bench = Bench(game, **terms)
    bench.says(says)
    now = [alert_of(bench.records[:number], record) for number, record in enumerate(bench.records, 1)]
    return [message for message in now if message]


# ── hidden cards ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_fault_of_a_hidden_card_does_not_name_it():
    (fault,) = alerts("shuffled; open; close; card AC; card 7D; card KS at board", "casino_holdem")
    assert "came: a card that is face down" in fault.body
    assert "KS" not in fault.body + fault.subject


@pytest.mark.parametrize("card", ["KS", "K♠", "A♡", "10 of hearts", "zece de cupă", "same one as before"])
def test_with_hidden_cards_an_alert_omits_the_ruling_reason(card):
    """A reason can name a card that players may not see yet."""
    says = f'press manager; rule resume by manager1 because "I saw the {card}"'
    _, end = alerts(f"{HOLDEM_HIDDEN}; {says}", "casino_holdem")
    assert end.body == "manager1 rules: Resume\nplay goes on"


def test_a_late_alert_names_no_card_already_ruled_on():
    bench = Bench()
    bench.says("open; close; card 9C at banker; rule move 1 player by maria because x")
    (fault,) = (record for record in bench.records if record.kind == "faulted")
    assert "came: 9♣ at BANKER" in alert(fault, []).body
    assert "came: a card\n" in alert_of(bench.records, fault).body


def test_the_end_of_a_fault_names_no_card():
    says = "open; close; card 9C; press manager; rule correct 1 4C by maria because seen"
    assert alerts(says)[1].body == "maria rules: Correct a card, draw 1\nplay goes on"


# ── bets and decisions on a wrong card ───────────────────────────────────────────────────────────────────────────


def test_the_end_alert_lists_touched_bets_and_their_fate():
    bet = "open; close; card KC; bet a player 100.00; bet b tie 5.00; press manager"
    for choice, becomes in (
        ("", "these bets go back"),
        ("touched stand", "these bets stand at the lower of both odds"),
    ):
        bench = Bench("baccarat", {"betting_windows": 3})
        bench.says(f"{bet}; rule correct 1 9C {choice} by maria because seen")
        body = alert_of(bench.records, bench.records[-1]).body
        assert f"bets at wrong odds: 2, 105.00 in all\n{becomes}\n" in body


def test_the_end_alert_lists_decisions_asked_anew_with_stakes():
    cards = "card 9C; card 2D; card 7H; card KD"
    deal = f"shuffled; open; bet p1 seat1 main 10.00; close; {cards}; decide seat1 double; press manager"
    end = alerts(f"{deal}; rule correct 2 9D by maria because seen", "blackjack")[-1]
    assert "decisions made since: 1 (10.00 staked)\nasked anew: " in end.body
    assert "\nmoney moved: 10.00\n" in end.body


def test_an_exposed_card_alert_lists_the_decisions_made():
    cards = "card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"
    deal = f"shuffled; open; bet p1 ante 1.00; bet p2 ante 1.00; close; {cards}; decide p1 call; press exposed"
    assert "decisions made since: 1 (2.00 staked)\n" in alerts(deal, "casino_holdem")[0].body


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_fault_alert_has_place_dealer_cause_and_rulings():
    (fault,) = alerts("open; wait 15s; card 9C at banker")
    assert fault.id == "table#8"
    assert fault.subject == "[table#8] wrong_place: table table, round 1"
    assert fault.body.splitlines() == [
        "The card lies in the wrong place.",
        "table table, round 1, dealer dealer: paused since 2026-01-01 00:00:15 UTC",
        "expected: a card to PLAYER",
        "came: 9♣ at BANKER",
        "may be ruled: Move a card, Burn the card, Correct a card, Strike a card, Cancel the round",
    ]
    assert (fault.levels, fault.over) == ({1}, False)


def test_a_ruling_says_who_and_that_play_goes_on():
    _, end = alerts('open; close; press manager; rule resume by maria because "false alarm"')
    assert end.id == "table#7"
    assert end.subject == "[table#7] ruled resume: table table, round 1 goes on"
    assert end.body == "maria rules: Resume\nplay goes on"
    assert (end.levels, end.over) == ({1}, True)


def test_a_cancelled_round_says_that_every_stake_goes_back():
    _, end = alerts('open; card 9C; rule cancel by maria because "wrong shoe"')
    assert end.subject == "[table#7] ruled cancel: table table, round 1 is cancelled"
    assert end.body == "maria rules: Cancel the round – wrong shoe\nevery stake goes back"


def test_a_fault_caused_by_a_ruling_has_its_own_id():
    first, second, end = alerts(
        "open; close; card 9C at banker; rule correct 1 4C by maria because misread; rule cancel by maria because x"
    )
    assert (first.id, second.id, end.id) == ("table#8", "table#10", "table#10")
    assert second.body.endswith("Cancel the round\nit came out when maria ruled on table#8: Correct a card")


def test_a_fault_between_rounds_belongs_to_none():
    (fault,) = alerts("card 9C")
    assert fault.subject == "[table#6] extra_card: table table, no round"


def test_a_round_cancelled_without_a_fault_sends_no_alert():
    assert alerts("shuffled; open; close", "rhum32") == []
    assert alerts("press manager; rule resume by m because x; shuffled; open; close", "rhum32")[2:] == []


def test_only_faults_and_their_ends_send_alerts():
    assert alerts("open; bet p1 banker 10.00; close; card 2C; lost panel; found panel") == []


# ── in the language of the target ────────────────────────────────────────────────────────────────────────────────


def test_an_exposure_above_the_warning_alerts_the_first_level():
    (message,) = alerts("open; bet p1 tie 1.00; bet p1 banker 100.00; bet p2 banker 1.00", exposure_warning=90_00)
    assert message.levels == {1}
    assert message.subject.endswith("exposure: table table, round 1")
    assert message.body == (
        "the bets can win 95.00, more than the warning of 90.00\nno bet is refused for it; it comes once a round"
    )


def in_romanian(bench):
    """Yield each alert of a bench in English and in Romanian."""
    kinds = [one for one in bench.records if one.kind in KINDS]
    for number, record in enumerate(kinds):
        before = pause(kinds[number - 1 :: -1] if number else [])
        both = [alert(record, before, language=language) for language in ("en", "ro")]
        if both[0]:
            yield both


NEVER = "Radiați o carte"


def test_an_alert_is_in_the_targets_language_with_untranslated_codes():
    bench = Bench()
    bench.says('open; close; card 9C at banker; rule move 1 player by maria because "as seen"')
    (_, fault), (_, end) = in_romanian(bench)
    assert fault.subject == "[table#8] wrong_place: masa table, runda 1"
    assert fault.body.splitlines() == [
        "Cartea este pe un loc greșit.",
        "masa table, runda 1, dealer dealer: în pauză din 2026-01-01 00:00:00 UTC",
        "urma: o carte la JUCĂTOR",
        "a venit: 9♣ la BANCĂ",
        f"se poate decide: Mutați o carte, Ardeți cartea, Corectați o carte, {NEVER}, Anulați runda",
    ]
    assert end.subject == "[table#8] decizie move: masa table, runda 1 continuă"
    assert end.body.splitlines() == [
        "maria decide: Mutați o carte, cartea nr. 1", "se află la JUCĂTOR", "jocul continuă",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (
            "baccarat",
            "open; bet a player 5.00; press manager; wait 300s",
        ),
        (
            "baccarat",
            "open; close; card KC; press dropped; rule correct 1 9C touched stand by m because x; lost shoe",
        ),
        ("casino_holdem", f"{HOLDEM_HIDDEN}; bet p1 call 2.00; press exposed; rule cancel by m because x"),
        ("blackjack", "shuffled; open; bet p1 seat1 main 10.00; close; card 9C; unread; rule cancel by m because x"),
        ("rhum32", "shuffled; open; bet p1 player8 1.00; close; card 2C; press manager"),
    ],
)
def test_no_line_of_an_alert_is_left_in_english(game, says):
    bench = Bench(game, unruled="cancel")
    bench.says(says)
    pairs = list(in_romanian(bench))
    assert pairs
    for english, romanian in pairs:
        assert (romanian.id, romanian.seq, romanian.levels) == (english.id, english.seq, english.levels)
        for ours, theirs in zip(english.body.splitlines(), romanian.body.splitlines(), strict=True):
            assert ours != theirs


# ── escalation ───────────────────────────────────────────────────────────────────────────────────────────────────


FAULT = Record(50, START, "t1", r.Faulted("stalled", Deal("player"), NoCard(30), ("resume", "cancel")), 12, "1", "d1")
ESCALATED = replace(FAULT, seq=53, at=START + 30 * SECOND, what=r.Escalated(50, 2))
RULED = replace(FAULT, seq=55, what=r.Ruled(50, "resume", "maria", "seen", {}, {}))
RESUMED = replace(FAULT, seq=56, what=r.Resumed("dealing"))


def test_an_escalation_sends_the_same_alert_to_the_next_level():
    first, second = alert(FAULT, []), alert(ESCALATED, [FAULT])
    assert (second.id, second.levels, second.over) == ("t1#50", {2}, False)
    assert second.subject == "[t1#50] nobody came: stalled: table t1, round 12"
    assert second.body == first.body


def test_the_end_is_sent_to_all_called_levels():
    assert alert(RESUMED, [RULED, ESCALATED, FAULT]).levels == {1, 2}
    assert alert(RESUMED, [RULED, FAULT]).levels == {1}


def test_the_next_fault_of_a_pause_alerts_all_called_levels():
    again = replace(FAULT, seq=57)
    assert alert(again, [RULED, ESCALATED, FAULT]).levels == {1, 2}


def test_records_of_an_earlier_pause_are_left_out():
    """Of the records read backwards, only those since the last resumption belong to the present pause."""
    back = [replace(FAULT, seq=60), RESUMED, RULED, FAULT]
    assert pause(back) == back[:1]


def test_an_automatic_cancellation_is_alerted_with_its_reason():
    cancelled = replace(FAULT, seq=56, what=r.Cancelled(ByRuling("nobody ruled in time")))
    end = alert(cancelled, [FAULT])
    assert end.subject == "[t1#50] table t1, round 12 is cancelled"
    assert end.body == "the round is cancelled: nobody ruled in time\nevery stake goes back"


# ── summaries and test alerts ────────────────────────────────────────────────────────────────────────────────────


def test_a_summary_lists_old_alerts_under_the_last_id():
    old = [alert(FAULT, []), alert(RESUMED, [RULED, FAULT])]
    message = summary(old)
    assert (message.seq, message.id, message.over) == (56, "t1#50", True)
    assert message.subject == "[t1#50] 2 alerts since 2026-01-01 00:00:00 UTC could not be delivered in time"
    assert message.body.splitlines() == [f"2026-01-01 00:00:00 UTC {one.subject}" for one in old]


def test_a_long_summary_lists_the_last_alerts_only():
    message = summary([replace(alert(FAULT, []), seq=seq) for seq in range(SHOWN + 7)])
    assert message.body.splitlines()[0] == "7 more came before these"
    assert len(message.body.splitlines()) == SHOWN + 1


def test_a_trial_says_that_nothing_has_happened():
    message = trial("t1", "mail")
    assert message.subject == "[t1#test] test: table t1"
    assert "nothing has happened" in message.body


# ── from a journal ───────────────────────────────────────────────────────────────────────────────────────────────

RULE = "rule resume by maria because x"


@pytest.fixture
def journal(tmp_path):
    """Return a journal with two faults, their ends and the records between them."""
    bench = Bench()
    bench.says(f"open; bet p1 banker 10.00; close; press manager; {RULE}; card 2C; press manager; {RULE}; card 3C")
    journal = Journal(tmp_path / "table.journal")
    journal.append(bench.records)
    journal.close()
    return journal


def parcels(journal, level=1, now=START, after=0):
    """Return all parcels that a target gets, and the empty one at the end."""
    got = []
    while (one := parcel(journal.path, level, lambda: now, after)).letter:
        got.append(one)
        after = one.seq
    return [*got, one]


def test_a_target_gets_every_alert_of_the_record_in_order(journal):
    *four, end = parcels(journal)
    assert [one.letter.over for one in four] == [False, True, False, True]
    assert [one.seq for one in four] == [one.letter.seq for one in four]
    assert end == Parcel(journal.head.seq, None)


def test_an_archived_pause_sends_the_same_alerts(tmp_path):
    bench = Bench()
    bench.says(f"open; close; press manager; wait 40s; {RULE}; press manager; rule cancel by maria because x; open")
    with closing(Journal(tmp_path / "table.journal")) as journal:
        journal.append(bench.records)
        before = [parcels(journal, level) for level in (1, 2)]
        journal.rotate()
        assert [len(one) for one in before] == [5, 3]
        assert [parcels(journal, level) for level in (1, 2)] == before


def test_archives_that_were_moved_away_hold_up_no_alert(tmp_path):
    bench = Bench()
    bench.says("open; close; press manager; rule cancel by maria because x; open; close; press manager")
    with closing(Journal(tmp_path / "table.journal")) as journal:
        journal.append(bench.records)
        fault, _, later, end = parcels(journal)
        journal.rotate().unlink()
        assert parcels(journal) == [later, end]
        assert last_without_alert(journal.path, fault.seq, end.seq) == later.seq - 1


def test_an_end_alert_has_its_faults_id_after_a_restart(journal):
    fault, end, *_ = parcels(journal)
    assert parcel(journal.path, 1, lambda: START, fault.seq) == end
    assert end.letter.id == fault.letter.id


def test_a_level_not_called_gets_no_alert(journal):
    assert parcels(journal, level=2) == [Parcel(journal.head.seq, None)]


def test_several_old_alerts_are_sent_as_one_summary(journal):
    *four, end = parcels(journal)
    together, again = parcels(journal, now=START + OLD + SECOND)
    assert together == Parcel(four[-1].seq, summary([one.letter for one in four]))
    assert again == end


def test_a_single_old_alert_is_sent_unchanged(journal):
    *_, last, end = parcels(journal)
    assert parcels(journal, now=START + OLD + SECOND, after=last.seq - 1) == [last, end]


def test_a_new_alert_is_sent_apart_from_old_ones(tmp_path):
    bench = Bench()
    bench.says(f"press manager; {RULE}")
    bench.now += OLD + SECOND
    bench.says("press manager")
    with_old = Journal(tmp_path / "table.journal")
    with_old.append(bench.records)
    with_old.close()
    together, news, _ = parcels(with_old, now=bench.now)
    assert "2 alerts since" in together.letter.subject
    assert news.letter.subject == f"[table#{bench.records[-1].seq}] dealer_call: table table, no round"


# ── shoes ────────────────────────────────────────────────────────────────────────────────────────────────────────

PLAYED = "open; close; cut; card 9C; card 2D; card KC; card 3D; "


@pytest.mark.parametrize(
    ("says", "because"),
    [("shoe uncut by eva because late; press ready", "late"), ("shoe ready by eva", "no reason given")],
)
def test_an_uncut_shoe_alerts_with_its_reason(says, because):
    (message,) = alerts(f"{PLAYED} shoe change; {says}")
    assert message.subject.endswith("shoe not cut: table table, no round")
    assert message.body.endswith(f": {because}")
    assert message.levels == frozenset({1})


@pytest.mark.parametrize("change", ["shoe change", "shoe change left 308", "press change"])
def test_a_cut_shoe_alerts_nobody(change):
    assert alerts(f"{PLAYED} {change}; shoe cut; press ready") == []


@pytest.mark.parametrize("change", ["shoe change left 307", "shoe readout; card 5D; shoe change"])
def test_a_difference_that_was_counted_calls_the_manager(change):
    (message,) = alerts(f"{PLAYED} {change}; shoe cut; press ready")
    assert "cards: " in message.subject
