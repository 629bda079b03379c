"""Commands for a running table: the request that each sends and the answer that it prints.

A fake table answers.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from controller.cli import command_sender, main
from controller.cli.client import NoAnswer, TableReply, ask

SOCKET = "/run/t1.sock"
STATE = {"fault": {"seq": 9}, "window": 2}
DONE = {"verdicts": [{"verdict": "done", "says": "", "records": []}]}


class ReceivedRequest(NamedTuple):
    method: str
    target: str
    body: Any


class PreparedTable:
    """Fake table with prepared answers that records each request."""

    def __init__(self) -> None:
        self.asked, self.paths = list[ReceivedRequest](), set[Path]()
        self.answers: dict[str, TableReply] = {
            "/api/state": TableReply(200, STATE),
            "/api/commands": TableReply(200, DONE),
            "/api/rulings": TableReply(200, DONE),
            "/session/dealer": TableReply(200, {"table": "t1", "dealer": "Ion", "id": "7"}),
            "/session/hand-over": TableReply(200, {"shown": 30, "points": ["one", "two"], "by": "Ana", "to": "Bea"}),
        }

    def ask(self, path: Path, method: str, target: str, body: object = None) -> TableReply:
        self.paths.add(path)
        self.asked.append(ReceivedRequest(method, target, body))
        return self.answers[target]

    def sent(self) -> Any:
        """Return the body of the last request without its command's id, which is always new."""
        body = dict(self.asked[-1].body)
        command = body.get("ruling") if isinstance(body.get("ruling"), dict) else body
        ids.add(command.pop("id"))
        return body


ids = set[str]()


@pytest.fixture
def table(monkeypatch) -> PreparedTable:
    fake_table = PreparedTable()
    monkeypatch.setattr(command_sender, "ask", fake_table.ask)
    return fake_table


def run(*words: str, stdin: str = "", code: int = 0) -> str:
    """Run the command; return its standard output and standard error."""
    result = CliRunner().invoke(main, [*words, "--socket", SOCKET], input=stdin)
    assert result.exit_code == code, result.output
    return result.output


BECAUSE = ("--because", "seen")
RULED = {"because": "seen", "fault": 9, "command": "rule"}
SENT = {
    "open": {"command": "open"},
    "open --by anna": {"command": "open", "by": "anna"},
    "close": {"command": "close", "window": 2},
    "close --window 1": {"command": "close", "window": 1},
    "shuffled": {"command": "shuffled"},
    "shuffled --deck red": {"command": "shuffled", "deck": "red"},
    "press dropped": {"command": "press", "key": "dropped"},
    "dealer 104": {"command": "dealer", "name": "104"},
    "dealer -": {"command": "dealer", "name": None},
    "ack": {"command": "ack", "fault": 9},
    "ack --fault 5 --by anna": {"command": "ack", "fault": 5, "by": "anna"},
    "shoe change --left 12": {"command": "shoe", "do": "change", "left": 12},
    "shoe readout": {"command": "shoe", "do": "readout"},
    "shoe cut": {"command": "shoe", "do": "cut"},
    "shoe ready S2 416 --receipt R1": {
        "command": "shoe", "do": "ready", "shoe": "S2", "counted": 416, "receipt": "R1",
    },
    "shoe ready S2 416 --with bea": {"command": "shoe", "do": "ready", "shoe": "S2", "counted": 416, "witness": "bea"},
    "dismiss 88 --because seen": {"command": "dismiss", "case": 88, "because": "seen"},
    "rule burn 5 --because seen": {**RULED, "ruling": "burn", "draw": 5},
    "rule correct 4 7H --because seen --fault 3": {**RULED, "fault": 3, "ruling": "correct", "draw": 4, "card": "7H"},
    "rule move 5 banker --because seen": {**RULED, "ruling": "move", "draw": 5, "place": "banker"},
    "rule resume by eva --because seen": {**RULED, "ruling": "resume", "by": "eva"},
    "rule resume --by anna --because seen": {**RULED, "ruling": "resume", "by": "anna"},
}  # fmt: skip


