"""Measure after how many rounds a card missing from a deck is noticed, over many decks.

Each deck is dealt anew every round; the program sees only the dealt cards. Complete decks are dealt, too: the output
also says how many of them were wrongly reported as short of a card.

    python -m tests.bench.decks [--decks N]
"""

import argparse
import random
from collections.abc import Mapping, Sequence

from controller.core.deck_account import overdue_cards, with_round
from controller.core.shoe import DeckPast
from controller.rules.cards import FULL_DECK, Card, Deck

SHORT = tuple(card for card in FULL_DECK if card[0] in "6789TJQK")
TABLES: Mapping[str, tuple[Sequence[Card], int, int]] = {  # the deck, and the fewest and most cards of a round
    "hold'em, 9 cards": (FULL_DECK, 9, 9),
    "Rhum 32, 8 to 40": (FULL_DECK, 8, 40),
    "32 Card, 4 to 6": (SHORT, 4, 6),
}
ROUNDS, STEP, BAR = 240, 20, 40


def noticed(cards: Sequence[Card], whole: Sequence[Card], many: tuple[int, int], dice: random.Random) -> int | None:
    """Deal rounds; return the round after which a card counts as missing, None if not within ROUNDS."""
    past, deck = DeckPast(), Deck(tuple(whole), every_round=True)
    for number in range(1, ROUNDS + 1):
        counts = dict.fromkeys(dice.sample(cards, dice.randint(*many)), 1)
        past = with_round(past, counts, len(whole))
        if next(overdue_cards(past, deck), None):
            return number
    return None


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--decks", type=int, default=300)
    decks: int = words.parse_args().decks
    dice = random.Random(1)
    for name, (whole, *many) in TABLES.items():
        fewest, most = many
        short = [noticed(whole[1:], whole, (fewest, most), dice) for _ in range(decks)]
        false = sum(noticed(whole, whole, (fewest, most), dice) is not None for _ in range(decks))
        print(f"{name}: of {decks} decks that lack a card noticed by round ... ({false} of {decks} whole ones)")
        for number in range(STEP, ROUNDS + 1, STEP):
            share = sum(one is not None and one <= number for one in short) / decks
            print(f"{number:>5}  {share:>6.1%}  {'█' * round(BAR * share)}")


if __name__ == "__main__":
    main()
