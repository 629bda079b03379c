"""Mermaid diagrams of the transitions of a round and of the games' procedures.

They are drawn from the program's own table of transitions and rule sheets, so they cannot differ from the program.
"""

import random
from collections.abc import Iterator

from ...core.life import STATES, TRANSITIONS
from ...rules.dealing import Dealing, as_answer
from ...rules.game import Game
from ...rules.procedure import Ask, Deal, Participants, Reveal, Step

ROUNDS = 4000  # dealt at random to find the orders; the rarest baccarat order comes once in about six rounds
LONGEST = 24  # steps after which the diagram of an endless game is cut

Tree = dict[str, "Tree"]


def round_diagram() -> str:
    """Draw the life of a round as a Mermaid state diagram.

    Every state can be paused. A paused round resumes in the state of the step that is due then.
    """
    lines = ["stateDiagram-v2", f"    [*] --> {STATES[0]}"]
    for row in TRANSITIONS:
        sources = [row["source"]] if isinstance(row["source"], str) else row["source"]
        lines += [f"    {source} --> {row['dest']}: {row['trigger']}" for source in sources]
    return "\n".join(lines)


def game_diagram(game: Game) -> str:
    """Draw the orders in which a round with one player can be dealt, found by dealing at random."""
    tree: Tree = {}
    for steps in _random_rounds(game):
        node = tree
        for step in steps:
            node = node.setdefault(step, {})
    lines, names = ["flowchart LR"], dict[str, str]()
    _draw(tree, lines, names)
    return "\n".join(lines)


def _random_rounds(game: Game) -> Iterator[list[str]]:
    dice = random.Random(0)  # noqa: S311 - a drawing, no game
    settings = game.settings()
    deck = game.deck(settings)
    shoe = deck.cards * deck.copies
    for _ in range(ROUNDS):
        cards = dice.sample(shoe, min(LONGEST, len(shoe)))
        dealing = Dealing(game.procedure(settings, Participants(players=("player",), seats=("seat1",))))
        steps: list[str] = []
        while dealing.due is not None and len(steps) < LONGEST:
            steps.append(_label(dealing.due))
            choice = (
                {who: dice.choice(dealing.due.options) for who in dealing.due.who}
                if isinstance(dealing.due, Ask)
                else cards.pop()
            )
            dealing.answer(as_answer(dealing.due, choice))
        yield [*steps, "end" if dealing.due is None else "…"]


def _label(step: Step) -> str:
    match step:
        case Deal(to=place, face_up=face_up):
            return place if face_up else f"{place}, face down"
        case Ask(options=options):
            return " or ".join(options) + "?"
        case Reveal(place=place):
            return f"{place} shows"
    return "bets"


def _draw(tree: Tree, lines: list[str], names: dict[str, str]) -> list[str]:
    """Add the lines of a tree; return the names of its first nodes. Equal subtrees are drawn once."""
    firsts = []
    for label, rest in sorted(tree.items()):
        shape = f"{label}{rest}"
        if shape not in names:
            names[shape] = name = f"s{len(names) + 1}"
            lines.append(f'    {name}["{label}"]')
            lines += [f"    {name} --> {then}" for then in _draw(rest, lines, names)]
        firsts.append(names[shape])
    return firsts