@pytest.mark.parametrize("line", SENT)
def test_a_command_is_sent_as_it_was_typed(table, line):
    assert run(*line.split()) == ""
    assert table.asked[-1][:2] == ("POST", "/api/commands")
    assert table.sent() == SENT[line]
    assert table.paths == {Path(SOCKET)}
    state = [request.target for request in table.asked[:-1]]
    assert state == (["/api/state"] if line == "close" or (9 in SENT[line].values()) else [])


def test_no_two_commands_have_one_id(table):
    before = len(ids)
    for _ in range(3):
        run("open")
        table.sent()
    assert len(ids) == before + 3


def test_a_ruling_of_two_sends_the_second_persons_pin_apart(table):
    run("rule", "cancel", "with", "bea", *BECAUSE, stdin="2580\n")
    assert table.asked[-1][:2] == ("POST", "/api/rulings")
    assert table.sent() == {"ruling": {**RULED, "ruling": "cancel"}, "second": {"name": "bea", "pin": "2580"}}


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("rule cancel with bea --because seen", ["PIN of bea: "]),
        ("resettle 17 void with bea --because seen", ["PIN of bea: "]),
        ("shift hand-over t1.toml --from 103 --to 102", ["PIN of 103: ", "PIN of 102: "]),
    ],
)
def test_a_terminal_says_whose_pin_is_asked_and_hides_it(table, monkeypatch, line, asked):
    monkeypatch.setattr(command_sender, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    for socket_of in ("only_running_socket", "socket_of_config"):
        monkeypatch.setattr(command_sender, socket_of, lambda *_: Path(SOCKET))
    result = CliRunner().invoke(main, line.split(), input="2580\n" * len(asked))
    assert result.exit_code == 0, result.output
    assert [prompt for prompt in result.output.splitlines() if "PIN" in prompt or "2580" in prompt] == asked


def test_a_resettlement_is_sent_with_its_corrections(table):
    words = ("resettle", "17", "correct", "1", "9C", "and", "move", "5", "banker", "with", "bea")
    run(*words, "--by", "anna", *BECAUSE, stdin="2580\n")
    (request,) = table.asked
    assert request[:2] == ("POST", "/api/rulings")
    body = table.sent()
    assert (body["second"], body["ruling"]["by"]) == ({"name": "bea", "pin": "2580"}, "anna")
    command = body["ruling"]
    assert (command["command"], command["round"], command["because"]) == ("resettle", 17, "seen")
    first, second = ({name: value for name, value in one.items() if value} for one in command["amendments"])
    assert first == {"ruling": "correct", "draw": 1, "card": "9C"}
    assert second == {"ruling": "move", "draw": 5, "place": "banker"}


PREVIEW = {
    "verdict": "leads",
    "preview": {
        "round": 17, "revision": 1, "was": {"winner": "banker"}, "now": None, "currency": "EUR", "total": -500,
        "movements": [{"player": "p1", "market": "banker", "was": 1950, "now": 1000, "difference": -950}],
        "more": 0, "open": False, "unknown": False,
    },
}  # fmt: skip


def test_the_preview_of_a_resettlement_lists_each_difference(table):
    table.answers["/api/preview"] = TableReply(200, PREVIEW)
    output = run("resettle", "17", "void", "--preview")
    assert table.asked[-1][:2] == ("POST", "/api/preview")
    assert table.sent()["because"] == "preview"
    assert output == ("round 17, revision 1: winner banker → void\np1 banker: 19.50 → 10.00 (-9.50)\nin all -5.00\n")
    assert '"revision":1' in run("resettle", "17", "void", "--preview", "--json")


def test_a_preview_says_where_a_hidden_card_decides(table):
    preview = {**PREVIEW["preview"], "movements": [], "open": True, "unknown": True}
    table.answers["/api/preview"] = TableReply(200, {**PREVIEW, "preview": preview})
    lines = run("resettle", "17", "void_hand", "seat2", "--preview").splitlines()
    assert lines == [
        "round 17, revision 1: winner banker → ?",
        "what follows depends on a card that lies face down",
    ]


def test_a_preview_that_is_refused_ends_with_1(table):
    table.answers["/api/preview"] = TableReply(200, {"verdict": "refused", "says": "no such round"})
    words = ["resettle", "17", "void", "--preview", "--socket", SOCKET]
    refused = CliRunner().invoke(main, words)
    assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", "tablectl: refused: no such round\n")
    assert CliRunner().invoke(main, [*words, "--json"]).stdout == '{"verdict":"refused","says":"no such round"}\n'
    table.answers["/api/preview"] = TableReply(404, {"detail": "not here"})
    assert run("resettle", "17", "void", "--preview", code=2) == "tablectl: not here\n"


@pytest.mark.parametrize("words", [("rule", "cancel"), ("resettle", "17", "void", "with", "bea")])
def test_a_ruling_needs_a_reason(table, words):
    assert "expected a reason: --because TEXT" in run(*words, code=2)
    assert table.asked == []


@pytest.mark.parametrize("ruling", ["cancel", "resume", "deal", "rescan", "extend"])
def test_a_number_behind_a_ruling_without_one_is_refused(table, ruling):
    refusal = run("rule", ruling, "1", *BECAUSE, code=2)
    assert refusal.startswith(f"tablectl: {ruling} takes no number: expected rule enter CARD, ")
    assert table.asked == []


def test_a_ruling_names_the_word_that_it_does_not_take(table):
    assert run("rule", "enter", "9", "KH", *BECAUSE, code=2).startswith("tablectl: enter takes no number: ")
    assert run("rule", "burn", "card", "KH", *BECAUSE, code=2).startswith("tablectl: burn takes no card: ")
    assert run("rule", "cancel", "seen", "no", *BECAUSE, code=2).startswith("tablectl: cancel takes no `seen`: ")


@pytest.mark.parametrize("words", [("rule", "burnt", "5"), ("resettle", "17", "undo", "5"), ("shoe", "cut", "S2")])
def test_what_is_no_command_is_not_sent(table, words):
    assert run(*words, *(() if words[0] == "shoe" else BECAUSE), code=2).startswith("tablectl: expected")
    assert table.asked == []


@pytest.mark.parametrize("line", ["rule burn 5", "resettle 17 void with bea"])
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("because slipped by accident --by anna", "expected the reason in quotes, and the person before it"),
        ("because slipped by accident", "expected the reason in quotes, and the person before it"),
        ("by anna --by bob --because seen", "expected one name, got `by` and --by"),
        ("because slipped --because seen --by anna", "expected one reason, got `because` and --because"),
    ],
)
def test_a_person_or_reason_named_twice_is_refused(table, line, more, said):
    assert run(*line.split(), *more.split(), stdin="2580\n", code=2).startswith(f"tablectl: {said}")
    assert table.asked == []


