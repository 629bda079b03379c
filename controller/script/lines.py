"""Lines of a script, as events and as text: one table of forms, read in both directions.

Events are read as written; the table decides whether they are possible.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from msgspec import Struct

from ..core import events as e
from ..core.coded_message import CodedMessage
from ..core.currency import USUAL
from ..core.life import RESTING
from ..core.mark import Mark
from ..core.past_round import PastRound, encode_past, plain_past
from ..core.reached_limit import ReachedLimit
from ..core.spot import Spot
from ..core.state import State
from ..rules.cards import parse_card
from ..text.errors import did_you_mean
from .amendments import AMENDMENTS, AS_ONE_WORD, SHAPES
from .directives import Halt, Line, Recorded, Restart, WaitLine
from .grammar import Folded, LineForm, Slot, Tail
from .words import (
    AMOUNT,
    CARD,
    CARDS,
    DECIMAL_ODDS,
    LIST,
    MOMENT,
    NAME,
    NUMBER,
    SIGNED,
    TEXT,
    TIME,
    Kind,
    MalformedLine,
    check_years,
    choice_of,
    json_of,
    optional_kind,
)


def event_of(words: Sequence[str], currency: str = USUAL) -> Line:
    """Event of a line's words. Raises ValueError saying what was expected."""
    first, *rest = words
    forms = {form.begin.partition(" ")[2]: form for form in FORMS if form.begin.split()[0] == first}
    if not forms:
        names = sorted({form.begin.split()[0] for form in FORMS})
        raise MalformedLine(f"expected one of {', '.join(names)}{did_you_mean(first, names)}")
    if "" in forms:
        return cast("Line", forms[""].with_currency(currency).read(rest))
    if not rest:
        raise MalformedLine(f"expected {first} and one of {', '.join(forms)}")
    return cast("Line", forms[choice_of(tuple(forms)).read(rest[0])].read(rest[1:]))


def words_of(line: Line, currency: str) -> list[str]:
    """Words of a line; `event_of` reads them back as the same event."""
    for form in FORMS:
        if form.says(line):
            return form.with_currency(currency).write(line)
    raise TypeError(f"a script has no words for {line}")


# ── the lines ────────────────────────────────────────────────────────────────────────────────────────────────────


def _state(text: str) -> State:
    """State of a table at rest, from its text. Raises ValueError."""
    state: State = _STATE.read(text)
    check_years(state.at)
    if state.seq < 0:
        raise MalformedLine(f"expected the number of a record, got {state.seq}")
    if state.life not in RESTING:
        raise MalformedLine(f"expected a table at rest, got one that is {state.life}")
    for card in (*state.shoe.seen, *filter(None, [state.carried])):
        parse_card(card)
    return state


_STATE, _PAST, _NAMES = json_of(State), json_of(PastRound), json_of(tuple[str, ...])
_KINDS: Mapping[str, Kind] = {  # the others are names
    "STATE": Kind(_state, _STATE.write),
    "CARD": CARD,
    "STAKE": AMOUNT,
    "AMENDMENTS": AMENDMENTS,
    "PAST": Kind(lambda text: encode_past(_PAST.read(text)), lambda past: [plain_past(past).decode()]),
    "TIME": TIME,
    **dict.fromkeys(("TO", "SINCE", "UNTIL"), MOMENT),
    "PAIRS": LIST,
    "LOST": json_of(Mark),
    "MESSAGE": json_of(CodedMessage),
    **dict.fromkeys(("PEOPLE", "SOURCES"), _NAMES),
    "DOOR": choice_of(get_args(e.SignInDoor)),
    "PROOF": choice_of(get_args(e.Proof)),
    "CHECK": choice_of(get_args(e.Check)),
    "KEY": choice_of(get_args(e.Key)),
    "SAID": json_of(e.RoundEvent),
    "LIMIT": json_of(ReachedLimit),
    "CHECKED": choice_of(("deck",)),
    "DEVICE": choice_of(get_args(e.Device)),
    **dict.fromkeys(
        (
            "FAULT",
            "POSITION",
            "FIRST",
            "DROPPED",
            "HEARD",
            "SECONDS",
            "ROUND",
            "QUESTION",
            "WINDOW",
            "REVISION",
            "CASE",
        ),
        NUMBER,
    ),
    "ODDS": DECIMAL_ODDS,
    **dict.fromkeys(("COUNTED", "LEFT"), CARDS),
    **dict.fromkeys(("WRONG", "DELAYED", "MOST", "DELAY", "SHOWN", "TIMES"), NUMBER),
    "TOUCHED": choice_of(get_args(e.Choice)),
    "SEEN": Kind(lambda word: choice_of(("yes", "no")).read(word) == "yes", lambda value: ["yes" if value else "no"]),
    **dict.fromkeys(("DRAW", "CODE"), SIGNED),
    **dict.fromkeys(("REASON", "MEANING", "BECAUSE", "NOTE"), TEXT),
}


