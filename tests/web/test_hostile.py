"""Hostile requests at the network door get an answer of one line or none, and record nothing."""

import asyncio
import json
import random
import re
import string
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.core import events as e
from controller.web.access import credential_checker
from controller.web.net import bodies, connection
from tests.patience import PATIENCE, on_loop
from tests.web.random_commands import ANYTHING, near_commands
from tests.web.rig import NATURAL, ThreadedTable, capture_log
from tests.web.test_monitoring import MeteredTable

ANSWERED = {200, 204, 304, 307, 400, 401, 403, 404, 405, 408, 409, 413, 421, 429}  # never 500; 503 only if halted
OUR_OWN = re.compile(rb'Traceback|File "|controller/|[a-z]Error\b')
LONGEST = 300  # characters of an error's detail, however long the request was


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[ThreadedTable]:
    """Table that gets all hostile requests; afterwards it must still deal a round."""
    with pytest.MonkeyPatch.context() as patch, ThreadedTable(tmp_path_factory.mktemp("t"), MeteredTable) as table:
        patch.setattr(
            credential_checker, "pin_matches", lambda pin, hashed: False
        )  # a check takes 0.1 s, and no test knows a PIN
        yield table
        table.do(deals_a_round)


async def deals_a_round(table: MeteredTable) -> None:
    table.rig.take(e.OpenTable("m"), e.DealerOn("d1"), e.FoundDevice("shoe"), e.ChangeShoe(), e.LoadShoe(), e.Open())
    table.rig.take(e.Close())
    table.rig.deal(*NATURAL)
    table.rig.take(e.KeyPressed("finish"))
    assert table.table.state.life == "settled"


class ParsedAnswer:
    """Answer parsed from received bytes. `status`: None if no answer came."""

    def __init__(self, text: bytes) -> None:
        if text.startswith(b"HTTP/1.1 100 "):  # "100 Continue" comes before the answer
            text = text.partition(b"\r\n\r\n")[2]
        head, self.begun, rest = text.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else None
        length = re.search(rb"content-length: (\d+)", head.lower())
        self.length = int(length[1]) if length else None
        self.body = rest[: self.length]  # later bytes are of another answer
        kind = re.search(rb"content-type: ([^;\r]*)", head.lower())
        self.kind = kind[1] if kind else None
        self.streams = b"text/event-stream" in head.lower()

    @property
    def whole(self) -> bool:
        return bool(self.begun) and (self.streams or self.length is None or len(self.body) == self.length)


async def send_bytes(table: MeteredTable, *parts: bytes) -> ParsedAnswer:
    """Send byte strings one after the other and return the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
    answer = b""
    try:
        async with asyncio.timeout(PATIENCE):
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0)
            while part := await reader.read(65536):
                answer += part
                if ParsedAnswer(answer).whole:
                    break
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()
    return ParsedAnswer(answer)


@contextmanager
def briefly() -> Iterator[None]:
    """Shorten the table's wait for a body that does not arrive."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bodies, "PATIENCE", 0.1)
        yield


async def harmless(table: MeteredTable, *parts: bytes) -> ParsedAnswer:
    """Send bytes; check that nothing fails and only permitted commands are recorded. Returns the answer."""
    seq = table.table.state.seq
    with capture_log() as lines:
        answer = await send_bytes(table, *parts)
    assert answer.status is None or answer.status in ANSWERED, (answer.status, answer.body)
    assert not OUR_OWN.search(answer.body) or answer.status == 200, answer.body
    assert [line for line in lines if line["event"] == "request_failed"] == []
    assert table.crashes == []
    if not answer.streams and answer.status not in (None, 200, 204, 304) and answer.body[:1] == b"{":
        problem = json.loads(answer.body)
        assert set(problem) - {"position", "message"} == {"type", "title", "status", "detail", "reason"}
        assert (problem["status"], answer.kind) == (answer.status, b"application/problem+json")
        assert "\n" not in problem["detail"]
        assert len(problem["detail"]) <= LONGEST
    given = [record.input for record in table.rig.announced if record.seq > seq and record.input]
    new = {one.origin.via for one in given if one.origin}  # without the clock's inputs
    assert new == set() or (
        new == {"token:platform"} and answer.status in (200, None) and table.token.encode() in parts[0]
    )
    return answer


