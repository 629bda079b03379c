"""Rounds of a rule sheet alone, dealt by chance, each with its steps and answers."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ...core import sheet
from ...rules.cards import Card
from ...rules.dealing import Answer, CardTo, Dealing, Decisions, as_answer
from ...rules.game import Game, Stake
from ...rules.procedure import Ask, Deal, Outcome, Participants, Procedure, Settings, Step, plain

LONGEST = 120  # steps of a round; the longest round of our games has half as many
PLAYERS = ("p1", "p2")


class Path(Struct, frozen=True):
    """Steps and answers of one round, up to an error of the procedure if there was one."""

    game: Game
    settings: Settings
    joined: Participants
    steps: tuple[Step, ...] = ()  # steps that were due; the last may have no answer
    answers: tuple[Answer, ...] = ()
    outcome: Outcome | None = None

    @property
    def procedure(self) -> Procedure:
        """Start the procedure of this round anew."""
        return self.game.procedure(self.settings, self.joined)

    @property
    def face_up_cards(self) -> Mapping[str, list[Card]]:
        """Cards that lie face up, by place."""
        cards: dict[str, list[Card]] = {}
        for step, answer in zip(self.steps, self.answers, strict=False):
            if isinstance(step, Deal) and isinstance(answer, CardTo) and step.face_up:
                cards.setdefault(step.to, []).append(answer.card)
        return cards

    def script(self) -> Iterator[str]:
        """Yield the round as a script for `tablectl play`, with comments on house options that are not the default."""
        usual = plain(self.game.settings())
        changed = {option: value for option, value in plain(self.settings).items() if value != usual[option]}
        yield from (f"# under [game]: {line}" for line in msgspec.toml.encode(changed).decode().splitlines())
        if self.game.deck(self.settings).every_round:
            yield "shuffled"
        yield "open"
        market = self.game.joins or self.game.markets[0].name
        for number, who in enumerate(self.joined.seats or self.joined.players):
            yield f"bet {who} {market} 10.00" if not self.game.seats else f"bet p{number + 1} {who} {market} 10.00"
        yield "close"
        for answer in self.answers:
            if isinstance(answer, CardTo):
                yield f"card {answer.card}"
            elif isinstance(answer, Decisions):
                yield from (f"decide {who} {option}" for who, option in answer.by.items())


def rounds(game: Game, count: int) -> Iterator[tuple[Path, Exception | None]]:
    """Deal random rounds under each of the house's options in turn; yield each with the sheet's exception, if any."""
    choices = sheet.options(game.settings)
    for seed in range(count):
        dice = random.Random(seed)
        most = len(game.seats[:3]) or len(PLAYERS)
        some = dice.randint(1, most)
        joined = Participants(PLAYERS[: min(some, 2)], game.seats[:some])
        yield _deal(Path(game, choices[seed % len(choices)], joined), dice)


def _deal(path: Path, dice: random.Random) -> tuple[Path, Exception | None]:
    deck = path.game.deck(path.settings)
    shoe = [card for card in deck.cards for _ in range(deck.copies)]
    dice.shuffle(shoe)
    steps, answers = list[Step](), list[Answer]()

    def so_far(outcome: Outcome | None = None) -> Path:
        return Path(path.game, path.settings, path.joined, tuple(steps), tuple(answers), outcome)

    try:
        dealing = Dealing(path.procedure)
        while (due := dealing.due) is not None and len(steps) < LONGEST and shoe:
            steps.append(due)
            answer = as_answer(due, _choice(due, shoe, dice))
            answers.append(answer)
            dealing.answer(answer)
    except Exception as error:  # noqa: BLE001 - anybody's sheet
        return so_far(), error
    if dealing.due is not None:
        steps.append(dealing.due)
    return so_far(dealing.outcome), None


def _choice(due: Step, shoe: list[Card], dice: random.Random) -> Any:
    match due:
        case Deal():
            return shoe.pop()
        case Ask(who=who, options=options):
            return {one: dice.choice(options) for one in who}
    return None


def with_other_hidden(path: Path, dice: random.Random) -> Path | None:
    """Repeat the round with other face-down cards, as far as its steps stay the same; None without such cards."""
    hidden = [n for n, step in enumerate(path.steps) if isinstance(step, Deal) and not step.face_up]
    if not hidden:
        return None
    deck = path.game.deck(path.settings)
    left = Counter(dict.fromkeys(deck.cards, deck.copies))
    left.subtract(answer.card for answer in path.answers if isinstance(answer, CardTo))
    others = list(left.elements())
    dice.shuffle(others)
    answers = list(path.answers)
    for number in hidden[: len(others)]:
        due = path.steps[number]
        if number < len(answers) and isinstance(due, Deal):
            answers[number] = CardTo(others.pop(), due.to)
    return drive(path, answers)


def drive(path: Path, answers: Sequence[Answer]) -> Path:
    """Run the round's procedure with these answers, until one does not fit the step."""
    dealing, steps = Dealing(path.procedure), list[Step]()
    for answer in answers:
        if dealing.due is None or not answer.fits(dealing.due):
            break
        steps.append(dealing.due)
        dealing.answer(answer)
    if dealing.due is not None:
        steps.append(dealing.due)
    done = tuple(answers[: len(steps)])
    return Path(path.game, path.settings, path.joined, tuple(steps), done, dealing.outcome)


def drive_beside(path: Path) -> tuple[Outcome | None, Outcome | None]:
    """Deal this round twice at the same time, card by card in turns; return both outcomes.

    Raises SheetFailed.
    """
    both = Dealing(path.procedure), Dealing(path.procedure)
    for answer in path.answers:
        for dealing in both:
            if answer.fits(dealing.due):
                dealing.answer(answer)
    return both[0].outcome, both[1].outcome


def stakes(path: Path) -> Iterator[Stake]:
    """Yield every possible bet of the round, and every stake that came with a decision."""
    game = path.game
    decided = (one for answer in path.answers for one in getattr(answer, "by", {}).items())
    for number, who in enumerate(path.joined.seats or path.joined.players):
        player, seat = (f"p{number + 1}", who) if game.seats else (who, None)
        yield from (Stake(player, market.name, market.odds, seat) for market in game.markets)
    for who, option in decided:
        if option in game.follow_ons:
            yield Stake(who, game.follow_ons[option].market, None, who if game.seats else None)
