"""Tests of mutants' keys and of their random sample."""

from tests.mutants.mutant import MutantPlace, draw, keys, mutant_at, room_of

PLACES = [
    MutantPlace(key, "controller/a.py", 0) for key in keys("controller/a.py", [("x", str(one)) for one in range(500)])
]


def test_the_same_seed_draws_the_same_mutants_and_another_others():
    assert draw(PLACES, 25, 20) == draw(PLACES[::-1], 25, 20)
    assert len({*draw(PLACES, 25, 20)} & {*draw(PLACES, 26, 20)}) < 10


def test_a_changed_module_changes_only_its_own_sample():
    others = [MutantPlace(key, "controller/b.py", 0) for key in keys("controller/b.py", [("x", "y")] * 500)]
    before, after = draw(PLACES, 25, 20), draw([*PLACES, *others], 25, 40)
    drawn = [place for place in after if place.path == "controller/a.py"]
    assert [place for place in drawn if place in before] == before[: len(drawn)]


def test_equal_changes_of_a_module_have_keys_of_their_own():
    assert len(set(keys("a.py", [("1", "2"), ("1", "2"), ("1", "3")]))) == 3
    assert set(keys("a.py", [("1", "2")])).isdisjoint(keys("b.py", [("1", "2")]))


def test_a_mutant_shows_the_lines_that_differ():
    mutant = mutant_at(MutantPlace("k", "drivers/shoes/a.py", 0), "a\n  b\nc\n", "a\n  B\nc\n")
    assert (mutant.line, mutant.was, mutant.now, mutant.room) == (2, "b", "B", "drivers/shoes")
    assert mutant_at(MutantPlace("k", "a.py", 0), "a\nb\nc\n", "a\nc\n")[3:] == (2, "b", "")


def test_a_room_is_the_folder_below_controller_or_drivers():
    paths = ["controller/core/decide/a.py", "controller/core/b.py", "controller/__init__.py"]
    assert [room_of(path) for path in paths] == ["controller/core", "controller/core", "controller"]
