"""Texts for putting a round right that is over, in English; other languages are in `locale/`."""

from collections.abc import Mapping

LABELS: Mapping[str, str] = {  # label of each correction: what was wrong
    "correct": "It is another card",
    "move": "It lay on another place",
    "burn": "It was out of play",
    "void": "There was no such card",
    "void_hand": "Void a hand",
    "resume": "Settle it by its cards",
    "cancel": "Make the round void",
}
MEANS: Mapping[str, str] = {
    "correct": "A card is not what the reader said.",
    "move": "The card lay on another place.",
    "burn": "The card is out of play; the next one takes its place.",
    "void": "It was read twice, or never came: no card left the shoe.",
    "void_hand": "The stakes of one hand go back; the others are settled.",
    "resume": "The round was cancelled, but all its cards lie there.",
    "cancel": "Every stake goes back.",
}
DONE: Mapping[str, str] = {
    "correct": "draw {draw} is {card}",
    "void_hand": "the hand of {place} is void",
    "move": "draw {draw} lay on {place}",
    "burn": "draw {draw} was out of play",
    "void": "draw {draw}: there was no such card",
    "resume": "settled by its cards as they lie",
    "cancel": "the round is void",
}
OTHER_CARD = "draw {draw} is another card"  # if the value of that card is withheld
VOID = "Void: every stake goes back"
REVISIONS: Mapping[str, str] = {  # texts of the pages around the revisions of a round
    "revision": "Correction {number}",
    "bet": "Bet",
    "before": "Before",
    "after": "After",
    "difference": "Difference",
    "bets_differ": "Bets that differ: {count}, {total} in all",
    "more_differ": "More bets that differ: {count}",
    "same_bets": "Bets that stay as they are: {count}",
}
FORM: Mapping[str, str] = {  # texts around the open cases and the form for corrections
    "cases": "Open cases",
    "dismiss": "Dismiss",
    "dismiss_case": "Dismiss the case: the round stays as it is",
    "put_right": "Put right",
    "touch_wrong": "Touch the card that is wrong",
    "touch_more": "Touch another card, or look what it leads to",
    "only_void": "This round can only be made void",
    "whole_round": "The whole round",
    "take_back": "Take this correction back",
    "settle_anew": "Settle anew",
    "is_settled_anew": "Done: the round is settled anew",
    "say_why": "Say why",
    "was_first": "Somebody else was first: look again",
}
LOOSE = "Out of play then: {draws}"
LACKS = "{reason}. Expected: {due}"
REASONS = ("Misread: as seen on camera", "Card laid on the wrong place", "As the dealer reports")
DISMISSALS = ("As seen on camera: the result is right", "Key pressed by mistake", "As the dealer reports")
