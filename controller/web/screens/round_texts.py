"""Texts of the page of one round, in English; other languages are in `locale/`."""

from collections.abc import Mapping

ROUND = "Round {number}"
ONLY = "Only the bets of player {player}"
TABLE_GAME = "Table {table} · {game}"
DEALT_BY = "Dealer: {dealer}"
OPENED_AT = "Opened {time}"
LIVE = "This round is on: reasons and payments follow when it has ended"
TRAINING = "Training round: no money was paid"
BY_HAND = "A card was entered by hand"
CARDS = "Cards"
DRAWS = "Why each card"
BETS = "Bets"
EVENTS = "What happened"
ANEW = "The round was settled anew"
NO_BETS = "No bets in this round"
NO_REASONS = "This game states no reasons"
UNTOLD = "No reasons can be given for this round"
LAY_FIRST = "Before the corrections: {cards}"
MOVED_CARDS = "Cards were corrected afterwards: see below"
MORE_BETS = "{count} more bets: open one player's page to see them"
ALL_BETS = "All players"
ONE_PLAYER = "Only {player}"
MORE_PLAYERS = "{count} more players"
ANOTHER = "another player"
PRINT = "Print"
CORRECTED = "Corrections: {corrections}"
BY_TWO = "{by} and {second}: {because}"
WAS = "before: {amount}"
CEILING = "A ceiling lowers the winnings from {was} to {to}"
NO_CARD = "no card"
OWN_SUMS = "staked {staked}, returned {returned}"
OWN_OPEN = "staked {staked}, not settled"
COLUMNS: Mapping[str, str] = {
    "time": "Time",
    "cards": "Cards",
    "reason": "Reason",
    "clause": "Clause of the rules",
    "player": "Player",
    "bet": "Bet",
    "stake": "Stake",
    "odds": "Odds",
    "result": "Result",
    "returned": "Returned",
}
RESULTS: Mapping[str, str] = {
    "open": "not settled",
    "withdrawn": "withdrawn",
    "refunded": "refunded",
    "won": "won",
    "lost": "lost",
    "back": "stake returned",
    "part": "part returned",
}
SEARCH: Mapping[str, str] = {  # texts of the search for rounds, at a table and at the floor
    "find": "Find a round",
    "player": "Player",
    "bet_id": "Bet number",
    "least": "Stake from",
    "most": "Stake to",
    "from": "From",
    "to": "To",
    "time": "Time",
    "end": "End",
    "fault": "Fault",
    "winner": "Result",
    "any": "any",
    "search": "Search",
    "show_all": "Show all rounds",
    "none_found": "No round matches",
}
