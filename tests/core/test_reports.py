"""Reports during a pause wait in order: each is the next fault, or its answer is recorded."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.records.journal import SLIDING

from .bench import kinds
from .test_rulings import FLOP, NATURAL, PLAYER_DUE, bench, holdem, rule, unplayable

BLACKJACK = "shuffled; open; bet p1 seat1 main 1.00; close; card 9C; card 7D; card KS; card 5D"
DEALT = "card 2C; card 7D; card KS; card 5D; card 3S; card 4S; card 8S; card TD"
RHUM = f"shuffled; open; bet p1 seat1 ante 1.00; close; {DEALT}"
RESUME = "rule resume by manager because ok"

DECIDING = [("casino_holdem", FLOP), ("blackjack", BLACKJACK), ("rhum32", RHUM)]


@pytest.mark.parametrize(("game", "says"), DECIDING)
def test_a_hidden_card_exposed_in_a_pause_allows_only_cancel(game, says):
    table = bench(f"{says}; press manager; press exposed; {RESUME}", game)
    assert (table.life, table.fault) == ("paused", "hidden_card_exposed")
    assert table.state.fault.rulings == (("cancel",) if game == "casino_holdem" else ("void_hand", "cancel"))


@pytest.mark.parametrize(("game", "says"), DECIDING)
@pytest.mark.parametrize(
    ("report", "code"),
    [("press dropped", "card_dropped"), ("shoe error 7 because jam", "shoe_error"), ("lost shoe", "device_lost")],
)
def test_a_report_during_a_pause_becomes_the_next_fault(game, says, report, code):
    table = bench(f"{says}; press manager; {report}; {RESUME}", game)
    assert (table.life, table.fault) == ("paused", code)


@pytest.mark.parametrize("report", ["gap 2 4", "journal failed", "result player"])
def test_gap_journal_failure_and_result_in_pause_are_next_fault(report):
    table = bench(f"{PLAYER_DUE}; press manager; {report}; {RESUME}", telegram_loss="fault")
    code = {"gap": "telegram_lost", "journal": "journal_failed", "result": "missing_card"}[report.split()[0]]
    assert table.fault == code


def test_reports_of_a_pause_become_faults_in_their_order():
    table = holdem(f"{FLOP}; shoe error 7; press manager; press exposed; press dropped")
    reports = [record.seq for record in table.records if record.kind == "reported"]
    faults = []
    for ruling in ("resume", "resume", "cancel"):
        faults.append((table.fault, table.facts("faulted")[-1].report))
        rule(table, ruling)
    assert faults == [("shoe_error", None), ("dealer_call", reports[0]), ("hidden_card_exposed", reports[1])]
    assert [(one.report, one.by) for one in table.facts("report_answered")] == [(reports[2], "cancel")]


def test_each_card_dropped_in_a_pause_is_its_own_report():
    table = bench(f"{PLAYER_DUE}; press manager; press dropped; card 5H; press dropped; press dropped; card 6H")
    table.says("press dropped")
    dropped = [(one.draw, one.came) for one in table.facts("reported")]
    assert dropped == [(number, e.KeyPressed("dropped")) for number in (2, 3, 4)]
    assert [one.reason for one in table.facts("ignored")] == ["reported_already"]


def test_the_same_report_repeated_counts_once():
    table = bench(f"{PLAYER_DUE}; shoe error 7; press manager; press manager; shoe error 7; {RESUME}")
    assert table.fault == "dealer_call"
    assert [one.reason for one in table.facts("ignored")] == ["reported_already"] * 2
    rule(table, "resume")
    assert table.life == "dealing"


def test_a_device_that_is_back_answers_its_loss():
    table = bench(f"{PLAYER_DUE}; press manager; lost shoe; found shoe; {RESUME}")
    assert table.life == "dealing"
    (reported,) = [record.seq for record in table.records if record.kind == "reported"]
    assert [(one.report, one.by) for one in table.facts("report_answered")] == [(reported, "found")]


def test_a_server_lost_in_a_pause_is_the_next_fault():
    table = bench(f"open; press manager; lost server; {RESUME}")
    assert table.fault == "server_lost"


def test_cancelling_a_round_answers_its_reports():
    table = bench(f"{PLAYER_DUE}; press manager; shoe error 7; press dropped; rule cancel by manager because ok")
    assert (table.life, table.state.waiting) == ("cancelled", ())
    assert [one.by for one in table.facts("report_answered")] == ["cancel", "cancel"]


def test_a_dropped_card_that_is_burnt_needs_no_second_ruling():
    table = bench(f"{PLAYER_DUE}; shoe error 7; press dropped; rule burn 2 by manager because fell")
    assert (table.life, table.fates) == ("dealing", ["placed", "burnt"])
    assert [one.by for one in table.facts("report_answered")] == ["ruling"]


def test_a_drop_reported_in_a_pause_names_the_latest_card():
    table = bench(f"{PLAYER_DUE}; press manager; press dropped; card 7C; {RESUME}")
    assert (table.fault, table.state.fault.draw) == ("card_dropped", 2)


def test_no_round_settles_before_its_reports_are_ruled_on():
    table = bench(f"{NATURAL}; card 7H; press manager; rule burn by manager because extra", confirm="dealer")
    assert (table.fault, table.facts("settled")) == ("dealer_call", [])


def test_a_shoe_result_in_a_pause_settles_the_resumed_round():
    table = bench(f"{NATURAL}; press manager; result player; {RESUME}", confirm="shoe")
    assert (table.life, table.facts("settled")[0].by) == ("settled", "shoe")
    assert [one.by for one in table.facts("report_answered")] == ["ruling"]


def test_a_different_result_in_a_pause_is_the_next_fault():
    table = bench(f"{NATURAL}; press manager; result banker; {RESUME}", confirm="shoe")
    assert table.fault == "result_mismatch"


def test_a_result_in_a_settled_rounds_pause_is_disputed_immediately():
    table = bench(f"{NATURAL}; card 7H; result banker")
    assert kinds(table.records)[-2:] == ["disputed", "case_opened"]


def test_a_dealer_call_in_a_pause_is_the_next_fault():
    table = bench("card 7H; press manager; rule burn by manager because stuck")
    assert (table.fault, table.state.fault.rulings) == ("dealer_call", ("resume",))
    rule(table, "resume")
    assert table.life == "idle"


def test_reports_are_kept_while_a_round_cannot_be_rebuilt():
    table = unplayable()
    table.says("press manager; press exposed; press dropped; shoe error 7; lost shoe; result player")
    rule(table, "cancel")
    assert (table.life, table.state.waiting) == ("cancelled", ())


def test_waiting_reports_survive_a_restart():
    table = holdem(f"{FLOP}; press manager; press exposed; restart; {RESUME}")
    assert table.fault == "hidden_card_exposed"


def taken_over(says, times=1):
    """Return a table in a round after these lines and a takeover by a PC without the latest records."""
    table = bench(f"{PLAYER_DUE}; {says}")
    table.do(e.AcceptLoss("eva", "taken over on another PC", "e2"))
    for _ in range(times):
        table.restart()
    return table


@pytest.mark.parametrize("fault", ["press manager", "journal failed", "shoe error 7"])
def test_a_takeover_in_a_pause_is_the_next_fault(fault):
    table = taken_over(fault)
    table.says(RESUME)
    assert (table.life, table.fault, table.state.fault.came) == ("paused", "restarted", e.ProgramBack())
    assert "enter" in table.state.fault.rulings


def test_a_card_missing_since_a_paused_takeover_is_entered():
    table = taken_over("press manager")
    table.says(RESUME)
    table.says("rule enter 7D by manager because lies there; card KS")
    assert (table.life, table.cards_on("player"), table.cards_on("banker")) == ("settled", ["2C", "7D"], ["2D", "KS"])


def test_repeated_restarts_after_a_takeover_wait_once():
    table = taken_over("press manager", times=3)
    assert len(table.facts("reported")) == 1
    table.says(f"{RESUME}; {RESUME}")
    assert table.life == "dealing"


def test_a_restart_in_a_pause_without_loss_is_no_fault():
    """Nothing of the record is lost, and while the table is paused no card is dealt."""
    table = bench(f"{PLAYER_DUE}; press manager; restart; {RESUME}")
    assert (table.life, table.facts("reported")) == ("dealing", [])


def test_a_restart_in_a_pause_between_rounds_is_no_report():
    table = bench("card 7H; restart; rule burn by manager because stuck")
    assert (table.life, table.facts("reported")) == ("idle", [])


def test_cancelling_a_round_answers_its_restart():
    table = taken_over("press manager")
    table.says("rule cancel by manager because ok")
    assert (table.life, [one.by for one in table.facts("report_answered")]) == ("cancelled", ["cancel"])


def test_an_older_record_has_no_restart_that_waits():
    table = bench(f"{PLAYER_DUE}; press manager")
    table.house = replace(table.house, deciding=SLIDING)
    table.do(e.AcceptLoss("eva", "taken over on another PC", "e2"))
    assert kinds(table.restart()) == ["configured", "restarted"]
    table.says(RESUME)
    assert table.life == "dealing"


def test_a_finish_during_a_pause_is_no_report():
    table = bench(f"{PLAYER_DUE}; press manager")
    (ignored,) = table.do(e.KeyPressed("finish"))
    assert ignored.kind == "ignored"
