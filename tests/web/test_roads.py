"""The roads of baccarat, checked by worked examples and by all short runs of results."""

from itertools import product

import pytest

from controller.web.screens.roads import BigRoadMark, Dot, RoadResult, Roads, derived_road, lay, next_entries, roads

WINNERS = {"B": "banker", "P": "player", "T": "tie"}


def roads_of(results: str) -> Roads:
    """Return the roads of results, given as letters B, P and T."""
    return roads([RoadResult(WINNERS[letter]) for letter in results])


def picture(kinds: str) -> list[str]:
    """Return a road as six rows of text, one letter for each result."""
    cells = dict(zip(lay(kinds), kinds, strict=True))
    assert len(cells) == len(kinds)  # no two in one cell
    width = max(column for column, _ in cells) + 1
    return ["".join(cells.get((column, row), "·") for column in range(width)) for row in range(6)]


def colours(results: str, road: str) -> str:
    """Return the dots of a road as letters: r for red, b for blue."""
    return "".join(dot.colour[0] for dot in getattr(roads_of(results), road))


# ── laying ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_run_goes_down_and_the_next_begins_beside_it():
    assert picture("BBBPB") == ["BPB", "B··", "B··", "···", "···", "···"]


def test_a_run_over_six_turns_right_in_the_last_row():
    assert picture("BBBBBBBB") == ["B··", "B··", "B··", "B··", "B··", "BBB"]


def test_a_run_under_a_dragons_tail_turns_right_above_it():
    assert picture("BBBBBBBBPPPPPPP") == ["BP··", "BP··", "BP··", "BP··", "BPPP", "BBB·"]


def test_a_run_without_room_below_continues_in_the_first_row():
    tails = "".join(letter * length for letter, length in zip("BPBPBP", (12, 10, 8, 6, 4, 3), strict=True))
    assert picture(tails + "B") == [
        "BPBPBPPPB",
        "BPBPBBB··",
        "BPBPPPP··",
        "BPBBBBB··",
        "BPPPPPP··",
        "BBBBBBB··",
    ]


@pytest.mark.parametrize("length", range(1, 11))
def test_no_two_results_ever_lie_in_one_cell(length):
    for results in product("BP", repeat=length):
        picture("".join(results))


def test_the_bead_plate_has_every_result_in_columns_of_six():
    beads = roads_of("BPTBPTB").bead
    assert [(bead.column, bead.row) for bead in beads] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0)]
    assert beads[2].winner == "tie"


# ── the big road ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_tie_marks_the_previous_result_and_ends_no_run():
    assert roads_of("BTTBP").big == (
        BigRoadMark(0, 0, "banker", 2, ()),
        BigRoadMark(0, 1, "banker", 0, ()),
        BigRoadMark(1, 0, "player", 0, ()),
    )


def test_ties_before_the_first_winner_are_marked_on_it():
    assert roads_of("TT").big == (BigRoadMark(0, 0, None, 2, ()),)
    assert roads_of("TTPP").big == (BigRoadMark(0, 0, "player", 2, ()), BigRoadMark(0, 1, "player", 0, ()))


def test_pairs_are_shown_with_their_result():
    (mark,) = roads([RoadResult("banker", ("player", "banker"))]).big
    assert mark.pairs == ("player", "banker")


def test_ties_and_tails_change_nothing_in_the_derived_roads():
    plain, marked = roads_of("BBPPBBBBBBBBPPB"), roads_of("TBTBPPTBBBBBBBTBPTPB")
    assert (plain.eye, plain.small, plain.pig) == (marked.eye, marked.small, marked.pig)


# ── predictions ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("length", range(8))
def test_derived_road_predictions_match_the_actual_dots(length):
    for results in map("".join, product("BPT", repeat=length)):
        for letter, side in (("B", "banker"), ("P", "player")):
            before, after = roads_of(results), roads_of(results + letter)
            new_dots = {road: getattr(after, road)[len(getattr(before, road)) :] for road in ("eye", "small", "pig")}
            predictions = next_entries([RoadResult(WINNERS[one]) for one in results], side)
            assert predictions == {road: dots[0].colour for road, dots in new_dots.items() if dots}, (results, side)


def test_a_run_as_long_as_the_previous_is_predicted_red():
    assert next_entries([RoadResult(WINNERS[one]) for one in "BBP"], "player") == {"eye": "red"}
    assert next_entries([RoadResult(WINNERS[one]) for one in "BBPP"], "banker") == {"eye": "red"}


# ── the derived roads ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("road", "nothing_yet", "first"),
    [
        ("eye", "BBBP", "BBBPP"),  # begins with the second of the second run
        ("eye", "BP", "BPB"),  # the second run has only one: the first of the third
        ("small", "BPB", "BPBB"),
        ("small", "BPB", "BPBP"),
        ("pig", "BPBP", "BPBPP"),
        ("pig", "BPBP", "BPBPB"),
    ],
)
def test_a_derived_road_begins_with(road, nothing_yet, first):
    assert colours(nothing_yet, road) == ""
    assert len(colours(first, road)) == 1


def test_a_new_run_is_red_after_equally_long_runs():
    assert derived_road([2, 2, 1], 1)[-1] == "red"
    assert derived_road([3, 2, 1], 1)[-1] == "blue"
    assert derived_road([2, 5, 2, 1], 2)[-1] == "red"
    assert derived_road([2, 2, 3, 1], 2)[-1] == "blue"
    assert derived_road([2, 5, 5, 2, 1], 3)[-1] == "red"
    assert derived_road([1, 2, 2, 2, 1], 3)[-1] == "blue"


def test_a_continuing_run_is_blue_where_the_compared_run_ended():
    assert derived_road([3, 5], 1) == ["red", "red", "blue", "red"]  # as long; as long; longer by one; longer still


def test_a_choppy_shoe_is_red_throughout():
    assert colours("BPBPBPBP", "eye") == "rrrrrr"


# Runs 1 1 3 2 1 4, B P BBB PP B PPPP. Worked by hand:
#   eye    the third run: begins 1=1 red, goes on past a run of 1: blue, red; the fourth: 3≠1 blue, in row 2 of 3: red;
#          the fifth: 2≠3 blue; the sixth: 1≠2 blue, past 1: blue, red, red
#   small  the third run goes on past the first (1): blue, red; the fourth: 3≠1 blue, past the second (1): blue;
#          the fifth: 2≠1 blue; the sixth: 1≠3 blue, past the fourth (2): red, blue, red
#   pig    the fourth run goes on past the first (1): blue; the fifth: 2≠1 blue; the sixth: 1=1 red, past the third (3):
#          red, red, blue
def test_a_whole_shoe_worked_by_hand():
    shoe = "BPBBBPPBPPPP"
    assert colours(shoe, "eye") == "rbr" + "br" + "b" + "bbrr"
    assert colours(shoe, "small") == "br" + "bb" + "b" + "brbr"
    assert colours(shoe, "pig") == "b" + "b" + "rrrb"


def test_a_derived_road_is_laid_as_the_big_road_is():
    dots = roads_of("BPBPBPBPBP").eye  # eight times red
    assert dots[0] == Dot(0, 0, "red")
    assert [(dot.column, dot.row) for dot in dots[5:]] == [(0, 5), (1, 5), (2, 5)]


def test_without_results_there_is_nothing_on_any_road():
    assert roads([]) == Roads()
