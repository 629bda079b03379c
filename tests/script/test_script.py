"""Script language: every form of line is read; malformed lines are refused before anything runs."""

from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from controller.core import events as e
from controller.core.bounds import MOST_CARDS, MOST_NUMBER, ODDS, YEARS
from controller.core.clock import SECOND, from_text, to_text
from controller.core.coded_message import coded
from controller.core.house import House
from controller.core.mark import Mark
from controller.core.past_round import PastRound, encode_past
from controller.core.reached_limit import ReachedLimit
from controller.core.shoe import Shoe
from controller.core.state import State
from controller.games import GAMES
from controller.script.directives import Halt, Line, Recorded, Restart, WaitLine
from controller.script.play import Play
from controller.script.reader import BadScript, parse, write_line


def parse_line(line: str) -> object:
    """Return the event of a line, without the stand-by that a scripted shoe sends before each opening."""
    lines = [event for _, event in parse(line) if not isinstance(event, e.ShoeStandsBy)]
    assert len(lines) == 1
    return lines[0]


LINES = {
    "shuffled": e.NewDeck(),
    "open": e.Open(),
    "bet p1 banker 10.00": e.PlaceBet("p1", "banker", 1000),
    "bet p1 banker 10": e.PlaceBet("p1", "banker", 1000),
    "bet p1 banker 0.01": e.PlaceBet("p1", "banker", 1),
    "bet p1 seat2 main 10.00": e.PlaceBet("p1", "seat2 main", 1000),
    "bet p1 banker 10.00 window 2 odds 1.52": e.PlaceBet("p1", "banker", 1000, window=2, odds="1.52"),
    "bet p1 seat2 main 10.00 window 1": e.PlaceBet("p1", "seat2 main", 1000, window=1),
    "bet p1 seat2 main 10.00 odds 2": e.PlaceBet("p1", "seat2 main", 1000, odds="2"),
    "unbet p1 banker window 2": e.WithdrawBet("p1", "banker", window=2),
    "close window 1": e.Close(window=1),
    "close window 1 by server": e.Close("server", window=1),
    "unbet p1 banker": e.WithdrawBet("p1", "banker"),
    "unbet p1 seat2 main": e.WithdrawBet("p1", "seat2 main"),
    "close": e.Close(),
    "gone p1": e.LineCut("p1"),
    "back p1": e.LineBack("p1"),
    "card 9H": e.CardOut("9H"),
    "card 9h": e.CardOut("9H"),
    "card 10H": e.CardOut("TH"),
    "card JOKER": e.CardOut("JOKER"),
    "card 9H at banker": e.CardOut("9H", "banker"),
    "unread": e.CardOut(None),
    "result banker": e.ShoeSays("banker"),
    "result tie": e.ShoeSays("tie"),
    "decide p1 call": e.Choose("p1", "call"),
    "decide seat2.2 hit": e.Choose("seat2.2", "hit"),
    "wait 15s": WaitLine(15 * SECOND),
    "wait 500ms": WaitLine(SECOND // 2),
    "wait 2m": WaitLine(120 * SECOND),
    "wait 0.5s": WaitLine(SECOND // 2),
    "lost shoe": e.LostDevice("shoe"),
    "found shoe": e.FoundDevice("shoe"),
    "lost panel": e.LostDevice("panel"),
    "found panel": e.FoundDevice("panel"),
    "cut": e.CutCardOut(),
    "restart": Restart(),
    "dealer d2": e.DealerOn("d2"),
    "leave": e.Leave(),
    "shoe change": e.ChangeShoe(),
    "shoe cut": e.CutShoe(),
    "shoe cut by eva": e.CutShoe("eva"),
    "shoe ready": e.LoadShoe(),
    'rule burn by manager1 because "second card stuck"': e.Rule("burn", "manager1", "second card stuck"),
    "rule burn 5 by manager1": e.Rule("burn", "manager1", "", 5),
    "rule carry by manager1": e.Rule("carry", "manager1", ""),
    "rule carry 5 by manager1": e.Rule("carry", "manager1", "", 5),
    'rule correct 4 7H by manager1 because "misread"': e.Rule("correct", "manager1", "misread", 4, "7H"),
    "rule carry 5 seen no by manager1": e.Rule("carry", "manager1", "", 5, seen=False),
    "rule carry seen yes by manager1": e.Rule("carry", "manager1", "", seen=True),
    "rule correct 4 7H touched stand by manager1": e.Rule("correct", "manager1", "", 4, "7H", touched="stand"),
    "rule move 4 banker by manager1": e.Rule("move", "manager1", "", 4, None, "banker"),
    "rule enter 9H by manager1": e.Rule("enter", "manager1", "", None, "9H"),
    "rule rescan by manager1": e.Rule("rescan", "manager1", ""),
    "rule deal by manager1": e.Rule("deal", "manager1", ""),
    "rule resume by manager1": e.Rule("resume", "manager1", ""),
    "shuffled by eva": e.NewDeck("eva"),
    "open by server": e.Open("server"),
    "close by server": e.Close("server"),
    "card 9H at banker 2": e.CardOut("9H", "banker", 2),
    "unread at banker": e.CardOut(None, "banker"),
    "unread at banker 2": e.CardOut(None, "banker", 2),
    "restart 60s": Restart(60 * SECOND),
    "journal failed": Halt(),
    "journal failed 1.5s because disk full": Halt(3 * SECOND // 2, "disk full"),
    "shoe change by eva": e.ChangeShoe("eva"),
    "shoe ready 77": e.LoadShoe(id="77"),
    "shoe ready 77 312 by eva": e.LoadShoe("eva", "77", 312),
    "shoe ready by eva": e.LoadShoe("eva"),
    "shoe error 7": e.ShoeFails(7, ""),
    'shoe error 7 because "draw time-out"': e.ShoeFails(7, "draw time-out"),
    "table open": e.OpenTable("script"),
    "table close by eva": e.CloseTable("eva"),
    "lost shoe because cable cut": e.LostDevice("shoe", "cable cut"),
    "found shoe at /dev/ttyUSB0": e.FoundDevice("shoe", "/dev/ttyUSB0"),
    "found panel at 'usb 001:002' as T1": e.FoundDevice("panel", "usb 001:002", "T1"),
    "gap 2 4": e.TelegramsLost("2", "4"),
    "dealer -": e.DealerOn(None),
    'handed over Bo by anna note "see to the shoe"': e.HandOverSaid("anna", "Bo", note="see to the shoe"),
    "handed over Bo id 9 shown 57 person 7 by anna": e.HandOverSaid("anna", "Bo", "9", 57, person="7"),
    "rule cancel by manager1 because void": e.Rule("cancel", "manager1", "void"),
    "rule cancel by manager1 because two words": e.Rule("cancel", "manager1", "two words"),
}


@pytest.mark.parametrize(("line", "event"), LINES.items())
def test_every_form_of_line_is_read(line, event):
    assert parse_line(line) == event


@pytest.mark.parametrize("key", get_args(e.Key))
def test_every_key_of_the_panel_can_be_pressed(key):
    assert parse_line(f"press {key}") == e.KeyPressed(key)


@pytest.mark.parametrize("text", ["", "\n\n", "# a comment", "   # indented", "\t\n  \n"])
def test_blank_lines_and_comments_are_nothing(text):
    assert parse(text) == []


def test_a_standby_line_is_read_as_the_shoes_standby():
    assert [event for _, event in parse("shoe standby")] == [e.ShoeStandsBy()]


def test_a_comment_may_follow_on_the_line():
    assert (
        parse_line("bet p1 banker 10.00    # player, market, stake; don't mind the quote")
        == LINES["bet p1 banker 10.00"]
    )


def test_lines_keep_their_numbers():
    assert [number for number, _ in parse("# one\n\nclose\n\ncut\n")] == [3, 5]


def test_windows_line_ends_are_read():
    assert [event for _, event in parse("close\r\ncut\r\n")] == [e.Close(), e.CutCardOut()]


@pytest.mark.parametrize(
    "amount", ["0", "-5.00", "1.005", "nan", "inf", "0.001", "1e21", "1e9999999", "-1e9999999", "1e-9999999"]
)
def test_a_bet_with_a_bad_amount_is_no_malformed_line(amount):
    event = parse_line(f"bet p1 banker {amount}")
    assert isinstance(event, e.PlaceBet)
    assert event.stake is None or event.stake <= 0


MALFORMED = [
    "hello", "OPEN", "open now", "close please", "shuffled 1", "cut card", "restart now", "unread 5",
    "bet", "bet p1", "bet p1 banker", "bet p1 banker ten", "bet p1 seat2 main 10.00 more", "bet p1 banker 10,00",
    "bet p1 banker 10.00 odds", "bet p1 banker 10.00 odds two", "bet p1 banker 10.00 odds 1,52", "close window",
    "bet p1 banker 10.00 odds -1.5", "bet p1 banker 10.00 odds nan", "close window two", "unbet p1 banker window -1",
    "unbet", "unbet p1", "unbet p1 seat2 main 10.00",
    "gone", "gone p1 p2", "back", "back p1 p2",
    "card", "card XX", "card 1H", "card 9H banker", "card 9H at", "card 9H to banker", "card 9H at banker now",
    "card 9H 8H", "result", "result banker banker",
    "decide", "decide p1", "decide p1 call now",
    "wait", "wait 15", "wait fifteen", "wait s", "wait -1s", "wait 1h", "wait 1s 2s", "wait 9999999s", "wait 1.s",
    "press", "press start", "press open close",
    "lost", "lost printer", "lost shoe panel", "found", "found printer",
    "dealer", "dealer d2 d3", "shoe", "shoe new", "shoe change now",
    "rule", "rule by manager1", "rule shred by manager1", "rule correct by manager1", "rule correct 4 by manager1",
    "rule enter by manager1", "rule enter 99 by manager1", "rule move 4 by manager1", "rule move by manager1",
    "rule burn five by manager1", "rule burn 5 6 by manager1", "rule resume now by manager1", "rule burn by",
    "rule burn by manager 1", "rule deal 9H by manager1", "rule rescan banker by manager1",
    'rule burn by manager1 because "not closed', "card '9H",
    "rule cancel 1 by manager1", "rule resume 7 by manager1", "rule deal 5 by manager1", "rule rescan 1 by manager1",
    "rule enter 9 KH by manager1", "rule extend 1 by manager1", "rule void_hand seat2 draw 1 by manager1",
    "rule cancel seen no by manager1", "rule burn 5 card 9H by manager1", "rule correct 4 7H at banker by manager1",
    "open by", "open for all", "close by a b", "bet p1 banker 10.00 as", "card 9H at banker -1", "unread at",
    "unread banker", "restart 60", "restart 1s 2s", "journal", "journal lost", "journal failed soon", "shoe error",
    "shoe error x", "shoe error 7 8", "shoe standby now", "shoe ready 7 full", "shoe ready 7 8 9", "table",
    "table shut", "table open eva", "lost shoe cable", "found shoe /dev/ttyUSB0", "found at /dev/ttyUSB0", "gap 2",
]  # fmt: skip


@pytest.mark.parametrize("line", MALFORMED)
def test_a_malformed_line_is_refused_naming_the_line(line):
    with pytest.raises(BadScript) as error:
        parse(f"open\n# fine\n{line}\nclose\n")
    assert str(error.value).startswith("line 3: ")
    assert line.split()[0] in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("line", ["{}", "press {}", "wait {}", "bet p1 tie x{}", "card {}", "rule {}", "lost {}"])
def test_a_long_malformed_line_is_shortened_in_its_error(line):
    with pytest.raises(BadScript) as error:
        parse(line.format("9" * 5000))
    assert len(str(error.value)) < 400


LONG = "999999m" * 30  # 57 years; the clock begins in 2026


@pytest.mark.parametrize(
    "line", [f"wait {LONG}", f"restart {LONG}", f"journal failed {LONG}", "clock 2255-01-01T00:00:00Z",
             "clock 1969-12-31T23:59:59Z", 'begin \'{"at":-1}\'', 'begin \'{"at":8993721600000000}\'']
)  # fmt: skip
def test_a_clock_beyond_the_years_of_clocks_is_malformed(line):
    fits = 1 if "begin" in line or "clock" in line else 5
    text = "\n".join([line] * fits)
    with pytest.raises(BadScript, match=rf"^line {fits}: [^\n]* 1970 (and|to) 2254"):
        parse(text)
    assert len(parse("\n".join([line] * (fits - 1)))) == fits - 1


def test_the_clock_may_be_set_again_and_again():
    assert parse("clock 2254-12-31T23:59:58Z\n" * 3 + "wait 1s\n")
    with pytest.raises(BadScript, match=r"^line 3: "):
        parse("clock 2254-12-31T23:59:58Z\nwait 1s\nwait 1s\n")


@pytest.mark.parametrize("time", [999_999, 1_000_000, 59_999_940, 60_000_000, 6 * 10**9])
def test_a_time_of_many_years_is_read_as_written(time):
    (_, wait), = parse(write_line(WaitLine(time * SECOND + 1)))  # fmt: skip
    assert wait == WaitLine(time * SECOND + 1)


def test_a_line_nested_too_deep_is_malformed():
    with pytest.raises(BadScript, match="nested too deep"):
        parse(f"begin '{'[' * 100_000}'")


def test_the_first_malformed_line_is_named():
    with pytest.raises(BadScript, match=r"^line 2: "):
        parse("open\nhello\nhello again\n")


def test_an_error_says_what_to_write_instead():
    with pytest.raises(BadScript, match="expected one of open, close, finish, manager, dropped, exposed, shuffled"):
        parse("press start")
    with pytest.raises(BadScript, match=r"expected a time such as 15s"):
        parse("wait 15")
    with pytest.raises(BadScript, match=r"expected an amount such as 10\.00, got 'ten'"):
        parse("bet p1 banker ten")
    with pytest.raises(BadScript, match="expected a card such as 9H"):
        parse("card XX")
    with pytest.raises(BadScript, match=r"expected handed over NAME \[by NAME\] \[note TEXT\]"):
        parse("handed over")


@pytest.mark.parametrize(
    ("line", "meant"),
    [("opne", "open"), ("shufled", "shuffled"), ("press finsh", "finish"), ("rule brun 3", "burn"),
     ("lost sheo", "shoe"), ("shoe raedy", "ready"), ("table clsoe", "close")],
)  # fmt: skip
def test_an_unknown_word_is_refused_with_the_nearest_name(line, meant):
    with pytest.raises(BadScript, match=rf"\(did you mean {meant}\?\)"):
        parse(line)


# ── write and read back ──────────────────────────────────────────────────────────────────────────────────────────

AWKWARD = "by because round window odds at on as after pairs name id number counted draw card - # [ ' 7 7H nan 5s"
STRANGE = ("", " ", "a b\nc", "\u2028", 'say "by"')
NAMES = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from([*AWKWARD.split(), *STRANGE])
NUMBERS = st.integers(0, MOST_NUMBER)
AMOUNTS = st.none() | NUMBERS
CARDS = st.none() | st.integers(0, MOST_CARDS)
CLOCKS = st.integers(0, from_text(f"{YEARS[-1]}-12-31T23:59:59Z")).map(to_text)
FIELDS = {
    "card": st.none() | st.sampled_from(["9H", "TD", "JOKER"]),
    "market": NAMES | st.tuples(NAMES, NAMES).map(" ".join),
    "stake": st.none() | st.integers(-MOST_NUMBER, MOST_NUMBER),
    "odds": st.none() | st.from_regex(ODDS, fullmatch=True, alphabet=st.characters(codec="ascii")),
    "counted": CARDS,
    "left": CARDS,
    "draw": st.none() | st.integers(-1, 99),
    **dict.fromkeys(("to", "since", "until"), CLOCKS),
    "past": st.sampled_from(["", encode_past(PastRound(State(seq=7), 8, revision=1))]),
    "amendments": st.lists(
        st.builds(
            e.Amendment,
            draw=st.none() | st.integers(0, 99),
            card=st.sampled_from([None, "9H"]),
            place=st.none() | NAMES,
        ),
        max_size=3,
    ).map(tuple),
    "said": st.deferred(lambda: st.one_of([any_of(kind) for kind in get_args(e.RoundEvent)])),
    "time": st.integers(0, 8 * 10**15) | st.integers(0, 10**13) | st.integers(0, 40_000_000),
    "message": st.just(UNSET) | st.builds(coded, NAMES, seq=NUMBERS, reason=NAMES | st.builds(coded, NAMES)),
    "lost": st.none() | st.builds(Mark, NAMES, NUMBERS, NAMES, NAMES, st.dictionaries(NAMES, NUMBERS) | st.just(UNSET)),
    "limit": st.builds(ReachedLimit, minimum=AMOUNTS, maximum=AMOUNTS, left=AMOUNTS),
    "state": st.builds(State, table=NAMES, seq=NUMBERS, shoe=st.builds(Shoe, id=NAMES), lost=st.tuples(NAMES)),
}
HINTS = {
    str: NAMES,
    str | None: st.none() | NAMES,
    int: NUMBERS,
    int | None: st.none() | NUMBERS,
    int | UnsetType | None: st.none() | NUMBERS,
    tuple[str, ...] | None: st.none() | st.lists(NAMES, max_size=2).map(tuple),
}
# other lines stand for these four: time, restarts and the beginning of a script
SAYABLE = set(get_args(Line)) - {e.Tick, e.ProgramBack, e.JournalBack, e.Begin}


def any_of(kind: type) -> st.SearchStrategy[object]:
    hints = get_type_hints(kind).items()
    return st.builds(kind, **{name: of_field(name, hint) for name, hint in hints})


def of_field(name: str, hint: object) -> st.SearchStrategy[object]:
    values = FIELDS[name] if name in FIELDS else of_type(hint)
    return values | st.just(UNSET) if UnsetType in get_args(hint) else values


def of_type(hint: object) -> st.SearchStrategy[object]:
    return HINTS[hint] if hint in HINTS else st.from_type(hint)


@settings(max_examples=600, deadline=None)
@given(st.one_of([any_of(kind) for kind in sorted(SAYABLE, key=str)]))
def test_a_written_line_is_read_as_the_same_event(line):
    before = [] if isinstance(line, Recorded) else [Recorded(State())]  # then no stand-by is added to the line
    text = "\n".join(map(write_line, [*before, line]))
    assert [event for _, event in parse(text)] == [*before, line]


# ── arbitrary text ───────────────────────────────────────────────────────────────────────────────────────────────


def parsed(text: str) -> list[tuple[int, object]]:
    """Parse a script; return [] if it is refused. Any other exception fails the test."""
    try:
        return parse(text)
    except BadScript as refused:
        error = refused
    assert "\n" not in str(error)
    return []


@settings(max_examples=300)
@given(st.text())
def test_arbitrary_text_is_a_script_or_a_bad_script(text):
    parsed(text)


VOCABULARY = """
shuffled open bet unbet close gone back card unread result decide wait press lost found cut restart dealer shoe rule ack
table p1 p2 banker player tie ante seat2 main at by because manager1 9H KC JOKER XX 4 5 -1 10.00 0 1e3 nan inf 15s 1ms
ready 1e9999999 change finish manager burn carry correct enter move resume rescan deal cancel call fold ² ٣ # ' " \\ 1_0
99999999999 journal failed error standby as 60s gap
"""
WORDS = st.sampled_from(VOCABULARY.split())
LINE = st.lists(WORDS, max_size=7).map(" ".join)


@settings(max_examples=400)
@given(st.lists(LINE, max_size=4).map("\n".join))
def test_any_words_are_a_script_or_a_bad_script(text):
    parsed(text)


@settings(max_examples=150)
@given(st.sampled_from(sorted(GAMES)), st.lists(LINE, max_size=25))
def test_every_script_that_parses_can_be_played(game, lines):
    play = Play(House(GAMES[game], GAMES[game].settings()))
    for line in ["shuffled", "open", *lines]:
        for _ in play.run(parsed(line)):
            pass
    assert [record.seq for record in play.records] == list(range(1, len(play.records) + 1))
    assert play.state_line()["kind"] == "state"
