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
One message for each record, stored in the stream EVENTS. The headers Tablectl-Epoch and Tablectl-Seq name the record.

The message has no signature, and a client that was disconnected may have missed it. A game server uses it only as a
signal to ask the table for /api/v1/events?after=SEQ&epoch=EPOCH, with epoch and number of the last event that it has
processed: these answers are signed and in order."""
_SIGNATURE = "Tablectl-Signature: Ed25519 signature in base64"
_AT = "Tablectl-At: time of the signature, in milliseconds of Unix time"
_COMMANDS = f"""\
The body is that of POST /api/v1/commands. Headers:

- Tablectl-To: path of the HTTP request, such as /api/v1/commands
- Tablectl-Key: the sender's public nkey
- Tablectl-Nonce: Unix time in milliseconds, `-` and random characters; each nonce is valid once and for one minute
- {_SIGNATURE}, over the subject, the table's epoch, the nonce and the path, each followed by a newline, and then the
  body

The reply subject is an inbox for this table. If the answer has status 403 and its Tablectl-Epoch differs from the epoch
that you signed, sign again with that epoch. A list has at most 500 commands, because the answer must fit into one
message of 900 kB."""
_QUESTIONS = """\
The body is the path and query of a GET request over HTTP, such as /api/v1/state. The reply subject is an inbox for this
table.

The answer to /api/v1/events?after=SEQ&epoch=EPOCH is a page: a list of the next events in order, at most 500 kB or one
larger event, and empty if there are none yet. Ask for the next page with the number of the last event of this one.

A question may be signed in the same way as a command, with an empty path. A game server is present for the table while
it sends signed questions for events: send one every second."""
_INBOX = f"""\
Reply subject, to which the table publishes its answer. Use a new token for each request. Headers:

- Tablectl-Status: HTTP status of the answer
- Tablectl-Epoch: the table's present epoch
- Tablectl-Key: the table's public nkey
- {_AT}
- {_SIGNATURE}, over the inbox subject, Tablectl-At, the digest of the request, the epoch and the status, each followed
  by a newline, and then the body

The digest is the SHA-256, in hexadecimal, over the request's subject, nonce and path, each followed by a newline, and
then its body."""
_BEAT = f"""\
Heartbeat, sent every second. After three missing heartbeats the table counts as disconnected. Headers:

- Tablectl-Key: the table's public nkey
- {_AT}
- {_SIGNATURE}, over the subject and Tablectl-At, each followed by a newline, and then the body"""


def server() -> Schema:
    """AsyncAPI server object with the address and protocol of the bus."""
    address = {"default": "10.0.0.5:4222", "description": "host and port of a NATS server: [bus] `servers`"}
    security = [{"$ref": f"#/components/securitySchemes/{NKEY}"}]
    return {"host": "{address}", "protocol": "nats", "variables": {"address": address}, "security": security}


def security() -> Schema:
    """AsyncAPI security scheme of the bus: the sender's nkey."""
    return {NKEY: {"type": "asymmetricEncryption", "description": "nkey of the client, made by `tablectl bus init`"}}


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
        "token": {"description": "random text of 128 bits, new for each request"},
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
        "Beat": "heartbeat with the table's epoch and the number of its last record",
        "Question": "path and query of a GET request, as text",
        "EventPage": "the next events, in order; empty if there are none yet",
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
        question = _operation("receive", "busQuestions", "question", "a question, answered like a GET over HTTP")
        specs |= {
            "busAsk": {**question, **_reply(*answers)},
            "busBeat": _operation("send", "busBeats", "beat", "a heartbeat every second"),
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
