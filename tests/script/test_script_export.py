"""A recorded round as a script: played again it gives the same records, to the byte but for salts."""

import tomllib

import pytest

from controller.config.table_file import check
from controller.core import events as e
from controller.core import records as r
from controller.core.decide.past_rounds import with_past
from controller.core.encoding import encode
from controller.core.house import Terms
from controller.journal import Damaged
from controller.reports.selection import Rounds
from controller.script.export import Script, ScriptEnds
from controller.script.play import Play
from controller.script.reader import parse, starting_state, write_line
from tests.core.bench import Bench
from tests.core.chance import Judge
from tests.core.salts import unsalted


def ended(records):
    return max((one.round for one in records if isinstance(one.what, r.Settled | r.Cancelled)), default=0)


def script_of(records, *numbers):
    return Script(records, Rounds(*numbers), ended(records))


def replayed(script):
    """Play a script with its own config; return the records."""
    lines = parse("\n".join(script.lines()))
    table = Play(check(tomllib.loads(script.config)).house("auto"), begin=starting_state(lines))
    for _ in table.run(lines):
        pass
    return table.records


def of_rounds(records, first, last):
    """Return the records of these rounds and between them, as bytes without salts, with their events."""
    of_round = [(place, one.round) for place, one in enumerate(records) if one.round and one.kind not in r.AFTERWARDS]
    inside = [place for place, number in of_round if first <= number <= last]
    return [(encode(unsalted(one)), one.input and one.input.event) for one in records[inside[0] : inside[-1] + 1]]


def same_again(records):
    """Assert that scripts of all rounds, and of each round alone, give the same records to the byte."""
    last = ended(records)
    for first, until in sorted({(1, last), *((number, number) for number in range(1, last + 1))}):
        if until:
            assert of_rounds(replayed(script_of(records, first, until)), first, until) == of_rounds(
                records, first, until
            )


class SameScript(Judge):
    """Scripts of all rounds together, and of each round alone, give the same records to the byte."""

    def end(self):
        same_again(self.bench.records)


BACCARAT = """
open by server
bet p1 player 10.00
bet p2 tie 5.00
bet "p 3" dragon 5.00
bet p2 tie -0.05
unbet p2 tie
gone p1
close by server
card 9C at player 2
ack by anna
rule move 1 player by anna because "it's the first"
card 2D
unread at player
wait 12.000001s
rule enter 4H by anna
lost shoe because "cable cut"
found shoe at /dev/b
rule resume by anna because "# plugged in"
gap 2 4
shoe error 7 because "draw time-out"
journal failed 3s because "disk full"
restart 400s
rule resume by anna because x
journal failed 40s because "disk full"
rule resume by anna because "there is room again"
card 3S
press dropped
wait 31s
rule resume by anna because "on the table"
press manager
press dropped
rule cancel by anna because "enough: it is 'void'"
shoe error 3
journal failed 1s because "disk full"
dealer -
dealer "d 2"
table close by eva
table open by eva
shoe change by eva
card JOKER
unread
shoe ready 77 311
shoe ready 77 312 by eva
cut
shoe change
lost shoe
shoe ready
found shoe
shoe ready
open
found panel at 'usb 001:002' as T1
lost server
wait 5s
found server
rule resume by anna because back
press open
close
card 9C
card 2D
card KH
card 3S
press finish
result banker
card 9D
rule carry seen no by anna because surplus
open
close
card 2D
card KH
card 3S
"""
BLACKJACK = """
shuffled by eva
open
bet p1 seat1 main 10.00
bet p2 seat3 main 10.00
close
card 8H
card 8C
card 5H
card TC
card AD
card KS
press exposed
rule cancel by anna because seen
shuffled
open
bet p1 seat1 main 10.00
close
card 8H
card 8C
card 6D
card KS
decide seat1 split
card 2H
card 3H
decide seat1 stand
wait 20s
decide seat1 hit
card 5S
"""


@pytest.mark.parametrize(("game", "text"), [("baccarat", BACCARAT), ("blackjack", BLACKJACK)])
@pytest.mark.parametrize("terms", [{}, {"confirm": "dealer", "betting_seconds": 600}])
def test_every_word_of_a_script_is_exported_from_its_record(game, text, terms):
    bench = Bench(game, carry=True, **terms)
    bench.says(text)
    assert bench.life in ("settled", "complete")
    bench.says("press finish")
    same_again(bench.records)


def test_a_script_begins_with_the_tables_state_before_the_round():
    bench = Bench(carry=True)
    bench.says("shoe change; shoe ready 12; dealer eva; lost panel; gone p9; open; close; card 9C; card 2D; card KH")
    bench.says("card 3S; card 9D; rule carry seen no by anna; open; close; card 2D; card KH; card 3S; press finish")
    lines = parse("\n".join(script_of(bench.records, 2, 2).lines()))
    state = starting_state(lines)
    assert (state.carried, state.shoe.id, state.shoe.out) == ("9D", "12", 5)
    assert (state.lost, state.gone, state.dealer) == (("panel",), ("p9",), "eva")
    assert [write_line(line) for _, line in lines[1:]] == ["open", "close", "card 2D", "card KH", "card 3S"]


NATURAL = "open; close; card 9C; card 2D; card KH; card 3S"


