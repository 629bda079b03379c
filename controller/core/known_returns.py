"""Amounts returned for each bet that the open cards decide already, whatever comes next.

A round that is over has one result. Before that, some bets have their result already: those of a bust or folded hand,
an insurance after the dealer's look. Many continuations are tried: cards that may still come, decisions, and other
cards in place of those face down. The values of face-down cards never count here: else a refusal would answer a guess.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..rules.cards import Card
from ..rules.dealing import CardTo, Dealing, Decisions, OutOfOrder, SheetFailed, as_answer
from ..rules.procedure import Ask, Deal, Outcome
from .other_cards import OtherCards
from .position import Position, Unplayable
from .returns import returns_by_bet
from .state import DecisionWindow, Round, State

Returns = Mapping[str, int | None]  # amount returned for each bet, by its id; None: not known yet

WAYS = 420  # continuations tried, every second one with cards that are alike: rare hands must not be overlooked
WAYS_BEFORE = 100  # in older records, all with any cards
SPREAD = 0x9E3779B97F4A7C15  # between the seeds of two continuations, so that their numbers are not alike
LONGEST = 150  # steps of a continuation; 32 Card could redraw for ever


def face_down_draws(state: State) -> frozenset[int]:
    """Draws that lie face down, or are on their way to.

    Their values count for nothing in a ruling's money, also where the ruling turns them over.
    """
    return frozenset(draw.number for draw in state.round.draws if draw.hidden)


def returns(position: Position, state: State, unknown: Collection[int] = ()) -> Returns:
    """Amount returned for each bet in play, in minor units; None if it depends on what comes.

    `unknown`: numbers of further draws that count as face down.
    """
    bets = state.round.bets
    if not state.live or state.round.joined is None or not bets:
        return dict.fromkeys(bets)
    question = state.round, state.fault, state.identity.currency, frozenset(unknown), state.tries_rare_hands
    if (amounts := position.known_returns.get(question)) is None:
        amounts = position.known_returns.keep(question, _returns(position, state, unknown))
    return amounts


def _returns(position: Position, state: State, unknown: Collection[int]) -> Returns:
    bets = state.round.bets
    try:
        game, currency = position.game(state.round), state.identity.currency
        common: dict[str, int | None] = {}
        for outcome in _outcomes(position, state, unknown):
            open_ = [bet for bet in bets.values() if not common or common[bet.id] is not None]
            paid = bets.values() if state.round.terms.ceilings else open_
            every = returns_by_bet(game, state.round, outcome, paid, currency)
            amounts = {bet.id: every[bet.id].amount for bet in open_}
            common = {name: amount if common.get(name, amount) == amount else None for name, amount in amounts.items()}
            common |= {bet.id: None for bet in bets.values() if bet.id not in common}
            if all(amount is None for amount in common.values()):
                break
    except (SheetFailed, Unplayable):
        return dict.fromkeys(bets)
    return {bet.id: common.get(bet.id) for bet in bets.values()}


def earliest_returns(all_returns: Iterable[Returns]) -> dict[str, int | None]:
    """Earliest known return of each bet; None if it had none."""
    first: dict[str, int | None] = {}
    for one in all_returns:
        first |= {bet: amount for bet, amount in one.items() if first.get(bet) is None}
    return first


def _outcomes(position: Position, state: State, unknown: Collection[int]) -> Iterator[Outcome]:
    """Results that the round may still have, over all face-down cards.

    Its only result if no face-down card can change it.
    """
    round_ = state.round
    down = [draw.number for draw in round_.draws if draw.fate == "placed" and (draw.hidden or draw.number in unknown)]
    if not down:
        outcome = position.outcome(state)
        if outcome is not None:
            yield outcome
            return
    cards, others = _possible_cards(position, round_, down), OtherCards(position, round_)
    lying = [draw.card for draw in round_.draws if draw.fate == "placed" and draw.number not in down and draw.card]
    for way in range(WAYS if state.tries_rare_hands else WAYS_BEFORE):
        numbers = _numbers(way * SPREAD if state.tries_rare_hands else way)
        some = _related_cards(cards, lying, way, numbers) if state.tries_rare_hands and way % 2 else cards
        try:
            outcome = _end_of(others, round_.asking, down, some, numbers)
        except (OutOfOrder, SheetFailed, Unplayable):  # the round could not have come here with these cards
            continue
        if outcome is not None:
            yield outcome


def _end_of(
    others: OtherCards, asking: DecisionWindow | None, down: Collection[int], cards: list[Card], numbers: Iterator[int]
) -> Outcome | None:
    """Result of one possible continuation; None if it is too long or contradicts the round. `cards`: possible cards."""
    dealing = others.drive({number: _pick(cards, numbers) for number in down})
    if asking is not None and (not isinstance(dealing.due, Ask) or dealing.due.options != asking.options):
        return None  # another step would be due
    for _ in range(LONGEST):
        if dealing.due is None:
            break
        _answer(dealing, cards, numbers)
    return dealing.outcome


def _possible_cards(position: Position, round_: Round, down: Collection[int]) -> list[Card]:
    """Cards that may still come, each once; of a single deck, without those that lie open."""
    deck = position.deck(round_)
    lying = {draw.card for draw in round_.draws if draw.fate == "placed" and draw.number not in down}
    return [card for card in deck.cards if deck.copies > 1 or card not in lying]


def _related_cards(cards: list[Card], lying: list[Card], way: int, numbers: Iterator[int]) -> list[Card]:
    """Some of the possible cards that are alike, so that rare hands occur among the continuations.

    By turns: a single card; one suit; three neighbouring ranks; five neighbouring ranks of one suit. Suit and ranks
    include those of a card on the table. `way`: number of the continuation.
    """
    kind, like = way // 2 % 4, _pick(lying or cards, numbers)
    if kind == 0:
        return [cards[way // 8 % len(cards)]]
    ranks = sorted({card[0] for card in (*cards, like)}, key="A23456789TJQK".find)
    reach = (len(ranks), 2, 4)[kind - 1]
    first = ranks.index(like[0]) - next(numbers) % (reach + 1)
    near = {ranks[(first + step) % len(ranks)] for step in range(reach + 1)}
    return [card for card in cards if card[0] in near and (kind == 2 or card[1:] == like[1:])] or cards


def _answer(dealing: Dealing, cards: list[Card], numbers: Iterator[int]) -> None:
    match dealing.due:
        case Deal(to=place):
            dealing.answer(CardTo(_pick(cards, numbers), place))
        case Ask(who=who, options=options):
            dealing.answer(Decisions({one: options[next(numbers) % len(options)] for one in who}))
        case due if due is not None:
            dealing.answer(as_answer(due, None))


def _pick(cards: list[Card], numbers: Iterator[int]) -> Card:
    return cards[next(numbers) % len(cards)]


def _numbers(seed: int) -> Iterator[int]:
    """Yield pseudo-random numbers (Knuth, MMIX), always the same: the core is deterministic."""
    number = seed
    while True:
        number = (6364136223846793005 * number + 1442695040888963407) % 2**64
        yield number >> 33