def request(method: str, target: str, headers: dict[str, str], body: bytes) -> bytes:
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + body


# ── random requests ──────────────────────────────────────────────────────────────────────────────────────────────

PATHS = (
    "/", "/dealer", "/manager", "/overlay", "/static/stream.js", "/static/../../etc/passwd", "/static/%2e%2e%2fx",
    "/session", "/session/alive", "/api/state", "/api/events", "/api/commands", "/api/screen", "/api/schema",
    "/api/asyncapi.json", "/api/preview", "/api/rounds", "/api/rounds/1", "/api/rounds/٣", "/api/rounds/%00",
    "/api/devices", "/api/words", "/metrics", "/healthz", "//", "*", "http://elsewhere/dealer", "/api/%ff%fe",
    "/api/state/", "/api/v1/openapi.json", "/api/v1/game", "/" + "a" * 5000,
)  # fmt: skip
TEXT = st.text(max_size=8) | st.sampled_from(
    ["", "0", "-1", "1", "9" * 400, "1e9", "٣", "%00", "%ff", "en", "ro", "xx", "player", "manager", "server", "dealer"]
)
ROUTES = (
    ("GET", "/api/events", ("after", "role")), ("GET", "/api/screen", ("lang", "role")),
    ("GET", "/api/state", ("role",)), ("GET", "/api/rounds", ("before", "count", "lang")),
    ("POST", "/api/commands", ("role",)), ("POST", "/api/preview", ("lang",)),
    ("GET", "/session", ("role",)), ("POST", "/session", ("role",)), ("DELETE", "/session", ()),
    ("POST", "/session/alive", ()), ("GET", "/api/words", ("lang",)), ("GET", "/dealer", ("lang",)),
    ("GET", "/api/devices", ("lang", "role")),
)  # fmt: skip
METHODS = ("GET", "POST", "DELETE", "PUT", "OPTIONS", "TRACE", "G T", "get", "\x00")
HOSTS = (
    "localhost:1", "[::1]", "[::1", "::1]", "[::1]:x", "[127.0.0.1", "::", "evil.example", "", "127.0.0.1:99999",
    "[", "]:", "\xff", "a@127.0.0.1", "127.0.0.1/x", "127.0.0.1?x", "127.0.0.1#", "fe80::1%eth0", "127.1",
)  # fmt: skip
VISIBLE = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=20)


def parameters(pairs: list[tuple[str, str]]) -> str:
    text = "&".join(f"{name}={value}" for name, value in pairs)
    return "".join(letter if letter in string.printable[:94] else "%" + f"{ord(letter) % 256:02x}" for letter in text)


@st.composite
def requests(draw) -> tuple[str, str, dict[str, str], bytes]:
    """Draw a request, valid or nearly so; often a known caller sends it."""
    method, path, names = draw(st.sampled_from(ROUTES))
    if draw(st.integers(0, 2)) == 0:
        method, path = draw(st.sampled_from(METHODS)), draw(st.sampled_from(PATHS))
    query = parameters([(name, draw(TEXT)) for name in draw(st.lists(st.sampled_from((*names, "x")), max_size=3))])
    headers = {"host": draw(st.sampled_from(HOSTS)) if draw(st.integers(0, 3)) == 0 else "127.0.0.1"}
    for name in draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=4)):
        headers[name] = draw(HEADERS[name] | VISIBLE)
    body = draw(st.binary(max_size=30) | ANYTHING.map(lambda value: json.dumps(value).encode()))
    if body and draw(st.integers(0, 4)):
        headers["content-length"] = str(len(body))
    return method, path.encode("ascii", "xmlcharrefreplace").decode() + f"?{query}", headers, body