def test_a_command_without_a_name_is_not_sent(table):
    assert run("open", "--by", "", code=2).startswith("tablectl: --by: expected a name, got an empty text")
    assert run("open", "--by", "a  b", code=2).startswith("tablectl: expected")
    assert table.asked == []


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("dismiss", "3", "--because", ""), "because"),
        (("shoe", "uncut", "--because", ""), "because"),
        (("shoe", "ready", ""), "shoe"),
        (("dealer", ""), "name"),
    ],
)
def test_a_command_with_an_empty_text_is_not_sent(table, words, field):
    refusal = run(*words, "--by", "anna", code=2)
    assert refusal.startswith(f"tablectl: {field}: expected a text, got an empty one")
    assert table.asked == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dismiss", "3", "--because", "  "), "because: expected a text, got spaces alone"),
        (("rule", "burn", "5", "--fault", "3", "--because", "  "), "because: expected a text, got spaces alone"),
        (("resettle", "17", "move", "3", "", "--preview"), "place: expected a text, got an empty one"),
        (("resettle", "17", *["burn", "1", "and"] * 20, "resume", "--preview"), "expected at most 20 corrections"),
    ],
)
def test_what_the_table_would_call_malformed_is_not_sent(table, words, said):
    assert run(*words, code=2).startswith(f"tablectl: {said}")
    assert table.asked == []