def _form(
    event: type[Struct],
    pattern: str,
    shape: str = "",
    *,
    usual: Mapping[str, str] = {},
    fixed: Mapping[str, Any] = {},
    folded: Folded = Folded(),  # noqa: B008 - it is frozen
    kinds: Mapping[str, Kind] = _KINDS,
) -> LineForm:
    """Form of a line from its pattern: the first words, FIELD, [FIELD], [keyword FIELD]."""
    begin = " ".join(re.findall(r"\b[a-z_]+\b", pattern.partition("[")[0]))
    pattern = pattern.replace("[by BY]", "[person PERSON] [by BY]")
    slots, tails = [], []
    for left_out, keyword, field in re.findall(r"(\[?)(?:([a-z]+) )?([A-Z_]+)", pattern.removeprefix(begin)):
        name, kind = field.lower(), kinds.get(field, NAME)
        if keyword:
            tails.append(Tail(keyword, name, kind, usual.get(name)))
        else:
            slots.append(Slot(name, kind, needed=not left_out))
    return LineForm(begin, event, tuple(slots), tuple(tails), shape or pattern, fixed, folded)


def _with_number(words: list[str]) -> list[str]:
    """Words with `at PLACE 2` rewritten as `at PLACE number 2`."""
    return [*words[:-1], "number", words[-1]] if words[-3:-2] == ["at"] else words


def _without_number(words: list[str]) -> list[str]:
    return [*words[:-2], words[-1]] if words[-4:-3] == ["at"] and words[-2] == "number" else words


def _split_spot(words: list[str]) -> list[str]:
    word, player, market, *rest = words
    spot = Spot.parse(market)
    return [word, player, *(() if spot.seat is None else (spot.seat,)), spot.market, *rest]


def _market(*lengths: int) -> Folded:
    """Fold that joins seat and market to one word in lines of these lengths."""
    return Folded(
        lambda words: [words[0], " ".join(words[1:3]), *words[3:]] if len(words) in lengths else words, _split_spot
    )


_OR_BY = "nothing more on the line, or by NAME"
_OR_AT, _AT = "nothing more, at PLACE [NUMBER], or number NUMBER", Folded(_with_number, _without_number)
_CHECKED, _BY_ITSELF = "[by CHECK] [coded MESSAGE] [because REASON]", {"check": "chain", "reason": ""}
_BY_WHOM, _SAYS_NOTHING = "[by BY] [because BECAUSE]", {"by": "manager", "because": ""}
_RULED = (
    "[draw DRAW] [card CARD] [at PLACE] [on FAULT] [touched TOUCHED] [seen SEEN] [checked CHECKED] "
    "[with SECOND] [badge SECOND_ID] [by BY] [because BECAUSE]"
)
RULE = (
    "rule enter CARD, correct N CARD, move N PLACE, burn [N], void [N], void_hand SEAT, carry [N] seen yes or no, "
    "or the ruling alone"
)
_NEEDED = {"enter": "CARD", "correct": "CARD", "move": "PLACE", "void_hand": "PLACE"}