HEADERS = {
    "authorization": st.sampled_from(["Bearer TOKEN"] * 3 + ["Bearer x", "Basic eDp5", "Bearer", "bearer \xff"]),
    "cookie": st.sampled_from(["SIGNED-IN"] * 4 + ["a=b", 'a="\\', "tablectl-000000000000=x", ";;=;", "a=\xff"]),
    "x-csrf": st.sampled_from(["WORD", "WORD", "KIOSK", "x", "\xe9"]),
    "content-type": st.sampled_from(["application/json", "text/plain", "application/json; charset=\xff", ";"]),
    "origin": st.sampled_from(["http://127.0.0.1", "null", "http://elsewhere", "://", "http://[bad", "http://[::1]x"]),
    "last-event-id": st.sampled_from(["0", "-1", "9" * 30, "x"]),
    "transfer-encoding": st.sampled_from(["chunked", "gzip, chunked", "identity", "CHUNKED"]),
    "content-length": st.sampled_from(["0", "-1", "5", "1e3", "9" * 40, "5, 5", "٣"]),
    "expect": st.just("100-continue"),
    "connection": st.sampled_from(["close", "keep-alive", "upgrade", "close, upgrade"]),
    "upgrade": st.sampled_from(["websocket", "h2c"]),
    "x-forwarded-for": st.sampled_from(["10.0.0.9", "' OR 1=1", ""]),
    "if-none-match": st.just("*"),
    "range": st.just("bytes=0-"),
    "accept-encoding": st.just("gzip;q=9"),
    "x-long": st.just("y" * 70_000),
}  # fmt: skip


TYPED, TOKEN = {"content-type": "application/json"}, {"authorization": "Bearer TOKEN"}
LONG = b'{"%s": "x"}' % (b"9" * 5000)


def signed_in(table: MeteredTable) -> dict[str, str]:
    """Return a shift manager's cookie and CSRF tokens, by the placeholders that they replace."""
    table.site.sessions._sessions.clear()  # sessions of earlier examples
    key, session = table.site.sessions.open(
        "anna", table.site.sign_on.persons.by_number("anna").person.credentials_mark
    )
    kiosk = table.site.sign_on.kiosk_csrf
    return {"SIGNED-IN": f"{table.site.sign_on.cookie}={key}", "WORD": session.csrf, "KIOSK": kiosk}


@settings(max_examples=120)
@given(asked=requests())
@example(asked=("GET", "/dealer", {"host": "[127.0.0.1"}, b""))
@example(asked=("GET", "/session", {"host": "127.0.0.1", "cookie": 'a="\\'}, b""))
@example(asked=("POST", "/api/commands", {"host": "127.0.0.1", "x-csrf": "KIOSK", "origin": "http://[bad"}, b""))
@example(asked=("GET", "/api/events?after=" + "9" * 5000, {"host": "127.0.0.1"}, b""))
@example(asked=("GET", "/api/state?role=" + "9" * 5000, {"host": "127.0.0.1"}, b""))
@example(asked=("GET", "/api/words?lang=" + "9" * 5000, {"host": "127.0.0.1"}, b""))
@example(asked=("POST", "/session", {"host": "127.0.0.1", "content-length": "5009", **TYPED}, LONG))
@example(asked=("POST", "/api/commands", {"host": "127.0.0.1", "content-length": "5009", **TOKEN}, LONG))
def test_any_network_request_is_harmless(running, asked):
    async def steps(table: MeteredTable) -> None:
        method, target, headers, body = asked
        secrets = {"TOKEN": table.token, **signed_in(table)}
        for name, value in headers.items():
            headers[name] = next((value.replace(word, what) for word, what in secrets.items() if word in value), value)
        with briefly():
            await harmless(table, request(method, target, headers, body))

    running.do(steps)


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────


OWN = frozenset({"open", "close", "bet", "unbet", "decide", "gone", "back"})  # commands of a game server
BET = {"command": "bet", "id": "1", "player": "p1", "market": "banker", "stake": 5, "round": 1}
ACCEPTED = ([{"command": "open", "id": "0"}, BET], "Bearer TOKEN", "?role=server")  # by chance hardly any is


