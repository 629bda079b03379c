"""Part of the AsyncAPI document that covers the studio's bus (NATS): subjects, headers, signatures.

The messages are those of HTTP. A key on the bus belongs to a floor, which acts for shift managers, or to a platform,
which is a game server. Events for viewers are on the bus if the table's config has `players = true`.
"""

from collections.abc import Container, Mapping
from typing import Any

import msgspec

from .commands import Role

Schema = dict[str, Any]

SERVER, NKEY = "bus", "nkey"
COMMANDED: Mapping[Role, str] = {"manager": "floor", "server": "platform"}  # whose subject receives its commands
WITH_EVENTS: tuple[Role, ...] = ("manager", "server", "player")  # audiences whose events are on the bus
_EVENTS = """\
One message a record, in the stream EVENTS. Its headers Tablectl-Epoch and Tablectl-Seq say which record it tells of. It
has no signature, and may be missing for who was away: take it as word that it is time to ask the table for
/api/v1/events?after=SEQ&epoch=EPOCH behind the last event of your own, whose answers are signed and in order."""
_COMMANDS = """\
The body of POST /api/v1/commands. Headers: Tablectl-To, the path over HTTP; Tablectl-Key, the sender's public nkey;
Tablectl-Nonce, milliseconds of Unix time, a dash and chance; Tablectl-Signature, of the subject, the table's epoch,
nonce, path, each with a newline, and the body, in base64. The reply subject is an inbox for this table. After a 403
whose Tablectl-Epoch is another than was signed for, sign anew with that one. Send at most 500 in a list: the answer has
to fit into a message of 900 kB."""
_QUESTIONS = """\
The path and query of a GET over HTTP, such as /api/v1/state. Of /api/v1/events?after=SEQ&epoch=EPOCH the answer is a
page: the events behind that one in order, at most 500 kB or one event, and none at the record's end; ask again behind
the last one of a page. It may be signed as a command is, without a path: signed questions for events, one a second, say
that a game server is present."""
_INBOX = """\
Where the table answers: the reply subject, with a token of chance for each request. Headers: Tablectl-Status, that of
HTTP; Tablectl-Epoch, the table's; Tablectl-Key, Tablectl-At, and Tablectl-Signature of the inbox, Tablectl-At, the
SHA-256 of the request (subject, nonce, path, each with a newline, and body; hexadecimal), epoch and status, each with a
newline, and the body, in base64."""
_BEAT = """\
Every second. Headers: Tablectl-Key, Tablectl-At, and Tablectl-Signature of the subject and Tablectl-At, each with a
newline, and the body, in base64. Three missed: the table is not heard."""


def server() -> Schema:
    """AsyncAPI server object with the address and protocol of the bus."""
    address = {"default": "10.0.0.5:4222", "description": "as the table's [bus] section names it"}
    security = [{"$ref": f"#/components/securitySchemes/{NKEY}"}]
    return {"host": "{address}", "protocol": "nats", "variables": {"address": address}, "security": security}


def security() -> Schema:
    """AsyncAPI security scheme of the bus: the sender's nkey."""
    return {NKEY: {"type": "asymmetricEncryption", "description": "an nkey: `tablectl bus init`"}}


def channels(audience: Role, over_http: Mapping[str, Schema]) -> Schema:
    """Subjects on the bus for this audience. `over_http`: the HTTP channels, which define the messages."""
    bus = {}
    if audience in WITH_EVENTS:
        events = {key: ref for key, ref in over_http["events"]["messages"].items() if key != "problem"}
        bus["busEvents"] = _channel(f"event.{audience}", events, _EVENTS)
    if audience in COMMANDED:
        messages = over_http["commands"]["messages"]
        kind = COMMANDED[audience]
        bus["busCommands"] = _channel(f"command.{kind}", messages, _COMMANDS)
        bus["busQuestions"] = _channel(f"ask.{kind}", {"question": _message("Question")}, _QUESTIONS)
        bus["busBeats"] = _channel("beat", {"beat": _message("Beat")}, _BEAT)
        bus["busInbox"] = _inbox(kind, {**messages, **over_http["state"]["messages"], **over_http["game"]["messages"]})
    return bus


