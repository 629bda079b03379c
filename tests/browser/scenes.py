"""Scripts that bring each game into every state that viewers can see."""

from typing import NamedTuple

from tests.browser.pictures import rounds

SEVEN = range(1, 8)
BETS = {
    "baccarat": "bet p1 player 10.00",
    "thirty_two": "bet p1 player8 10.00",
    "casino_holdem": "bet p1 ante 10.00; bet p2 ante 5.00",
    "blackjack": "; ".join(f"bet p{seat} seat{seat} main 10.00" for seat in SEVEN),
    "rhum32": "; ".join(f"bet p{seat} seat{seat} ante 10.00" for seat in SEVEN),
}


def cards(named: str) -> str:
    return "; ".join(f"card {name}" for name in named.split())


BEFORE = "; ".join(f"open; close; {cards(' '.join(drawn))}; press finish" for drawn in rounds())
DEALT = {
    "baccarat": cards("6H 5S KC 8D"),  # Player 6 stands, Banker 3 draws
    "thirty_two": cards("KC TD JH 8S"),
    "casino_holdem": cards("AC 7D KS QS 2C 7H TH"),
    "blackjack": cards("8C 8D TC 9D 6C 5H AS KD 2C 3C 9C 4H 7C 7D 9S 4S"),
    "rhum32": cards("7S 8S 9S 2D KC 3D 5D 9H TC JC 2S QD 4C 8H 9C KS AH AD AC 5S 6S 6H 7H 3C JD QC 4D 8C TD TH TS KH"),
}
DECIDING = {
    "casino_holdem": "",
    "blackjack": "; decide seat1 split; card 2H; card 3H; decide seat1 stand",
    "rhum32": "",
}
TO_THE_END = {
    "baccarat": cards("TC"),
    "thirty_two": cards("9S 6D"),
    "casino_holdem": "decide p1 call; decide p2 fold; " + cards("AD KD"),
    "blackjack": "; ".join(
        f"decide {who} stand" for who in ("seat1", "seat1.2", "seat2", "seat3", "seat5", "seat6", "seat7")
    )
    + "; card KC",
    "rhum32": "; ".join(f"decide seat{seat} {'fold' if seat in (3, 4) else 'raise'}" for seat in SEVEN)
    + "; "
    + cards("2C 5C 6D 2H 3H 9D"),
}


class Scene(NamedTuple):
    """Script to play, seconds passed since its end, and the life that the page must show then."""

    script: str
    after: float
    life: str


def scenes(game: str) -> dict[str, Scene]:
    before = f"{BEFORE}; " if game == "baccarat" else ""
    shuffled = "" if game == "baccarat" else "shuffled; "
    betting = f"{before}{shuffled}open; {BETS[game]}"
    dealt = f"{betting}; close; {DEALT[game]}"
    over = f"{dealt}; {TO_THE_END[game]}; press finish"
    found = {
        "idle": Scene("", 0, "idle"),
        "betting": Scene(betting, 4, "betting"),
        "last-five": Scene(betting, 11.5, "betting"),
        "no-more-bets": Scene(f"{betting}; close", 1, "dealing"),
        "dealing": Scene(dealt if game not in DECIDING else f"{dealt.rpartition(';')[0]}", 9, "dealing"),
        "result": Scene(over, 1, "settled"),
        "result-dwells": Scene(f"{over}; {shuffled}open", 2, "betting"),
        "paused": Scene(f"{dealt}; press manager", 9, "paused"),
        "device": Scene(f"{betting}; close; lost shoe", 9, "paused"),
        "void": Scene(f"{dealt}; press manager; rule cancel by anna because x", 9, "cancelled"),
        "goes-on": Scene(f"{dealt}; press manager; rule resume by anna because x", 2, ""),
        "shoe-change": Scene(f"{over}; shoe change", 9, "shoe_change"),
        "closed": Scene(f"{over}; table close", 9, "closed"),
        "dealer-change": Scene(f"{over}; dealer -", 9, "dealer_change"),
    }
    if game in DECIDING:
        found["deciding"] = Scene(dealt + DECIDING[game], 9, "deciding")
    if game == "baccarat":
        found["new-shoe"] = Scene(f"{over}; shoe change; shoe ready", 9, "settled")
        found["third-card"] = Scene(dealt, 9, "dealing")
    return found
