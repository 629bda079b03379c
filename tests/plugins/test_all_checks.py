"""`check_game` makes every check, each table with a seed of its own; and it looks at every text."""

import pytest

from controller.games import GAMES
from controller.lab.testing import game as checks
from controller.lab.testing.texts import texts_in

CHECKS = (
    "_check_fields", "check_source", "check_sheet", "check_oracle", "check_texts", "check_stakes", "check_payments",
    "check_returns", "check_highest", "_check_table", "warn_of_missing",
)  # fmt: skip


def test_every_check_of_a_game_is_made(monkeypatch):
    made = list[tuple[str, object]]()
    for name in CHECKS:
        monkeypatch.setattr(checks, name, lambda *given, name=name: made.append((name, given[-1])))
    checks.check_game(GAMES["baccarat"], 10, 3, oracle=lambda _: None)
    assert {name for name, _ in made} == set(CHECKS)
    assert [seed for name, seed in made if name == "_check_table"] == [0, 1, 2]


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.face.formed])
def test_the_word_for_a_formed_hand_is_a_text(name):
    assert GAMES[name].face.formed in set(texts_in(GAMES[name]))