FORMS = (
    _form(Recorded, "begin STATE", "begin STATE, as an exported script has it"),
    _form(e.NewDeck, "shuffled [deck DECK] [by BY]", "shuffled [deck ID] [by NAME]"),
    _form(e.Open, "open [round ROUND] [by BY]", _OR_BY),
    _form(e.CountedStarts, "record refused REASON TIMES SINCE UNTIL"),
    _form(
        e.PlaceBet,
        "bet PLAYER MARKET STAKE [round ROUND] [window WINDOW] [odds ODDS] [class PLAYER_CLASS] [id ID] [via VIA]",
        "bet PLAYER [SEAT] MARKET AMOUNT [window NUMBER] [odds ODDS] [class NAME]",
        folded=_market(4, 6, 8, 10, 12, 14, 16),
    ),
    _form(
        e.WithdrawBet,
        "unbet PLAYER MARKET [round ROUND] [window WINDOW] [bet BET] [via VIA]",
        "unbet PLAYER [SEAT] MARKET [window NUMBER]",
        folded=_market(3, 5, 7, 9, 11),
    ),
    _form(
        e.Close, "close [round ROUND] [window WINDOW] [by BY]", "nothing more on the line, or window NUMBER, by NAME"
    ),
    _form(e.LineCut, "gone PLAYER [round ROUND]", "gone PLAYER"),
    _form(e.LineBack, "back PLAYER [round ROUND]", "back PLAYER"),
    _form(e.CardOut, "unread [at PLACE] [number POSITION]", _OR_AT, fixed={"card": None}, folded=_AT),
    _form(e.CardOut, "card CARD [at PLACE] [number POSITION]", _OR_AT, folded=_AT),
    _form(e.CutCardOut, "cut", "nothing more on the line"),
    _form(e.ShoeSays, "result WINNER [pairs PAIRS]"),
    _form(e.Choose, "decide WHO DECISION [question QUESTION]", "decide WHO DECISION"),
    _form(e.KeyPressed, "press KEY"),
    _form(WaitLine, "wait TIME", "wait TIME, such as 15s"),
    _form(Restart, "restart [TIME] [after TIME]", "restart, or restart TIME, such as 60s"),
    _form(Halt, "journal failed [TIME] [after TIME] [losing DROPPED] [coded MESSAGE] [because REASON]"),
    _form(e.NewFile, "journal rotated", "nothing more on the line"),
    _form(e.Checked, f"record sound {_CHECKED}", usual=_BY_ITSELF, fixed={"first": None}),
    _form(e.Checked, f"record damaged FIRST {_CHECKED}", usual=_BY_ITSELF),
    _form(e.BeginAnchor, f"anchor apart ID {_BY_WHOM}", usual=_SAYS_NOTHING, fixed={"apart": True}),
    _form(e.BeginAnchor, f"anchor begun ID {_BY_WHOM}", usual=_SAYS_NOTHING),
    *(
        _form(
            e.AnchorChecked,
            f"anchor {word} [coded MESSAGE] [because REASON]",
            usual={"reason": ""},
            fixed={"standing": now},
        )
        for word, now in (("back", ""), ("lost", "lost"), ("required", "required"))
    ),
    _form(
        e.WitnessAsked, "witness heard [coded MESSAGE] [because REASON]", fixed={"first": None}, usual={"reason": ""}
    ),
    _form(e.WitnessAsked, "witness unheard FIRST [coded MESSAGE] [because REASON]", usual={"reason": ""}),
    _form(
        e.AcceptLoss,
        f"record continued EPOCH [lost LOST] {_BY_WHOM}",
        usual=_SAYS_NOTHING,
    ),
    _form(e.LostDevice, "lost DEVICE [because REASON]"),
    _form(e.FoundDevice, "found DEVICE [at ADDRESS] [as SERIAL]"),
    _form(e.Babbles, "babble DEVICE HEARD SECONDS"),
    _form(e.SetClock, "clock TO", "clock TIME, such as 2026-01-01T12:00:00Z"),
    _form(e.TelegramsLost, "gap EXPECTED GOT"),
    _form(e.DealerOn, "dealer DEALER [name DEALER] [id ID] [by BY]", "dealer NAME, or dealer - for nobody, [by NAME]"),
    _form(e.Leave, "leave [by BY]", _OR_BY),
    _form(e.ChangeShoe, "shoe readout [left LEFT] [by BY]", "shoe readout [by NAME]", fixed={"reading": True}),
    _form(e.ChangeShoe, "shoe change [left LEFT] [by BY]", "shoe change [left N] [by NAME]"),
    _form(e.CutShoe, "shoe cut [by BY]", _OR_BY),
    _form(e.SkipCut, "shoe uncut [by BY] because BECAUSE", "shoe uncut [by NAME] because TEXT"),
    _form(e.LoadShoe, "shoe ready [ID] [COUNTED] [id ID] [counted COUNTED] [receipt RECEIPT] [with WITNESS] [by BY]"),
    _form(e.ShoeStandsBy, "shoe standby", "nothing more on the line"),
    _form(e.ShoeFails, "shoe error CODE [because MEANING]", usual={"meaning": ""}),
    _form(e.OpenTable, "table open [by BY]", _OR_BY, usual={"by": "script"}),
    _form(e.CloseTable, "table close [by BY]", _OR_BY, usual={"by": "script"}),
    _form(e.NoText, "garbled WHAT"),
    _form(
        e.NotAll,
        "refused [because WHY] [window WINDOW] [odds ODDS] [limit LIMIT] [saying SAID]",
        "refused [because WORD] [window NUMBER] [odds ODDS] [limit LIMIT] saying COMMAND, as an exported script has it",
        kinds={**_KINDS, "WINDOW": optional_kind(NUMBER), "ODDS": optional_kind(DECIMAL_ODDS)},
    ),
    _form(e.SignIn, "signed in SOURCE DOOR [with PROOF] [by BY]", usual={"by": "manager"}),
    _form(
        e.HandOverSaid,
        "handed over TAKER [id ID] [shown SHOWN] [by BY] [note NOTE]",
        "handed over NAME [by NAME] [note TEXT]",
        usual={"by": "manager", "note": ""},
    ),
    _form(e.BadSignIns, "signing refused WRONG DELAYED MOST DELAY [of PEOPLE] [at SOURCES]"),
    _form(
        e.Resettle,
        "resettle ROUND AMENDMENTS [revision REVISION] [past PAST] [with SECOND] [badge SECOND_ID] [by BY] "
        "[because BECAUSE]",
        f"resettle ROUND and {SHAPES}; by NAME with NAME because TEXT",
        usual={"by": "manager", "because": ""},
        folded=AS_ONE_WORD,
    ),
    _form(e.Dismiss, "dismiss CASE [by BY] [because BECAUSE]", usual={"by": "manager", "because": ""}),
    _form(e.Acknowledge, "ack [on FAULT] [by BY]", usual={"by": "manager"}),
    *(
        _form(
            e.Rule,
            f"rule {ruling} {'' if ruling == 'void_hand' else '[DRAW]'} {_NEEDED.get(ruling, '')} {_RULED}",
            RULE,
            usual={"by": "manager", "because": ""},
            fixed={"ruling": ruling},
        )
        for ruling in get_args(e.Ruling)
    ),
)