@settings(max_examples=60)
@example(*ACCEPTED)
@example([{"command": "press", "id": "0", "key": "manager"}], "Bearer TOKEN", "?role=server")
@example([BET], "Basic TOKEN", "?role=server")
@example([BET], "Bearer TOKEN", "?role=manager")
@given(
    commands=st.lists(near_commands(OWN), min_size=1, max_size=4) | st.lists(near_commands(), min_size=1, max_size=4),
    who=st.sampled_from(["", "Bearer x", "Bearer TOKEN", "Basic TOKEN", "Bearer TOKEN"]),
    role=st.sampled_from(["", "?role=server", "?role=player", "?role=manager", "?role=dealer", "?role=king"]),
)
def test_only_token_holders_record_and_only_their_own_commands(running, commands, who, role):
    async def steps(table: MeteredTable) -> None:
        body = json.dumps(commands).encode()
        headers = {"host": "127.0.0.1", "content-length": str(len(body)), "content-type": "application/json"}
        if who:
            headers["authorization"] = who.replace("TOKEN", table.token)
        answer = await harmless(table, request("POST", f"/api/commands{role}", headers, body))
        if answer.status == 200:
            verdicts = json.loads(answer.body)["verdicts"]
            assert [one["id"] for one in verdicts] == [command["id"] for command in commands]
            assert {command["command"] for command in commands} <= OWN
            assert (who, role) in (("Bearer TOKEN", ""), ("Bearer TOKEN", "?role=server"))
        assert answer.status == 200 or (commands, who, role) != ACCEPTED

    running.do(steps)


DEEP = b'{"command":"gone","id":"1","player":' + b"[" * 400_000
NASTY = {
    "nothing": b"",
    "deep": DEEP,
    "deep and closed": b"[" * 50_000 + b"]" * 50_000,
    "a number without end": b'[{"command":"bet","id":"1","player":"p","market":"tie","stake":' + b"9" * 5000 + b"}]",
    "a number beyond all": b'{"command":"bet","id":"1","player":"p","market":"tie","stake":1e999}',
    "not a number": b'{"command":"bet","id":"1","player":"p","market":"tie","stake":NaN}',
    "minus nothing": b'{"command":"bet","id":"1","player":"p","market":"tie","stake":-0.0}',
    "half a character": b'{"command":"gone","id":"\\ud800","player":"p"}',
    "no UTF-8": b'{"command":"gone","id":"\xff","player":"p"}',
    "UTF-16": '{"command":"gone","id":"1","player":"p"}'.encode("utf-16"),
    "a mark before it": b'\xef\xbb\xbf{"command":"gone","id":"1","player":"p"}',
    "a null byte": b'{"command":"gone","id":"a\\u0000b","player":"p"}',
    "a line of its own": b'{"command":"gone","id":"1","player":"p\\n2026 settled"}',
    "two values": b'{"command":"gone","id":"1","player":"p"}{"command":"gone","id":"2","player":"p"}',
    "too many": b"[" + b",".join([b'{"command":"gone","id":"1","player":"p"}'] * 5001) + b"]",
    "a long name": b'{"command":"gone","id":"1","player":"' + b"p" * 101 + b'"}',
    "another's field": b'{"command":"gone","id":"1","player":"p","card":"AS"}',
    "no command": b'{"command":"__class__","id":"1"}',
    "a word without end": b'{"command":"' + b"9" * 5000 + b'","id":"1"}',
    "a field without end": b'{"command":"gone","id":"1","player":"p","' + b"9" * 5000 + b'":1}',
    "a list of lists": b"[[[]]]",
}


@pytest.mark.parametrize("path", ["/api/commands", "/api/preview", "/session"])
@pytest.mark.parametrize("what", NASTY)
def test_an_invalid_body_is_refused_and_records_nothing(running, what, path):
    async def steps(table: MeteredTable) -> None:
        headers = {"host": "127.0.0.1", "authorization": f"Bearer {table.token}", "content-type": "application/json"}
        headers["content-length"] = str(len(NASTY[what]))
        answer = await harmless(table, request("POST", path, headers, NASTY[what]))
        assert answer.status in ({400, 413} if path != "/api/preview" else {403})

    running.do(steps)


