"""Check of stakes that come with decisions: each is named, and its decision is asked for."""

from ...rules.game import Game
from ...rules.procedure import Ask
from .broken import Broken
from .paths import rounds


def check_stakes(game: Game, count: int) -> None:
    """Check that every named bet can be made, and every staking decision is asked for.

    Raises Broken.
    """
    bets = {market.name for market in game.markets} | {added.market for added in game.follow_ons.values()}
    for name in game.face.markets:
        if name not in bets:
            raise Broken(
                f"expected each of face.markets to be a market or to come with a decision, {name!r} is none",
                change=f"add its decision to follow_ons, with a FollowOn({name!r}, ...), or take it out of the face",
            )
    steps = [step for path, _ in rounds(game, count) for step in path.steps if isinstance(step, Ask)]
    options = {option for step in steps for option in step.options} | {*game.face.decisions}
    for decision in game.follow_ons:
        if decision not in options:
            raise Broken(
                f"expected the decisions of follow_ons among {', '.join(sorted(options))}, got {decision!r}",
                change="write into follow_ons the option as the procedure names it",
            )
