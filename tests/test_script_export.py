"""A recorded round as a script: played again it gives the same records."""

import tomllib
from itertools import pairwise

import pytest
from hypothesis import given, settings

from controller.config import check
from controller.core import records as r
from controller.core.fold import apply
from controller.core.records import to_dict
from controller.core.state import State
from controller.play import Play
from controller.script import parse
from controller.script_export import Script
from controller.selection import Rounds
from tests.core.chance import TABLES, play, rounds

COUNTED = {"seq", "at", "round", "shoe", "id", "retired"}  # from the beginning of a script; `id`: of a shoe


def ended(records):
    return max((one.round for one in records if isinstance(one.what, r.Settled | r.Cancelled)), default=0)


def script_of(records, *wanted):
    return Script(records, Rounds(*wanted), ended(records))


def replayed(script):
    """The records of a script, with the config that goes with it."""
    table = Play(check(tomllib.loads(script.config)).house("auto"))
    for _ in table.run(parse("\n".join(script.lines()))):
        pass
    return table.records


def told(records, first, last, left_out=()):
    """What must be the same again of these rounds and of what lies between them."""
    these = [one for one in sayable(records) if one.kind not in left_out]
    inside = [number for number, one in enumerate(these) if one.round is not None and first <= one.round <= last]
    these = these[inside[0] : inside[-1] + 1] if inside else []
    faults = [one.seq for one in these if isinstance(one.what, r.Faulted)]
    return [event(one, these[0].at, faults) for one in these]


def event(record, start, faults):
    """A record without what counts from the beginning; a fault is the first, second ... of them."""
    fields = {name: flat(value) for name, value in to_dict(record).items() if name not in COUNTED}
    if record.kind == "checkpoint":
        del fields["state"]  # all of it, and more than the rounds
    if "fault" in fields:
        fields["fault"] = faults.index(fields["fault"])
    return {**fields, "after": record.at - start}


def flat(value):
    """A text as a script can hold it."""
    if isinstance(value, dict):
        return {flat(name): flat(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [flat(inner) for inner in value]
    return value.replace("\n", " ") if isinstance(value, str) else value


def sayable(records):
    """Without what changed nothing and has no words: refused rulings, an unknown key, an opening refused while the shoe
    had not stood by."""
    state = State()
    for record in records:
        refused = isinstance(record.what, r.StartRefused) and state.shoe.advisory
        state = apply(state, record)
        if not refused and record.kind != "ruling_refused" and getattr(record.what, "what", "") != "press no such key":
            yield record


def last_sayable(records):
    """The last round before the first card of which a reader gave the number within a place, but no place."""
    for before, record in pairwise(records):
        fault, drawn = record.what, before.what
        nowhere = isinstance(drawn, r.Drawn) and drawn.at_place is None
        if nowhere and isinstance(fault, r.Faulted) and (fault.code, fault.draw) == ("wrong_place", drawn.draw):
            return record.round - 1
    return ended(records)


def opened_advisory(records):
    """The rounds that were opened while the shoe had not stood by since a ruling."""
    state, numbers = State(), set()
    for record in records:
        if isinstance(record.what, r.Opened) and state.shoe.advisory:
            numbers.add(record.round)
        state = apply(state, record)
    return numbers


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
@settings(max_examples=15, deadline=None)
@given(rolled=rounds(120))
def test_a_script_of_a_record_gives_the_same_record(table, rolled):
    records = play(table, (), rolled).records
    last = last_sayable(records)
    advisory = opened_advisory(records)
    for first, until in {(1, last), *((number, number) for number in range(1, last + 1))}:
        if until:
            left_out = ("shoe_stood_by", "ignored") if advisory.intersection(range(first, until + 1)) else ()
            again = replayed(script_of(records, first, until))
            assert told(again, 1, until - first + 1, left_out) == told(records, first, until, left_out)
