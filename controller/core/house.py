"""Configuration of a table as the core needs it: game, settings and terms. Each round records its own."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, to_builtins

from ..rules.cards import Deck
from ..rules.game import Game
from ..rules.procedure import Settings, plain
from .bounds import MOST_STAKE
from .currency import USUAL, sheet_stake
from .records import DECIDING, HASTE, LIMITING, PARTING, RESETTLING, SLICING, TELLING
from .records.journal import CUTTING, NAMING, SLIDING

SLICE = 500  # bets: one decision, its writing and its views stay far under 50 ms together


class Limits(Struct, frozen=True):
    """Least and greatest stake on a market, in minor units."""

    minimum: int = 1
    maximum: int | None = MOST_STAKE  # null: no limit, in records from before MOST_STAKE


class SumLimits(Struct, frozen=True, omit_defaults=True):
    """Least and greatest sum of several stakes, in minor units."""

    minimum: int = 0
    maximum: int | None = None  # null: no limit


class PlayerLimits(Struct, frozen=True, omit_defaults=True):
    """Limits of the stakes of one player in a round."""

    bets: dict[str, Limits] = {}  # of one bet, by market; only for a class of players, in place of the table's limits
    markets: dict[str, SumLimits] = {}  # of all bets on one market, over windows and seats
    round: SumLimits = SumLimits()  # of all bets


class StakeLimits(Struct, frozen=True, omit_defaults=True):
    """Limits of sums of stakes; without any, only the limits of one bet hold.

    A maximum is checked when a stake is taken, a minimum when a betting window closes.
    """

    player: PlayerLimits = PlayerLimits()
    round: SumLimits = SumLimits()  # of all players together
    classes: dict[str, PlayerLimits] = {}  # of players, by the class that the game server names

    def limits_of(self, player_class: str | None) -> PlayerLimits:
        """Limits of a player of this class; the table's own if the class has none."""
        return self.player if player_class is None else self.classes.get(player_class, self.player)


class PlayerCeilings(Struct, frozen=True, omit_defaults=True):
    """Most that is paid to one player in a round beyond the stakes, in minor units. None: no ceiling."""

    bet: int | None = None  # on each bet
    player: int | None = None  # on all bets of the player together


class Ceilings(PlayerCeilings, frozen=True, omit_defaults=True):
    """Ceilings of payment: most that bets win, in minor units. Without any, bets win what the rule sheet says."""

    round: int | None = None  # on all bets of all players together
    classes: dict[str, PlayerCeilings] = {}  # of players, by the class that the game server names

    def ceilings_of(self, player_classes: Collection[str]) -> PlayerCeilings:
        """Ceilings of a player whose bets name these classes; of several classes the lowest, of none the table's."""
        ceilings = [self.classes.get(name, self) for name in player_classes] or [self]
        return PlayerCeilings(lowest(one.bet for one in ceilings), lowest(one.player for one in ceilings))


def lowest(amounts: Iterable[int | None]) -> int | None:
    """Lowest of these amounts, where None is no limit."""
    return min((amount for amount in amounts if amount is not None), default=None)


class Terms(Struct, frozen=True):
    """Settings of the table, independent of the game, under which a round is played. Times are in seconds."""

    confirm: Literal["dealer", "shoe", "auto"] = "auto"  # who confirms the result
    reveal: Literal["auto", "dealer"] = "auto"  # dealer: a reveal waits for the FINISH key
    carry: bool = False  # a surplus card that nobody saw may open the next round, if the shoe stays
    wrong_odds: Literal["withdraw", "lower"] = "withdraw"  # for bets at odds that were computed from a misread card
    gone: Literal["return", "keep"] = "return"  # for the stakes of a player who is disconnected at the close
    panel_loss: Literal["warning", "fault"] = "warning"
    telegram_loss: Literal["warning", "fault"] = "warning"  # a gap in the shoe's own numbering
    unruled: Literal["offer", "cancel"] = "offer"  # for a round on which nobody rules in time
    training: bool = False  # rounds are marked, and announced to nobody
    betting_seconds: int = 15
    decision_seconds: int = 15
    stall_seconds: int = 30  # time without a card while one is due, until the fault `stalled`
    acknowledge_seconds: int = 30  # between two calls about a fault that nobody has acknowledged
    ruling_seconds: int = 180
    server_seconds: int = 60  # time for which betting is held while the game server is disconnected
    limits: dict[str, Limits] = {}  # by market, without its seat
    cut_card: Literal["last_round", "one_more"] = "last_round"  # rounds of this shoe once the cut card has come
    burn: Literal["free", "none", "one", "first_card"] = "free"  # cards of a new shoe; first_card: it, then its points
    count_in: bool = False  # a shoe comes into play counted: by a machine with a receipt, or before two people
    prize_limit: int | None = None  # highest fixed prize that the table pays, in minor units
    second_above: int | None = None  # money that one person's rulings may move in a round, in minor units
    stakes: StakeLimits = StakeLimits()
    resettle_hours: int = 48  # time after its end in which a round can be settled anew
    ceilings: Ceilings | UnsetType = UNSET  # of payment
    exposure_warning: int | UnsetType = UNSET  # exposure of a round above which a warning is recorded, in minor units


def plain_terms(terms: Terms) -> dict[str, Any]:
    """Terms as plain JSON values, as a record has them: without limits of sums of stakes if there are none."""
    return {name: value for name, value in plain(terms).items() if name != "stakes" or terms.stakes != StakeLimits()}