@pytest.mark.parametrize("between", ["", "open; close; card 9C; ", "open; wait 5s; ", "restart; "])
def test_a_resettlement_refused_as_stale_is_refused_again(between):
    """The script must keep the round as it was read before another correction, not as it is now."""
    bench = Bench()
    bench.says(f"bet p1 player 1.00; {NATURAL}; bet p1 player 1.00; {NATURAL}; {between}wait 1s")
    stale = resettlement(bench, "correct 2 6D")
    bench.says("resettle 1 correct 2 5D by m with n because misread; resettle 2 void by m with n because shoe")
    bench.wait(20, stale)  # together with the end of a betting window
    again = resettlement(bench, "correct 2 4D")
    bench.do(again, again, stale)
    bench.says("press manager; rule cancel by m because x; open; press manager; rule cancel by m because x")
    assert [one.reason for one in bench.facts("resettle_refused")] == ["stale_revision"] * 3
    assert len(bench.facts("resettled")) == 3
    same_again(bench.records)


def test_a_script_of_a_round_ends_with_its_later_corrections():
    bench = Bench()
    bench.says(f"bet p1 player 1.00; {NATURAL}; bet p1 player 1.00; {NATURAL}; wait 60s")
    bench.says("resettle 2 void by m with n because shoe; resettle 1 correct 2 5D by m with n because misread")
    bench.says(f"{NATURAL}; resettle 1 correct 2 6D by m with n because late")
    for number, outcomes in ((1, [8, 9]), (2, [None])):
        again = [one.what for one in replayed(script_of(bench.records, number, number)) if one.kind == "resettled"]
        assert [one.now and one.now["banker"] for one in again] == outcomes
        assert [one.movements for one in again] == [
            one.what.movements for one in bench.records if one.kind == "resettled" and one.round == number
        ]


def resettlement(bench, corrections):
    """Return a resettlement of round 1 as it is now, to be given to the table later."""
    ((_, event),) = parse(f"resettle 1 {corrections} by m with n because late")
    return with_past(bench.house, bench.position, bench.state, event, bench.records)


def test_a_script_of_a_record_keeps_every_word_sent():
    """The API may send a number with any ruling, and the record has it."""
    bench = Bench()
    bench.says("open; close; card 9C; press manager")
    bench.do(e.Rule("cancel", "anna", "x", draw=1, card="KH", place="banker", seen=True))
    assert bench.life == "cancelled"
    same_again(bench.records)


def ending(script):
    with pytest.raises(ScriptEnds) as end:
        list(script.lines())
    return str(end.value)


def test_a_script_ends_before_a_round_that_is_still_on():
    bench = Bench()
    bench.says(f"{NATURAL}; open; close; card 9C")
    assert ending(script_of(bench.records)) == "round 2 is still on: the script ends before it"
    with pytest.raises(ScriptEnds, match="round 2 is still on"):
        script_of(bench.records, 2)


def test_a_script_ends_before_a_round_under_other_settings():
    first, second = Bench(), Bench("baccarat", {"decks": 8})
    first.says(NATURAL)
    second.records, second.state, second.now = first.records, first.state, first.now
    second.says(f"shoe ready; {NATURAL}")  # one of eight decks
    assert "round 2 was played under other settings" in ending(script_of(second.records))
    assert check(tomllib.loads(script_of(second.records, 2).config)).house("auto").settings.decks == 8


def test_a_round_that_never_was_has_no_script():
    with pytest.raises(ScriptEnds, match="no such round"):
        script_of(Bench().records)


def test_a_record_that_does_not_fold_has_no_script():
    bench = Bench()
    bench.says(f"{NATURAL}; {NATURAL}")
    torn = [one for one in bench.records if one.kind not in ("closed", "checkpoint")]
    with pytest.raises(Damaged, match="journal verify"):
        list(script_of(torn, 2).lines())


def test_the_config_holds_all_terms_of_the_table():
    """Every term that a table's owner can set is exported, whatever its value."""
    usual = Terms()
    unusual = {name: other(getattr(usual, name)) for name in Terms.__struct_fields__}
    bench = Bench("baccarat", **{name: value for name, value in unusual.items() if value is not None})
    bench.says("shoe change; card 2C; shoe ready S1 312 receipt R1")  # as these terms require
    bench.says("open; press manager; rule cancel by m because x")
    again = check(tomllib.loads(script_of(bench.records).config)).house("auto")
    assert again.pinned_terms() == bench.house.pinned_terms()
    assert not [name for name in unusual if unusual[name] == getattr(usual, name) is not None]


def other(value):
    """Return another value than the usual one, or None for a value of no simple type."""
    words = {"auto": "dealer", "warning": "fault", "offer": "cancel", "last_round": "one_more", "free": "one"}
    words |= {"withdraw": "lower", "return": "keep"}
    match value:
        case bool():
            return not value
        case int():
            return value + 7
        case str():
            return words[value]
    return None


def test_the_config_holds_the_limits_of_the_table():
    house = check({"game": {"name": "rhum32"}, "limits": {"prize": 500.5, "markets": {"ante": {"maximum": 99.99}}}})
    bench = Bench("rhum32")
    bench.house = house.house("auto")
    bench.says("shuffled; open; press manager; rule cancel by m because x")
    again = check(tomllib.loads(script_of(bench.records).config)).house("auto")
    assert again.pinned_terms() == bench.house.pinned_terms()
    assert again.settings == bench.house.settings
