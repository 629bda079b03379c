"""Random commands for a table, valid and nearly valid."""

from collections.abc import Collection

from hypothesis import strategies as st

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
NAMES = st.sampled_from(["p1", "p2", "seat1", "banker", "d1", "anna", "5H", "\u202e", "💥"]) | st.text(max_size=5)
NUMBERS = st.integers(-2, 60) | st.integers(2**52, 2**54)
FIELDS = {
    "id": st.text(min_size=1, max_size=3), "by": NAMES, "do": st.sampled_from(["open", "close", "change", "ready"]),
    "key": st.sampled_from(["finish", "manager", "dropped", "exposed"]), "name": NAMES, "fault": NUMBERS,
    "ruling": st.sampled_from(["resume", "enter", "burn", "void", "correct", "move", "cancel", "deal", "rescan"]),
    "because": NAMES, "draw": NUMBERS, "card": st.sampled_from(["5H", "10H", "JOKER", "xx"]), "place": NAMES,
    "player": NAMES, "market": NAMES, "stake": NUMBERS, "who": NAMES, "decision": NAMES,
    "round": NUMBERS, "question": NUMBERS, "window": NUMBERS, "odds": st.sampled_from(["1.95", "2", "x", "1,95", ""]),
}  # fmt: skip
NEEDED = {
    "open": "", "close": "", "press": "key", "shuffled": "", "shoe": "do", "table": "do", "dealer": "name",
    "rule": "fault ruling because", "ack": "fault", "bet": "player market stake round",
    "unbet": "player market round", "decide": "who decision question", "gone": "player", "back": "player",
}  # fmt: skip
OPTIONAL = {
    "rule": ("draw", "card", "place"), "open": ("round",), "close": ("round", "window"), "bet": ("window", "odds"),
    "unbet": ("window",), "gone": ("round",), "back": ("round",),
}  # fmt: skip


@st.composite
def near_commands(draw, words: Collection[str] = frozenset(NEEDED)) -> dict:
    """Draw one of these commands with random fields; sometimes one field has any JSON value."""
    word = draw(st.sampled_from(sorted(words)))
    more = draw(st.lists(st.sampled_from(["by", *OPTIONAL.get(word, ())]), max_size=3))
    names = ["id", *NEEDED[word].split(), *more]
    command = {"command": word} | {name: draw(FIELDS[name]) for name in names}
    if draw(st.integers(0, 9)) == 0:
        command[draw(st.sampled_from(sorted(command)))] = draw(ANYTHING)
    return command
