"""Oracle of a game: the expected result of a round, by an independent account of the rules.

    def judge(played: PlayedRound) -> Judgement:
        return Judgement({"winner": who_wins(played.cards["player"], played.cards["dealer"])})

    check_game(GAME, oracle=judge)

A wrong winner hardly changes any figure: only a second implementation of the rules finds it.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from ...rules.cards import Card
from ...rules.dealing import CardTo, Decisions
from ...rules.game import Game, Prize
from ...rules.procedure import Settings
from .broken import Broken
from .paths import Path, rounds, stakes

ROUNDS = 2_000  # judged rounds; about four of them have a straight flush of three cards


class PlayedRound(Struct, frozen=True):
    """Round for an oracle: cards by place, face down or not, and each player's last decision."""

    settings: Settings
    cards: Mapping[str, Sequence[Card]]
    decisions: Mapping[str, str]


class Judgement(Struct, frozen=True):
    """Judgement of an oracle: fields of the outcome, and returns for one unit on a market.

    Fields that are left out are not compared. `returns`: by player, then market; in a seated game by seat, then market.
    """

    outcome: Mapping[str, Any] = {}
    returns: Mapping[str, Mapping[str, Fraction | Prize]] = {}


Oracle = Callable[[PlayedRound], Judgement]


def check_oracle(game: Game, oracle: Oracle, count: int = ROUNDS) -> None:
    """Check that sheet and oracle agree; shows the shortest round otherwise. Raises Broken."""
    unlike: list[tuple[Path, str, str]] = []
    for path, _ in rounds(game, count):
        if path.outcome is not None:
            unlike += [(path, *pair) for pair in _differences(path, _ask_oracle(oracle, path))]
    if unlike:
        path, expected, change = min(unlike, key=lambda one: len(one[0].answers))
        raise Broken(expected, path.script(), change)


def _ask_oracle(oracle: Oracle, path: Path) -> Judgement:
    """Ask the oracle for its judgement of a round. Raises Broken if the oracle fails."""
    try:
        return oracle(_played_round(path))
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
        raise Broken(
            f"expected the oracle to judge every round that the sheet can play, it failed ({failure})",
            path.script(),
            "have the oracle work without the cards that this round does not deal, or have the procedure deal them",
        ) from error


def _played_round(path: Path) -> PlayedRound:
    cards: dict[str, list[Card]] = {}
    decisions: dict[str, str] = {}
    for answer in path.answers:
        if isinstance(answer, CardTo):
            cards.setdefault(answer.place, []).append(answer.card)
        elif isinstance(answer, Decisions):
            decisions.update(answer.by)
    return PlayedRound(path.settings, cards, decisions)


def _differences(path: Path, judged: Judgement) -> list[tuple[str, str]]:
    """Differences between a round and the oracle's judgement, with what to change."""
    assert path.outcome is not None
    outcome = path.outcome.record()
    differences = [
        (
            f"expected {name} to be {value!r}, as the oracle says; the outcome has {outcome.get(name)!r:.80}",
            f"correct the procedure where it finds {name}, or the oracle: one of them reads the rules wrong",
        )
        for name, value in judged.outcome.items()
        if outcome.get(name) != value
    ]
    for stake in stakes(path):
        says = judged.returns.get(stake.seat or stake.player, {}).get(stake.market)
        if says is not None and (won := path.game.pay(path.outcome, stake)) != says:
            who = stake.seat or stake.player
            differences.append(
                (
                    f"expected {who}'s {stake.market} to return {says}, as the oracle says; pay returns {won}",
                    "correct pay or its table, or the oracle: one of them reads the rules wrong",
                )
            )
    return differences