def test_the_last_of_a_repeated_field_counts(running):
    async def steps(table: MeteredTable) -> None:
        body = b'{"command":"gone","id":"twice1","player":"p1","id":"twice2","player":"p2"}'
        headers = {"host": "127.0.0.1", "authorization": f"Bearer {table.token}", "content-length": str(len(body))}
        answer = await harmless(table, request("POST", "/api/commands", headers, body))
        (verdict,) = json.loads(answer.body)["verdicts"]
        assert (verdict["id"], [record["player"] for record in verdict["records"]]) == ("twice2", ["p2"])

    running.do(steps)


# ── chunks ───────────────────────────────────────────────────────────────────────────────────────────────────────


def chunk(part: bytes, how: random.Random) -> bytes:
    size = f"{len(part):x}" if how.random() < 0.5 else f"000{len(part):X}"
    more = how.choice(["", "", ";a", ';name="v\\"x"'])
    return f"{size}{more}\r\n".encode() + part + b"\r\n"


@settings(max_examples=40)
@given(
    number=st.integers(0, 10**9), cuts=st.lists(st.integers(1, 60), max_size=6), how=st.randoms(use_true_random=False)
)
def test_a_command_in_chunks_is_read_whole(running, number, cuts, how):
    async def steps(table: MeteredTable) -> None:
        body = json.dumps({"command": "gone", "id": f"piece{number}", "player": f"p{number}"}).encode()
        places = [0, *sorted({cut for cut in cuts if cut < len(body)}), len(body)]
        parts = [chunk(body[one:other], how) for one, other in pairwise(places)]
        headers = {"host": "127.0.0.1", "authorization": f"Bearer {table.token}", "transfer-encoding": "chunked"}
        end = how.choice([b"0\r\n\r\n", b"0\r\nx-after: y\r\n\r\n"])
        answer = await harmless(table, request("POST", "/api/commands", headers, b""), *parts, end)
        assert [one["id"] for one in json.loads(answer.body)["verdicts"]] == [f"piece{number}"]

    running.do(steps)


WRONG = (
    b"-1\r\n", b"FFFFFFFFFFFFFFFFFFFFF\r\n", b"1 1\r\nxx\r\n", b"\r\n", b"5\r\nhelloXX0\r\n\r\n",
    b"0x5\r\nhello\r\n0\r\n\r\n", b"5\nhello\n0\n\n", b"5;" + b"a" * 70_000, b"\x00\r\n",
    b"5\r\nhello\r\n0\r\n" + b"x: y\r\n" * 5000 + b"\r\n",
)  # fmt: skip


@pytest.mark.parametrize("pieces", WRONG, ids=range(len(WRONG)))
def test_malformed_chunks_are_refused_and_record_nothing(running, pieces):
    async def steps(table: MeteredTable) -> None:
        headers = {"host": "127.0.0.1", "authorization": f"Bearer {table.token}", "transfer-encoding": "chunked"}
        with briefly():
            answer = await harmless(table, request("POST", "/api/commands", headers, pieces))
        assert answer.status in (400, 408, None)

    running.do(steps)


BOTH_ENDS = "HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\ntransfer-encoding: chunked"
BEFORE_PIECES = "HTTP/1.0\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\nconnection: keep-alive"


@pytest.mark.parametrize(
    ("head", "says"),
    [(BOTH_ENDS, b"expected a request of HTTP/1.1"), (BEFORE_PIECES, b"expected a body with one length")],
    ids=["both", "pieces in HTTP/1.0"],
)
def test_a_request_with_two_lengths_is_refused_and_disconnected(running, head, says):
    async def steps(table: MeteredTable) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        once = f"GET /api/state {head}\r\n\r\n0\r\n\r\n".encode()
        writer.write(once + once)
        answers = await reader.read()  # to its end
        writer.close()
        assert answers.startswith(b"HTTP/1.1 400 ")
        assert answers.count(b"HTTP/1.1 400 ") == 1
        assert says in answers

    running.do(steps)


