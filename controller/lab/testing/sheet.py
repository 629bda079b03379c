"""Rules of a sheet by itself: each checks one round and returns what is wrong with it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import chain

import msgspec

from ...core.viewers import OF_PLAYERS
from ...rules.dealing import SheetFailed, is_sound
from ...rules.game import Game, Prize
from ...rules.procedure import Ask, Deal, Reveal, seat_of
from ...text.faults import Words
from ...text.naming import phrase
from .broken import Broken, Finding
from .hidden_cards import check_hidden_payouts, keeps_what_is_hidden
from .paths import Path, drive, drive_beside, rounds, stakes

Rule = Callable[[Path], Finding | None]

ROUNDS = 120
MANY = 2_000  # rounds without a question after which the game counts as one that never asks


def check_sheet(game: Game, count: int = ROUNDS) -> None:
    """Check the rules of a sheet; shows the shortest round that breaks one. Raises Broken."""
    paths = list(rounds(game, count))
    failed = [(path, error) for path, error in paths if error is not None]
    if failed:
        path, error = min(failed, key=lambda one: len(one[0].answers))
        raise Broken(*_failure_texts(path, error))
    whole = sorted((path for path, _ in paths), key=lambda path: len(path.answers))
    for rule in RULES:
        for path in whole:
            if fault := rule(path):
                raise Broken(fault[0], path.script(), fault[1])
    check_asked(game, (path for path, _ in rounds(game, MANY)))


def check_asked(game: Game, paths: Iterable[Path]) -> None:
    """Check that a game with stakes for decisions asks for a decision in some round. Raises Broken."""
    if game.follow_ons and not any(isinstance(step, Ask) for path in paths for step in path.steps):
        raise Broken(
            f"expected a question for the decisions of follow_ons ({', '.join(game.follow_ons)}), nobody is ever asked",
            change="ask participants.seats where GAME.seats is SEATS, participants.players where the game has no seats",
        )


def _failure_texts(path: Path, error: Exception) -> tuple[str, Iterator[str], str]:
    where = str(error) if isinstance(error, SheetFailed) else f"{type(error).__name__}: {error}"
    if (step := _unsound_step(path)) is not None:
        where = f"{where}: {step}"
    expected = f"expected the procedure to work for every card and decision, it failed ({where})"
    return expected, path.script(), "have the procedure use only cards that have been dealt, and return its outcome"


def _unsound_step(path: Path) -> object:
    """Step that no table can carry out, at which the round stopped; None if the procedure itself failed."""
    step: object = None
    with suppress(Exception):
        procedure = path.procedure
        step = next(procedure)
        for answer in path.answers:
            step = procedure.send(answer.value)
    return None if is_sound(step) else step


def ends(path: Path) -> Finding | None:
    """Check that a round ends before the shoe is empty."""
    if path.outcome is not None:
        return None
    return (
        f"expected every round to end, this one still asks for {path.steps[-1]} after {len(path.answers)} steps",
        "have the procedure return its outcome whatever cards come",
    )


def check_places(path: Path) -> Finding | None:
    """Check that every card is dealt to a place of the game."""
    places = {*path.game.places, "burn"}
    strange = [step.to for step in path.steps if isinstance(step, Deal) and seat_of(step.to) not in places]
    if not strange:
        return None
    return (
        f"expected cards to go to GAME.places ({', '.join(path.game.places)}), one went to {strange[0]!r}",
        f"add {strange[0]!r} to places, or give the Hand the name of one of them",
    )


def asks_whom_it_may(path: Path) -> Finding | None:
    """Check that only participants are asked."""
    players = {*path.joined.players, *path.joined.seats}
    for step in path.steps:
        if not isinstance(step, Ask):
            continue
        if strange := [who for who in step.who if seat_of(who) not in players]:
            return (
                f"expected a question to participants only ({', '.join(sorted(players))}), got one to {strange[0]!r}",
                "ask participants.players, or participants.seats where the game has seats",
            )
    return None


def turns_over_what_lies(path: Path) -> Finding | None:
    """Check that revealed places hold face-down cards."""
    down = set[str]()
    for step in path.steps:
        if isinstance(step, Deal) and not step.face_up:
            down.add(step.to)
        if isinstance(step, Reveal) and step.place not in down:
            return (
                f"expected a face-down card at {step.place} when it is turned over, there is none",
                "deal it with face_up=False, or leave the reveal out",
            )
    return None


def is_the_same_again(path: Path) -> Finding | None:
    """Check that the same cards lead to the same steps and outcome again."""
    again = drive(path, path.answers)
    if (again.steps, again.outcome) == (path.steps, path.outcome):
        return None
    return (
        "expected the same cards and decisions to lead to the same steps and outcome each time, they do not",
        "make every Hand within the procedure; use no chance, clock, file or variable of the module",
    )


def is_alone(path: Path) -> Finding | None:
    """Check that a round does not depend on another round at the same time, or one abandoned before it."""
    try:
        drive(path, path.answers[: len(path.answers) // 2])
        outcome, other = drive_beside(path)
        result = "other ones"
    except SheetFailed as error:
        outcome, other, result = None, None, f"a failure ({error})"
    if outcome == other == path.outcome:
        return None
    return (
        f"expected the same steps and outcome while another round is dealt (a table looks ahead), got {result}",
        "make every Hand, list and count within the procedure, none in the module",
    )


def is_recorded(path: Path) -> Finding | None:
    """Check that an outcome has the type in GAME and can be recorded."""
    if not isinstance(path.outcome, path.game.outcome):
        return f"expected an outcome of {path.game.outcome.__name__}, got {path.outcome!r:.80}", "set GAME.outcome"
    try:
        msgspec.json.encode(path.outcome.record())
        msgspec.convert(msgspec.to_builtins(path.outcome), path.game.outcome)
    except (TypeError, msgspec.ValidationError) as error:
        return f"expected an outcome of the types its fields say, {error}", "correct the field's type, or its value"
    return None


def hides_players(path: Path) -> Finding | None:
    """Check that an outcome names players only where viewers are shown pseudonyms."""
    assert path.outcome is not None
    for field, value in path.outcome.record().items():
        if field != OF_PLAYERS and (named := [who for who in path.joined.players if who in _texts(value)]):
            return (
                f"expected ids of players only as keys of the outcome's field {OF_PLAYERS}, {field} has {named[0]!r}",
                f"call the field {OF_PLAYERS}, with the id of a player as key, or name it in the outcome's `kept`",
            )
    return None


def _texts(value: object) -> Iterator[object]:
    """Yield each text in a field of an outcome, keys included."""
    match value:
        case dict():
            yield from value
            yield from chain.from_iterable(map(_texts, value.values()))
        case list():
            yield from chain.from_iterable(map(_texts, value))
        case _:
            yield value


def pays(path: Path) -> Finding | None:
    """Check that each bet returns an exact share of its stake, or a prize."""
    for stake in stakes(path):
        try:
            won = path.game.pay(path.outcome, stake)
        except Exception as error:  # noqa: BLE001 - anybody's sheet
            what = (
                f"expected pay to return an amount for every bet, for {stake.market} it failed "
                f"({type(error).__name__}: {error})"
            )
            return what, f"have pay return an amount for {stake.market}, also where the bet is lost"
        if path.game.pay(path.outcome, stake) != won:
            what = f"expected pay to return the same each time it is asked, for {stake.market} it does not"
            return what, "have pay use only the outcome and the Stake: it is asked again after a restart"
        if not isinstance(won, Prize) and not (isinstance(won, Fraction) and won >= 0):
            what = f"expected pay to return a Fraction from 0 on or a Prize, for {stake.market} it returned {won!r}"
            return what, "return Fraction(0) for a lost bet, Fraction(1) for the stake back, Fraction(2) for even money"
    return None


def is_told(path: Path) -> Finding | None:
    """Check that result, remarks and totals can be put into words."""
    game, words = path.game, Words("en")
    assert path.outcome is not None
    try:
        for text in (game.face.result(path.outcome.record()), *game.face.remarks(path.outcome.record())):
            phrase(text, words)
        for place, cards in path.face_up_cards.items():
            game.score(place, cards)
            if game.face.forms is not None:
                game.face.forms(cards)
    except Exception as error:  # noqa: BLE001 - anybody's sheet
        return (
            f"expected a sentence for the result of every round, it failed ({type(error).__name__}: {error})",
            "have result, remarks, score and forms work for every outcome, with the fields as they are recorded",
        )
    return None


def is_decided(path: Path) -> Finding | None:
    """Check that the strategy decides for every asked player from open cards alone."""
    if path.game.strategy is None:
        return None
    for number, step in enumerate(path.steps[: len(path.answers)]):
        if not isinstance(step, Ask):
            continue
        options, cards = ", ".join(step.options), drive(path, path.answers[:number]).face_up_cards
        try:
            decisions: Mapping[str, str] = path.game.strategy.decide(step, cards)
            if set(decisions) == set(step.who) and set(decisions.values()) <= set(step.options):
                continue
            flaw = f"got {decisions}"
        except Exception as error:  # noqa: BLE001 - anybody's strategy
            flaw = f"it failed ({type(error).__name__}: {error})"
        return (
            f"expected the strategy to choose one of {options} for each of ask.who, {flaw}",
            "have decide return an option for each of ask.who, whatever face-up cards it gets",
        )
    return None


RULES: tuple[Rule, ...] = (
    ends, check_places, asks_whom_it_may, turns_over_what_lies, is_the_same_again, is_alone, keeps_what_is_hidden,
    is_recorded, hides_players, pays, check_hidden_payouts, is_told, is_decided,
)  # fmt: skip
