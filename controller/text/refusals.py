"""Sentences for refusal codes, for the person who asked, and the coded messages of verdicts.

The record keeps the code; the sentence says what prevents the act and what to do about it.
"""

from collections.abc import Mapping

from ..core import life
from ..core.coded_message import CodedMessage, coded

WORDS: Mapping[str, str] = {
    # a round
    "not_shuffled": "the deck is not confirmed as shuffled: SHUFFLED first",
    "shoe_low": "too few cards are left for a round: change the shoe",
    "cut_card_out": "the cut card is out: change the shoe",
    "deck_suspect": "the deck may not be whole: bring another one, counted",
    "rules_mismatch": "the rules that players are shown are not those that run: have them posted anew",
    "no_dealer": "nobody deals: sign a dealer on first",
    "shoe_missing": "there is no shoe, or it is being changed",
    "table_closed": "the table is closed",
    "round_live": "a round is on already",
    "paused": "the round is paused: rule on its fault first",
    "other_round": "it names another round than the one that is on, or is to be opened next",
    "record_damaged": "the record is damaged: `tablectl journal verify` says where; put a sound copy in its place",
    "anchor_lost": "the record's anchor is required and cannot be used: `tablectl status` says why",
    "server_lost": "the game server's line is gone",
    "not_all": "another of the commands that it was sent with, all or none, is refused",
    # a bet
    "betting_closed": "betting is closed",
    "stale_window": "it names another betting window than the one that is open",
    "window_missing": "this game has several betting windows: name the one that is meant",
    "odds_changed": "the market pays less than the odds that were named",
    "unknown_market": "this game has no such market; where it has seats, the bet names one",
    "needs_ante": "it needs a bet on ante first",
    "needs_bet": "it needs a bet on another market first",
    "below_minimum": "the stake is below the minimum",
    "above_maximum": "the stake is above the maximum",
    "limit_reached": "the stake is above what a limit of stakes leaves",
    "unknown_class": "the table has no limits for this class of players",
    "seat_taken": "the seat is another player's",
    "duplicate_bet": "there is a bet by this player on this market, or under this id: withdraw it first",
    "bad_amount": "the stake is no amount",
    "player_gone": "the player's line is gone",
    "no_bet": "there is no bet by this player on this market to take back",
    "gone_already": "the player's line is known to be gone",
    "not_gone": "the player's line is not known to be gone",
    # the table
    "open_already": "the table is open already",
    "closed_already": "the table is closed already",
    "press_again": "press it again within 2 seconds to close early",
    "not_cut": "cut the cards first, or say on the dealer's screen why they are not cut",
    "no_reason": "say why the cards are not cut",
    "leaving_already": "the dealer leaves after this round already",
    "shoe_lost": "the shoe is not there, plug it in first",
    "not_counted": "the cards were not counted in: give their number, with the machine's receipt or a second person",
    "not_burnt": "the first cards are not burnt as this table wants it: change the shoe again and burn them",
    "not_full": "the shoe is not full by this count: count again, or fill it",
    "no_card_lies": "no card lies on the table yet",
    "none_face_down": "no card lies face down",
    "cases_full": "too many cases are open: settle their rounds anew, or dismiss them",
    "in_training": "a round of training opens no case",
    "reported_already": "it is reported already, and waits for the ruling",
    # a decision
    "not_asked": "no decision is asked for, or it has been made",
    "other_question": "it answers another question than the one that is asked now",
    "not_yours": "somebody else is asked",
    "too_late": "the table has decided: the time was up",
    "nothing_to_stake": "the stake that comes with it would be 0.00",
    # a ruling; the second is also a decision's
    "not_paused": "nothing is paused",
    "not_allowed": "that is not among the choices here",
    "stale_fault": "another fault is open by now: look again",
    "own_round": "the dealer of a round can never rule on it: call another shift manager",
    "needs_second": "it moves so much money that a second shift manager is needed, with a PIN of their own",
    "knowledge": "a player has seen a card too early and would decide: void the hands still to be asked, or cancel",
    "same_person": "that is the same person twice: a second shift manager is needed",
    "bad_card": "that card cannot be: not of this game, or all of its copies are out",
    "bad_draw": "there is no such draw to be ruled on",
    "no_change": "that is the card it is taken for already",
    "device_still_lost": "the device is still missing",
    "deck_unchecked": "a second copy lies open: have the deck checked, and say so",
    "does_not_fit": "with that ruling the cards would not follow the rule sheet",
    # a round that is over
    "no_round": "no round of this number is over, or its records are not at hand",
    "stale_revision": "the round has been settled anew meanwhile: look again",
    "other_rules": "the round was played under other rules: it can only be made void",
    "lacks_card": "the corrected round would need a card that was never dealt: make the hand or the round void",
    "lacks_decision": "the corrected round would need a decision it does not have: make the hand or the round void",
    "no_case": "no open case has this number: look at the status, which lists them",
    # a command, whatever it is
    "ignored": "not while the table is in this state",
    "taken_back": "it was taken back before it came: no stake was taken; stake anew under a new id",
    "id_reused": "another command had this id: give each its own",
    "halted": "the record cannot be written; the table waits for its disk",
    "ending": "the program is about to end",
    "too_many": "this client has sent more commands than are remembered: send it again in the next round",
}

NOT_WHILE: Mapping[str, str] = {state: f"not while the table is {state}" for state in life.STATES}
WAITING = "the record cannot be written; this is carried out once it can. To get the answer, send it again"
OF_A_RULING: Mapping[tuple[str, str], str] = {  # by reason and ruling, if the sentence differs by ruling
    ("carry", "not_allowed"): "say first whether anybody has seen it; a card is carried only where the table allows it",
    ("rescan", "does_not_fit"): "no second slide has read the card yet: have it slid, or enter it",
    ("enter", "does_not_fit"): "no card is due that could be entered; a card that was read since is taken or burnt",
    ("correct", "bad_draw"): "there is no card here, or it was not read: then it is entered or put away",
    ("extend", "not_allowed"): "more time is given three times at most, while a round can be cancelled",
    ("void_hand", "does_not_fit"): "name the seat of a hand that is still in play",
    ("resettle", "needs_second"): "a second shift manager is needed, with a PIN of their own",
    ("resettle", "too_late"): "the round has been over for too long: `[rulings] resettle_hours` says how long",
    ("resettle", "no_change"): "nothing about the round would change",
    ("resettle", "does_not_fit"): (
        "the cards would not follow the rule sheet: add a correction. Or the hand to be made void was not in play"
    ),
    ("burn", "bad_draw"): "there is no such card on the table to put away",
    ("void", "bad_draw"): "there is no such card on the table to put away",
}


REFUSALS: Mapping[str, str] = {  # sentences by message code
    **{f"refused_{reason}": text for reason, text in WORDS.items()},
    **{f"refused_{ruling}_{reason}": text for (ruling, reason), text in OF_A_RULING.items()},
    **{f"refused_while_{state}": text for state, text in NOT_WHILE.items()},
    "waits_for_disk": WAITING,
}


def refusal_message(reason: str, ruling: str = "") -> CodedMessage:
    """Message for a refusal code; `ruling`: code of the ruling that is refused, if it is one."""
    if (ruling, reason) in OF_A_RULING:
        return coded(f"refused_{ruling}_{reason}")
    return coded(f"refused_{reason}")


def refusal_sentence(reason: str, ruling: str = "") -> str:
    """Sentence for a refusal code, or the code itself.

    `ruling`: code of the ruling that is refused, if it is one.
    """
    return OF_A_RULING.get((ruling, reason)) or WORDS.get(reason, reason.replace("_", " "))