@pytest.mark.parametrize("line", ["rule burn 5 {} --because x --fault 3", "resettle 17 void {} --because x"])
@pytest.mark.parametrize("more", ["with bea badge 7", "person 7", "past x"])
def test_a_word_of_exported_scripts_alone_is_refused(table, line, more):
    assert run(*line.format(more).split(), stdin="2580\n", code=2).startswith("tablectl: `")
    assert table.asked == []


@pytest.mark.parametrize(
    ("line", "field", "most"),
    [
        ("dealer {}", "name", 100),
        ("shoe ready {}", "shoe", 100),
        ("ack --fault 3 --by {}", "by", 100),
        ("dismiss 3 --because {}", "because", 500),
        ("rule burn 5 with {} --fault 3 --because seen", "name", 100),
        ("resettle 17 move 3 {} with bea --because seen", "place", 100),
    ],
)
def test_a_command_with_a_text_too_long_is_not_sent(table, line, field, most):
    said = run(*line.format("x" * (most + 1)).split(), stdin="2580\n", code=2)
    assert said.startswith(f"tablectl: {field}: expected at most {most} characters, got {most + 1}")
    assert table.asked == []


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("rule cancel with bea --because seen", "bea"),
        ("resettle 17 void with bea --because seen", "bea"),
        ("dealer 7 --pin", "7"),
    ],
)
def test_an_empty_standard_input_is_no_wrong_pin(table, line, whose):
    assert run(*line.split(), code=2) == f"tablectl: expected the PIN of {whose} on standard input, got none\n"
    assert {one.target for one in table.asked} <= {"/api/state"}


REFUSED = {"verdict": "refused", "says": "a round is on", "records": []}


def test_a_refusal_is_said_and_ends_with_1(table):
    table.answers["/api/commands"] = TableReply(200, {"verdicts": [REFUSED]})
    assert run("open", code=1) == "tablectl: refused: a round is on\n"
    shown, message = run("open", "--json", code=1).splitlines()
    assert (shown, message) == (
        '{"verdict":"refused","says":"a round is on","records":[]}',
        "tablectl: refused: a round is on",
    )
    table.answers["/api/rulings"] = TableReply(401, {"detail": "wrong PIN"})
    assert run("rule", "cancel", "with", "bea", *BECAUSE, stdin="1\n", code=1) == "tablectl: refused: bea: wrong PIN\n"


def test_a_ruling_that_is_no_choice_names_the_choices(table):
    refused = {"verdict": "refused", "reason": "not_allowed", "says": "that is not among the choices here"}
    table.answers["/api/commands"] = TableReply(200, {"verdicts": [refused]})
    table.answers["/api/state"] = TableReply(200, {"fault": {"seq": 9, "rulings": ["burn", "void"]}})
    refusal = run("rule", "cancel", *BECAUSE, code=1)
    assert refusal == "tablectl: refused: that is not among the choices here (burn, void)\n"
    for words in (("rule", "extend", "--fault", "9"), ("resettle", "3", "void", "--by", "anna")):
        assert "burn" not in run(*words, *BECAUSE, code=1)


def test_a_problem_in_place_of_a_verdict_ends_with_2(table):
    table.answers["/api/commands"] = TableReply(503, {"detail": "the program ends"})
    assert run("open", code=2) == "tablectl: the program ends\n"
    table.answers["/api/state"] = TableReply(403, {"detail": "not for you"})
    assert run("close", code=2) == "tablectl: not for you\n"


def test_quiet_records_of_an_answer_are_not_printed(table):
    quiet = next(iter(command_sender.QUIET))
    records = [{"kind": quiet, "seq": 4}, {"kind": "closed", "seq": 5}]
    table.answers["/api/commands"] = TableReply(
        200, {"verdicts": [{"verdict": "done", "says": "", "records": records}]}
    )
    assert run("close") == "no more bets\n"
    assert run("close", "--json").startswith('{"verdict":"done"')
    assert run("close", "--json").count("\n") == 1


def test_without_an_open_fault_nothing_is_acknowledged(table):
    table.answers["/api/state"] = TableReply(200, {"fault": None, "window": 1})
    assert run("ack", code=1).startswith("tablectl: refused: ")
    assert [one.target for one in table.asked] == ["/api/state"]


