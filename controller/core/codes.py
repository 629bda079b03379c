"""Codes in records: refusal reasons, faults, rulings and stages of a round.

A record's field is plain text, so that records of other versions can be read. The schema of a field lists the codes.
"""

from typing import Annotated, get_args

from msgspec import Meta

from .events import Ruling
from .fault_catalogue import CATALOGUE
from .life import STATES

START = (
    "other_round", "paused", "round_live", "record_damaged", "anchor_lost", "table_closed", "rules_mismatch",
    "no_dealer", "server_lost", "shoe_missing", "not_shuffled", "deck_suspect", "cut_card_out", "shoe_low", "not_all",
)  # fmt: skip
BET = (
    "other_round", "stale_window", "betting_closed", "player_gone", "unknown_market", "bad_amount", "odds_changed",
    "duplicate_bet", "seat_taken", "needs_ante", "needs_bet", "below_minimum", "above_maximum", "limit_reached",
    "unknown_class", "not_all",
)  # fmt: skip
DECISION = (
    "too_late", "not_asked", "other_question", "not_yours", "not_allowed", "nothing_to_stake", "limit_reached",
    "not_all",
)  # fmt: skip
RULING = (
    "not_paused", "stale_fault", "own_round", "not_allowed", "bad_card", "bad_draw", "no_change", "does_not_fit",
    "device_still_lost", "deck_unchecked", "needs_second", "same_person", "knowledge",
)  # fmt: skip
IGNORED = (
    "other_round", "stale_window", "no_bet", "gone_already", "not_gone", "reported_already", "no_card_lies",
    "none_face_down", "shoe_missing", "shoe_lost", "not_full", "not_counted", "not_burnt", "not_cut",
    "no_reason", "open_already", "closed_already", "not_all", "no_dealer", "leaving_already", "press_again",
    "cases_full", "in_training",
)  # fmt: skip
RESETTLING = (
    "no_round", "stale_revision", "own_round", "needs_second", "same_person", "too_late", "other_rules", "not_allowed",
    "bad_card", "bad_draw", "does_not_fit", "lacks_card", "lacks_decision", "no_change", "no_case",
)  # fmt: skip
REASONS = tuple(dict.fromkeys((*START, *BET, *DECISION, *RULING, *IGNORED, *RESETTLING)))

StartReason = Annotated[str, Meta(extra_json_schema={"enum": START})]
BetReason = Annotated[str, Meta(extra_json_schema={"enum": BET})]
DecisionReason = Annotated[str, Meta(extra_json_schema={"enum": DECISION})]
RulingReason = Annotated[str, Meta(extra_json_schema={"enum": RULING})]
ResettlingReason = Annotated[str, Meta(extra_json_schema={"enum": RESETTLING})]
IgnoredReason = Annotated[str, Meta(extra_json_schema={"enum": IGNORED})]
FaultCode = Annotated[str, Meta(extra_json_schema={"enum": tuple(CATALOGUE)})]
RulingCode = Annotated[str, Meta(extra_json_schema={"enum": tuple(one for one in get_args(Ruling) if one != "extend")})]
RulingAsked = Annotated[str, Meta(extra_json_schema={"enum": (*get_args(Ruling), "acknowledge")})]
StageCode = Annotated[str, Meta(extra_json_schema={"enum": STATES})]
