"""A dealer cannot rule on their own round under another name or spelling; ids are compared too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import events as e
from controller.core.persons import is_like
from controller.core.records.journal import NAMING

from .bench import Bench

UNREAD = "open; close; unread"
DISGUISES = {
    "another case": str.upper,
    "a trailing space": lambda name: f"{name} ",
    "a space within": lambda name: f"{name[0]} {name[1:]}",
    "a dotless i": lambda name: name.replace("i", "ı"),
    "a dotted capital i": lambda name: name.replace("i", "İ"),
    "a zero-width space": lambda name: f"{name[:2]}\u200b{name[2:]}",
    "a zero-width joiner at the end": lambda name: f"{name}\u200d",
    "a soft hyphen": lambda name: f"{name[:1]}\xad{name[1:]}",
    "a bidi override": lambda name: f"\u202e{name}",
    "a Hangul filler": lambda name: f"{name}\u3164",
    "full-width letters": lambda name: "".join(chr(ord(letter) + 0xFEE0) for letter in name),
    "Cyrillic letters": lambda name: name.translate(str.maketrans("aeiop", "аеіор")),
    "Greek letters": lambda name: name.translate(str.maketrans("aio", "αιο")),
    "one for l": lambda name: name.replace("l", "1"),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_a_dealer_cannot_rule_under_another_spelling_of_the_name(disguise):
    table = Bench()
    table.do(e.DealerOn("liviopeta"))
    table.says(UNREAD)
    disguised = disguise("liviopeta")
    assert disguised != "liviopeta"
    table.do(e.Acknowledge(disguised), e.Rule("cancel", disguised, "mine"))
    assert [refused.reason for refused in table.facts("ruling_refused")] == ["own_round"] * 2
    assert table.life == "paused"


@given(name=st.text("abdeilnoprstu ", min_size=3, max_size=12), disguise=st.sampled_from([*DISGUISES.values()]))
def test_a_name_matches_itself_in_any_spelling_disguise(name, disguise):
    assert is_like(name, disguise(name.upper())) or not name.strip()
    assert is_like(disguise(name), name.title()) or not name.strip()


@pytest.mark.parametrize(("one", "another"), [("anna", "ana"), ("d1", "d2"), ("Ștefan", "Stefan"), ("anna", None)])
def test_other_names_are_other_persons(one, another):
    assert not is_like(one, another)


@pytest.mark.parametrize(("deciding", "person"), [(NAMING - 1, "beacon"), (NAMING, None)])
def test_a_touch_of_the_beacon_is_no_persons_act(deciding, person):
    table = Bench()
    table.house = replace(table.house, deciding=deciding)
    table.says(UNREAD)
    (acknowledged,) = table.do(e.Acknowledge("beacon"))
    assert (acknowledged.what.by, acknowledged.person) == ("beacon", person)


def test_a_dealer_ruling_under_another_name_is_refused_by_id():
    table = Bench()
    table.do(e.DealerOn("Anna Pop", id="1042"))
    table.says(UNREAD)
    (refused,) = table.do(e.Rule("cancel", "A. Ionescu", "married since", person="1042"))
    assert (refused.what.reason, refused.person) == ("own_round", "1042")
    ruled, *_ = table.do(e.Rule("cancel", "Maria", "void", person="1043"))
    assert (ruled.kind, ruled.what.by, ruled.person) == ("ruled", "Maria", "1043")


def test_a_rounds_dealer_is_known_after_restart_and_dealer_change():
    table = Bench()
    table.do(e.DealerOn("Anna Pop", id="1042"))
    table.says("open; close; card 9C; card 2D; card KD; card 3H")
    table.do(e.DealerOn("Bea", id="1050"))
    table.says("card 5S")  # one too many, after the settlement
    table.restart()
    (refused,) = table.do(e.Rule("burn", "boss", "surplus", person="1042"))
    assert refused.what.reason == "own_round"
    assert [record.what.dealer_id for record in table.records if record.kind == "opened"] == ["1042"]


def test_a_dealer_id_equal_to_the_name_is_not_checkpointed():
    """Without a registry of people, records contain no more than before people had ids."""
    table = Bench()
    table.says("dealer d2; open; close; card 9C; card 2D; card KD; card 3H")
    (checkpoint,) = table.facts("checkpoint")
    assert b"dealer_id" not in bytes(checkpoint.state)
    assert table.facts("dealer_changed")[-1].to_id == "d2"


def test_the_second_counter_cannot_be_the_first_respelled():
    table = Bench(count_in=True)
    full = table.house.deck.size
    table.do(e.ChangeShoe("anna"), e.LoadShoe("anna", "S2", full, None, "ANNA"))
    assert table.facts("ignored")[-1].reason == "not_counted"
    assert table.do(e.LoadShoe("anna", "S2", full, None, "bea"))[-1].kind == "shoe_ready"