HEAD = b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n"
IN_PIECES = b"POST /api/v1/commands HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n"
NO_REQUESTS = {
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": HEAD + b"host: localhost\r\n\r\n",
    "HTTP/0.9": b"GET /healthz\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "another coding": HEAD + b"transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "lines without CR": HEAD.replace(b"\r", b"") + b"\n",
    "a folded header": HEAD + b"x: a\r\n b\r\n\r\n",
    "two lengths": HEAD + b"content-length: 2\r\ncontent-length: 2\r\n\r\n{}",
    "a tunnel": b"CONNECT t:80 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
    "many headers": HEAD + b"x: y\r\n" * connection.HEADERS + b"\r\n",
    "many ahead": (HEAD + b"\r\n") * (connection.AHEAD + 3),
    "a head without end": HEAD + b"x: " + b"a" * 400_000,
    "empty lines without end": b"\r\n" * 300_000,
    "a chunk's remark without end": IN_PIECES + b"2;a=" + b"b" * 600_000,
    "trailers without end": IN_PIECES + b"0\r\n" + b"x: y\r\n" * 150_000,
    "a trailer without end": IN_PIECES + b"0\r\nx: " + b"y" * 600_000,
}


@pytest.mark.parametrize("sent", NO_REQUESTS.values(), ids=NO_REQUESTS)
def test_an_invalid_request_head_ends_its_connection(running, sent):
    async def steps(table: MeteredTable) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        writer.write(sent)
        answers, reset = b"", True
        with suppress(ConnectionError):  # a server that has not read everything resets the connection
            while part := await reader.read(1 << 16):
                answers += part
            reset = False
        writer.close()
        assert reset or not answers or b"HTTP/1.1 400 " in answers
        assert b"HTTP/1.1 200 " not in answers

    running.do(steps)


def test_a_request_hidden_in_another_body_is_ignored(running):
    """With both a length and chunks, two programs on the way could disagree on where the body ends."""

    async def steps(table: MeteredTable) -> None:
        inner = json.dumps({"command": "gone", "id": "inner", "player": "inner"}).encode()
        key = f"authorization: Bearer {table.token}\r\n"
        hidden = (
            f"POST /api/commands HTTP/1.1\r\nhost: 127.0.0.1\r\n{key}content-length: {len(inner)}\r\n\r\n".encode()
            + inner
        )
        outer = f"GET /api/state HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(hidden)}\r\n\r\n".encode()
        await send_bytes(table, outer + hidden)
        both = b"GET /api/state HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n"
        await send_bytes(table, both + b"%x\r\n%s\r\n0\r\n\r\n" % (len(hidden), hidden))
        assert "inner" not in table.table.state.gone

    running.do(steps)


# ── a halted table ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_halted_table_answers_reads_and_refuses_commands_503(tmp_path):
    async def steps() -> None:
        async with MeteredTable(tmp_path) as table:
            table.rig.journal.broken = "disk full"
            table.rig.take(e.Open())
            headers = {"host": "127.0.0.1", "authorization": f"Bearer {table.token}"}
            for path in (
                "/api/state",
                "/metrics",
                "/dealer",
                "/session",
                "/api/screen?role=player",
                "/api/events?after=0",
            ):
                assert (await send_bytes(table, request("GET", path, headers, b""))).status == 200, path
            assert (await send_bytes(table, request("GET", "/healthz", headers, b""))).status == 503
            body = b'{"command":"close","id":"1"}'
            answer = await send_bytes(
                table, request("POST", "/api/commands", {**headers, "content-length": str(len(body))}, body)
            )
            assert (answer.status, json.loads(answer.body)["verdicts"][0]["verdict"]) == (503, "untaken")
            table.rig.journal.broken = None

    on_loop(steps)