class House(Struct, frozen=True, dict=True):
    """Rules of one table: game and settings, terms, names, currency, decision version."""

    game: Game
    settings: Settings
    terms: Terms = Terms()
    table: str = "table"
    studio: str = ""
    currency: str = USUAL  # ISO 4217
    program: str = ""  # the version that runs
    posted_digest: str | None = None  # of the rules that players are shown; null: nobody said
    deciding: int = DECIDING  # how events are decided; an older record is decided again as it was
    slice: int = SLICE  # most bets that are paid, or settled anew, in one decision; part of how events are decided

    @cached_property
    def deck(self) -> Deck:
        """Deck of a full shoe under the game's settings."""
        return self.game.deck(self.settings)

    @cached_property
    def records_windows(self) -> bool:
        """True if records of betting windows and bets name the window, and its deadline."""
        return self.deciding >= TELLING

    @cached_property
    def pays_in_slices(self) -> bool:
        """True if a book of more than `slice` bets is paid in several decisions."""
        return self.deciding >= SLICING

    @cached_property
    def names_limits(self) -> bool:
        """True if a refusal names the limit that a bet does not keep."""
        return self.deciding >= LIMITING

    @cached_property
    def spares_void_hands(self) -> bool:
        """True if ruling a void hand's card void withdraws no later answers."""
        return self.deciding >= SLICING

    @cached_property
    def opens_cases(self) -> bool:
        """True if a report about a round that is over opens a case."""
        return self.deciding >= RESETTLING

    @cached_property
    def resettles_in_parts(self) -> bool:
        """True if a resettlement of more than `slice` bets is recorded in several decisions."""
        return self.deciding >= PARTING

    @cached_property
    def closes_by_two_presses(self) -> bool:
        """True if the key NO MORE BETS closes before the time is up only when it is pressed twice."""
        return self.deciding >= HASTE

    @cached_property
    def asks_for_cut(self) -> bool:
        """True if a new shoe that is put in play by key must be cut, or the reason given why it is not."""
        return self.deciding >= CUTTING

    @cached_property
    def enters_after_slides(self) -> bool:
        """True if a card that was slid more than once and never read can be entered: the other slides are no cards."""
        return self.deciding >= SLIDING

    @cached_property
    def judges_each_bet(self) -> bool:
        """True if a withdrawal removes only the bet that it names, and a bet on a seat has its market's odds."""
        return self.deciding >= NAMING

    @cached_property
    def keeps_rounds_without_bets(self) -> bool:
        """True if the clock never cancels a round after its last card, with or without bets."""
        return self.deciding >= NAMING

    @cached_property
    def counts_waiting_cards(self) -> bool:
        """True if a carried card that no round has dealt counts among the cards of its shoe."""
        return self.deciding >= NAMING

    @cached_property
    def judges_own_decks(self) -> bool:
        """True if a shoe is judged by the deck that it was loaded with, not by the table's present one."""
        return self.deciding >= NAMING

    @cached_property
    def burns_by_first_card_alone(self) -> bool:
        """True if no other card says how many to burn from a new shoe whose first card was not read."""
        return self.deciding >= NAMING

    @cached_property
    def records_each_report(self) -> bool:
        """True if a report that can open no case is recorded as ignored, with the reason."""
        return self.deciding >= NAMING

    @cached_property
    def spares_shoe_in_play(self) -> bool:
        """True if the key SHUFFLED acts only where the game needs a shuffled deck: it makes no shoe a full one."""
        return self.deciding >= NAMING

    @cached_property
    def opens_with_whole_deck(self) -> bool:
        """True if no round opens with a shuffled deck that lacks a card."""
        return self.deciding >= NAMING

    @cached_property
    def hands_over_cases(self) -> bool:
        """True if the record of a hand-over names the open cases."""
        return self.deciding >= NAMING

    @cached_property
    def waits_for_server(self) -> bool:
        """True if a window that opens while the server is lost is held, and `extend` adds to the server's limit."""
        return self.deciding >= NAMING

    @cached_property
    def keeps_restarts(self) -> bool:
        """True if a restart in a pause waits as a report after a loss of records: they may be about a dealt card."""
        return self.deciding >= NAMING

    @cached_property
    def leaves_out_void_hands(self) -> bool:
        """True if the rule sheet gets the void hands: the dealer draws no card against them."""
        return self.deciding >= NAMING

    @cached_property
    def corrects_together(self) -> bool:
        """True if a resettlement drives the round and judges its odds once, after all corrections.

        An open window then lacks cards. Also a last hand that ends earlier leaves its later cards out.
        """
        return self.deciding >= NAMING

    @cached_property
    def marks_repeated_acknowledgements(self) -> bool:
        """True if a record says that its fault was acknowledged before: only the first one starts the time limit."""
        return self.deciding >= NAMING

    @cached_property
    def has_code_for_needs(self) -> bool:
        """True if a bet that lacks another one is refused by a code of the list, whatever market it needs."""
        return self.deciding >= NAMING

    @cached_property
    def knows_beacon(self) -> bool:
        """True if the name `beacon` in a record is no person's."""
        return self.deciding >= NAMING

    @cached_property
    def may_carry(self) -> bool:
        """True if a surplus card may open the next round.

        The terms must allow it, and the shoe must serve several rounds.
        """
        return self.terms.carry and not self.deck.every_round

    def pinned_terms(self) -> dict[str, Any]:
        """Return the terms as plain JSON values, in the form in which `configured` and `opened` record them."""
        return {**plain_terms(self.terms), "carry": self.may_carry, "limits": to_builtins(self.limits)}

    @cached_property
    def limits(self) -> dict[str, Limits]:
        """Stake limits by market, in minor units: the table's own, else those of the rule sheet."""
        least = {market.name: Limits(sheet_stake(market.minimum, self.currency)) for market in self.game.markets}
        return {name: self.terms.limits.get(name, limits) for name, limits in least.items()}
