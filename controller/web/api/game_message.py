"""Description of a table's game for programs: markets, decisions, faults, reasons.

Everything is derived from the rule sheet, the table's settings and the catalogues.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from ...core.codes import REASONS, FaultCode, RulingCode
from ...core.currency import decimals
from ...core.fault_matrix import matrix
from ...core.house import Ceilings, House, StakeLimits
from ...core.sheet import digest, tables
from ...core.state import State
from ...core.windows import odds_in_force, windows_of
from ...rules.game import FollowOn, Market
from ...rules.procedure import plain
from ...text.fault_conditions import WHEN
from ...text.problem_titles import PROBLEMS
from ...text.refusals import refusal_sentence
from .commands import Odds
from .game_schemas import outcome_schema
from .verdicts import OWN_REASONS

Times = Annotated[str, Meta(extra_json_schema={"pattern": r"^[0-9]+(/[0-9]+)?$"})]


class MarketDescription(Struct, frozen=True):
    """Market that can be bet on, with its limits and odds.

    `odds`: odds of a bet made now, decimal, the stake included. Null: the pay tables decide; or the odds are computed
    for each window, and no window is open or the market is not on offer. `needs`: market on which the player needs a
    bet first.
    """

    name: str
    needs: str | None
    minimum: int  # in minor units
    maximum: int | None  # never null: the table has a highest stake
    odds: Odds | None


class Cost(Struct, frozen=True):
    """Stake of a decision: a multiple of the bet on another market, rounded down."""

    market: str
    of: str
    times: Times


class DecisionDescription(Struct, frozen=True):
    """Possible answer to a question. `stake`: its additional stake; null: none."""

    decision: str
    stake: Cost | None


class FaultDescription(Struct, frozen=True):
    """Fault that can occur in this game, and the rulings on it."""

    code: FaultCode
    when: str
    rulings: tuple[RulingCode, ...]


class ReasonDescription(Struct, frozen=True):
    """Reason of a refusal in words, with what to do about it."""

    reason: str
    says: str


class GameDescription(Struct, frozen=True):
    """Game of this table and the version of its rules.

    `digest`: digest of the rule sheet, recorded with every round. `posted`: digest of the rules shown to players, if
    configured; no round starts while the two differ. `windows`: number of betting windows in a round. In a game with
    `seats`, a market is named with its seat: `seat2 main`.
    """

    game: str
    title: str
    version: str
    digest: str
    posted: str | None
    currency: str
    decimals: int  # decimal places of the currency
    seats: tuple[str, ...]
    places: tuple[str, ...]
    windows: int
    betting_seconds: int
    decision_seconds: int
    markets: tuple[MarketDescription, ...]
    stakes: StakeLimits  # limits of sums of stakes; an absent field means no limit
    ceilings: Ceilings  # payment limits: most that bets win; an absent field means no limit
    prize_limit: int | None  # highest fixed prize that is paid, in minor units
    decisions: tuple[DecisionDescription, ...]
    settings: dict[str, Any]
    tables: dict[str, Any]  # pay tables of the rule sheet
    outcome: dict[str, Any]  # JSON Schema of a round's outcome
    faults: tuple[FaultDescription, ...]
    reasons: tuple[ReasonDescription, ...]  # all reasons of verdicts
    problems: tuple[ReasonDescription, ...]  # all reasons of answers without verdicts


def description(house: House, state: State) -> GameDescription:
    """Describe the game of this table, with the odds in force in this state."""
    game, terms, odds = house.game, house.terms, odds_in_force(house, state)
    return GameDescription(
        game=game.name,
        title=game.face.title or game.name,
        version=game.version,
        digest=digest(game),
        posted=house.posted_digest,
        currency=house.currency,
        decimals=decimals(house.currency),
        seats=game.seats,
        places=game.places,
        windows=windows_of(house),
        betting_seconds=terms.betting_seconds,
        decision_seconds=terms.decision_seconds,
        markets=tuple(_market(house, market, odds.get(market.name)) for market in game.markets),
        stakes=terms.stakes,
        ceilings=terms.ceilings or Ceilings(),
        prize_limit=terms.prize_limit,
        decisions=tuple(DecisionDescription(word, _cost(game.follow_ons.get(word))) for word in game.face.decisions),
        settings=plain(house.settings),
        tables=tables(game),
        outcome=outcome_schema(game),
        faults=tuple(FaultDescription(row.code, WHEN[row.code], row.rulings) for row in matrix({game.name: game})),
        reasons=tuple(ReasonDescription(reason, refusal_sentence(reason)) for reason in (*REASONS, *OWN_REASONS)),
        problems=tuple(ReasonDescription(reason, title) for reason, title in PROBLEMS.items()),
    )


def _market(house: House, market: Market, odds: str | None) -> MarketDescription:
    limits = house.limits[market.name]
    return MarketDescription(market.name, market.needs, limits.minimum, limits.maximum, odds)


def _cost(added: FollowOn | None) -> Cost | None:
    return None if added is None else Cost(added.market, added.of, str(added.times))
