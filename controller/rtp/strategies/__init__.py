"""The strategies that returns are simulated with: one file each. A game without one is played by its defaults."""

from ..strategy import Strategy
from . import blackjack, casino_holdem, rhum32

STRATEGIES: dict[str, Strategy] = {
    "blackjack": blackjack.STRATEGY,
    "casino_holdem": casino_holdem.STRATEGY,
    "rhum32": rhum32.STRATEGY,
}
