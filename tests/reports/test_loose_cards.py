"""Exported tables of cards: cards without a place, and cards from before the file's first round."""

from controller.core import records as r
from controller.reports.table_rows import record_rows
from controller.reports.tables import SHEETS
from tests.core.bench import Bench


def cards(script: str, game: str = "baccarat") -> dict[int, tuple]:
    """Play the script; return card, end, place and face-up of each draw, by its number."""
    bench = Bench(game, confirm="dealer")
    bench.says(script)
    rows = (row for table, row in record_rows(bench.records, 1) if table == "cards")
    return {row["draw"]: (row["card"], row["end"], row["place"], row["face_up"]) for row in rows}


def test_a_surplus_card_is_loose_until_it_is_ruled_on():
    dealt = "open; bet p1 player 10.00; close; card 9C; card 2D; card KH; card 3S; card 4D"
    found = cards(dealt)
    assert (found[4], found[5]) == (("3S", "dealt", "banker", True), ("4D", "loose", None, None))
    assert cards(f"{dealt}; rule cancel by anna because x")[5] == ("4D", "voided", None, None)
    assert cards(f"{dealt}; rule burn 5 by anna because x; press finish")[5] == ("4D", "burnt", None, None)


def test_a_card_before_a_files_first_round_has_no_row():
    """A primary key has no empty part: the card is named with its fault instead."""
    bench = Bench()
    played = "open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D"
    bench.says(f"{played}; journal rotated; card 4D; rule burn by m because stuck; {played}")
    begins = next(place for place, one in enumerate(bench.records) if isinstance(one.what, r.Checkpoint))
    for name, row in record_rows(bench.records[begins:], 2):
        assert None not in [row[column] for column in SHEETS[name].key], (name, row)
