"""Notes below the figures of a market: each says what it is about, also where a figure is negative or 0."""

from controller.lab.commands.rtp import _notes
from controller.lab.rtp.rows import MarketRow


def notes(**fields: object) -> list[str]:
    """Return the notes of a row with these fields."""
    usual = {"sheet": 97.0, "difference": None, "method": "exact", "rounds": None, "standard_error": None}
    return list(_notes(MarketRow(market="tie", returned=95.0, **{**usual, **fields})))


def test_a_difference_is_counted_in_standard_errors_without_a_sign():
    for difference in (-3.0, 3.0):
        note = "tie: 2.0 standard errors from the figure of the rule sheet"
        assert notes(difference=difference, standard_error=1.5) == [note]


def test_a_market_that_never_won_has_its_note():
    (note,) = notes(simulated=0.0, simulated_standard_error=0.0, simulated_rounds=20000, rounds=None)
    assert note.startswith("tie: 20 000 simulated rounds give 0.0")


def test_the_simulated_rounds_of_an_exact_figure_are_its_own():
    exact, simulated = notes(simulated=95.0, simulated_standard_error=0.1, simulated_rounds=300, rounds=5000)
    assert (exact.startswith("tie: 300 simulated"), simulated.startswith("simulated: 5 000 rounds")) == (True, True)
