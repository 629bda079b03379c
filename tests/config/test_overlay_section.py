"""Overlay section of a config: where the badges of a seated game may be placed."""

import tomllib

import pytest

from controller.config.mistakes import BadConfig
from controller.config.table_file import check

SEATS = "".join(f"seats.seat{number} = [{number * 12}, 76]\n" for number in range(1, 8))


def config(text: str, game: str = "blackjack"):
    return check(tomllib.loads(f"game.name = '{game}'\n[overlay]\n{text}"))


def test_all_seats_need_a_place_the_dealers_is_optional():
    assert "dealer" not in config(SEATS).overlay.seats
    assert config(f"{SEATS}seats.dealer = [50, 10.5]").overlay.seats["dealer"] == (50, 10.5)
    assert config("").overlay.seats == {}


@pytest.mark.parametrize(
    ("said", "game", "why"),
    [
        ("seats.seat1 = [50, 76]", "blackjack", "expected every seat or none, got none for seat2"),
        (f"{SEATS}seats.seat8 = [50, 10]", "blackjack", r"overlay.seats.seat8: expected one of .*did you mean seat"),
        (f"{SEATS}seats.dealer = [50, 50]", "blackjack", r"overlay.seats.dealer: .* from 71 to 84.*got \[50, 50\]"),
        (f"{SEATS}seats.dealer = [99, 10]", "blackjack", r"a width from 5.5 to 94.5"),
        (
            f"{SEATS}seats.dealer = [50, 80]",
            "blackjack",
            "overlay.seats.dealer: expected a place of its own, got one over seat4",
        ),
        (f"{SEATS}seats.dealer = [50]", "blackjack", "overlay.seats.dealer"),
        (SEATS, "baccarat", "overlay.seats: expected none: baccarat has no seats"),
    ],
)
def test_a_badge_over_the_cards_or_another_is_refused(said, game, why):
    with pytest.raises(BadConfig, match=why):
        config(said, game)