def test_a_dealer_signs_on_by_their_own_pin(table):
    assert run("dealer", "7", "--pin", stdin="2580\n1111\n") == "Ion deals\n"
    assert table.asked == [("POST", "/session/dealer", {"name": "7", "pin": "2580"})]
    assert run("dealer", "7", "--pin", "--json", stdin="2580\n") == '{"table":"t1","dealer":"Ion","id":"7"}\n'
    table.answers["/session/dealer"] = TableReply(401, {"detail": "wrong PIN"})
    assert run("dealer", "7", "--pin", stdin="2580\n", code=1) == "tablectl: refused: wrong PIN\n"


def test_a_table_that_does_not_answer_is_one_line(monkeypatch):
    def silent(*_):
        raise NoAnswer("no table runs here")

    monkeypatch.setattr(command_sender, "ask", silent)
    assert run("open", code=2) == "tablectl: no table runs here\n"


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_socket_of_others_names_their_group(tmp_path, monkeypatch, is_seen):
    def refuse(_: object) -> None:
        raise PermissionError

    (path := tmp_path / "t1.sock").touch()
    monkeypatch.setattr("controller.cli.client._Connection.connect", refuse)
    monkeypatch.setattr("pathlib.Path.group", lambda _: "studio" if is_seen else refuse(_))
    group = "studio" if is_seen else "tablectl"
    with pytest.raises(NoAnswer, match=f"the group {group}: use sudo, or .*`sudo adduser NAME {group}`"):
        ask(path, "GET", "/api/state")


def test_a_hand_over_shows_open_cases_and_sends_pins(table, monkeypatch):
    monkeypatch.setattr(command_sender, "socket_of_config", lambda config: Path(f"/run/{config}.sock"))
    words = ["shift", "hand-over", "t1.toml", "--from", "103", "--to", "102", "--note", "key sticks"]
    result = CliRunner().invoke(main, words, input="2580\n1379\n")
    assert (result.exit_code, result.output) == (0, "one\ntwo\nAna has handed over to Bea\n")
    assert table.asked[0] == ("GET", "/session/hand-over", None)
    fields = {"from": {"name": "103", "pin": "2580"}, "to": {"name": "102", "pin": "1379"}, "shown": 30}
    assert table.asked[1] == ("POST", "/session/hand-over", {**fields, "note": "key sticks"})
    assert table.paths == {Path("/run/t1.toml.sock")}
    table.answers["/session/hand-over"] = TableReply(403, {"detail": "not yours"})
    refused = CliRunner().invoke(main, words, input="2580\n1379\n")
    assert (refused.exit_code, refused.output) == (2, "tablectl: not yours\n")


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ([], "only"),
        (["--table", "t2"], "table t2"),
        (["--config", "c.toml", "--table", "t2"], "config c.toml"),
        (["--config", "c.toml", "--socket", SOCKET], SOCKET),
    ],
)
def test_a_socket_precedes_a_config_which_precedes_a_name(table, monkeypatch, words, path):
    monkeypatch.setattr(command_sender, "only_running_socket", lambda: Path("only"))
    monkeypatch.setattr(command_sender, "socket_of_table", lambda name: Path(f"table {name}"))
    monkeypatch.setattr(command_sender, "socket_of_config", lambda config: Path(f"config {config}"))
    assert CliRunner().invoke(main, ["open", *words]).exit_code == 0
    assert table.paths == {Path(path)}


@pytest.mark.parametrize(
    ("line", "more"),
    {
        "correct 4 7H touched stand": {"ruling": "correct", "draw": 4, "card": "7H", "touched": "stand"},
        "burn checked deck": {"ruling": "burn", "checked": "deck"},
        "carry 5 seen no": {"ruling": "carry", "draw": 5, "seen": False},
        "cancel on 7": {"ruling": "cancel", "fault": 7},
    }.items(),
)
def test_every_word_of_a_ruling_is_sent(table, line, more):
    run("rule", *line.split(), *BECAUSE)
    assert table.sent() == {**RULED, **more}


def test_a_resettlement_is_sent_by_the_person_in_its_words(table):
    run("resettle", "17", "void", "with", "bea", "by", "anna", *BECAUSE, stdin="2580\n")
    assert table.sent()["ruling"]["by"] == "anna"