def _inbox(kind: str, over_http: Schema) -> Schema:
    answers = {key: over_http[key] for key in ("answer", "problem", "state", "game")}
    parameters = {
        kind: {"description": f"name of the {kind}"},
        "table": {"description": "[table] name"},
        "token": {"description": "128 bits of chance"},
    }
    return {
        "address": f"_INBOX_{kind}.{{{kind}}}.{{table}}.{{token}}",
        "servers": [{"$ref": f"#/servers/{SERVER}"}],
        "parameters": parameters,
        "messages": {**answers, "eventPage": _message("EventPage")},
        "description": _INBOX,
    }


def schemas(audience: Role) -> Schema:
    """Schemas of messages that exist only on the bus."""
    if audience not in COMMANDED:
        return {}
    number, text = {"type": "integer", "minimum": 0}, {"type": "string"}
    fields = {"properties": {"epoch": text, "seq": number}, "required": ["epoch", "seq"]}
    return {
        "Beat": {"title": "Beat", "type": "object", **fields},
        "Question": {"title": "Question", "type": "string", "pattern": "^/api/"},
        "EventPage": {"title": "EventPage", "type": "array", "items": {"$ref": "#/components/schemas/Event"}},
    }


def messages(audience: Role) -> Schema:
    """Messages that are sent over the bus alone, each under the name of its schema."""
    about = {
        "Beat": "the table lives, and its record has so many",
        "Question": "a path to look at, as text",
        "EventPage": "the next events, in order; none at the record's end",
    }
    return {
        name: {
            "name": name,
            "title": name,
            "summary": about[name],
            "payload": {"$ref": f"#/components/schemas/{name}"},
            **({"contentType": "text/plain"} if name == "Question" else {}),
        }
        for name in schemas(audience)
    }


def _message(name: str) -> Schema:
    return {"$ref": f"#/components/messages/{name}"}


def _channel(subject: str, messages: Schema, says: str) -> Schema:
    parameters = {"studio": {"description": "[bus] studio"}, "table": {"description": "[table] name"}}
    address, servers = f"tablectl.{{studio}}.{{table}}.{subject}", [{"$ref": f"#/servers/{SERVER}"}]
    return {"address": address, "servers": servers, "parameters": parameters, "messages": messages, "description": says}


def operations(bus: Container[str], over_http: Mapping[str, Schema]) -> Schema:
    """Operations on the bus from the table's side, derived from those over HTTP.

    `bus`: names of the bus channels that exist for this audience.
    """
    specs = {}
    for name, like, channel in (("busFollow", "follow", "events"), ("busSend", "send", "commands")):
        target = f"bus{channel.capitalize()}"
        if target in bus and like in over_http:
            binding = {"bindings": {"nats": {"bindingVersion": "0.1.0"}}}
            specs[name] = {**_with_channel(over_http[like], f"#/channels/{channel}", f"#/channels/{target}"), **binding}
    if "busInbox" in bus:
        specs["busSend"] |= _reply("answer", "problem")
        answers = ("eventPage", "state", "game", "problem")
        question = _operation("receive", "busQuestions", "question", "a question, as a GET over HTTP")
        specs |= {
            "busAsk": {**question, **_reply(*answers)},
            "busBeat": _operation("send", "busBeats", "beat", "a heartbeat"),
        }
    return specs


def _operation(action: str, channel: str, message: str, summary: str) -> Schema:
    where = {"channel": {"$ref": f"#/channels/{channel}"}}
    return {"action": action, **where, "summary": summary, "messages": [_message_ref(channel, message)]}


def _reply(*messages: str) -> Schema:
    return {
        "reply": {
            "channel": {"$ref": "#/channels/busInbox"},
            "messages": [_message_ref("busInbox", one) for one in messages],
        }
    }


def _message_ref(channel: str, message: str) -> Schema:
    return {"$ref": f"#/channels/{channel}/messages/{message}"}


def _with_channel(operation: Schema, old: str, new: str) -> Schema:
    """Copy of an operation in which every reference to channel `old` points to channel `new`."""
    text = msgspec.json.encode(operation).decode()
    for end in ('"', "/"):
        text = text.replace(f'"{old}{end}', f'"{new}{end}')
    return msgspec.json.decode(text, type=Schema)
