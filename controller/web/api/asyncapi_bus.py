"""The same as over HTTP, over the studio's bus: where it goes there, for an AsyncAPI document.

The messages are those of HTTP. Who has a key for it on the bus is a floor, which speaks for shift managers, or a
platform, which is a game server; what viewers are told is there where the table's config says so.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from .commands import Role

Schema = dict[str, Any]

SERVER, NKEY = "bus", "nkey"
COMMANDED: Mapping[Role, str] = {"manager": "floor", "server": "platform"}  # whose subject it is
TOLD: tuple[Role, ...] = ("manager", "server", "player")
_EVENTS = """\
One message a record, in order, in the stream EVENTS. Its headers Tablectl-Epoch and Tablectl-Seq say which record it
tells of: who takes what they have not yet taken under both has each event once, whatever comes twice. A message without
them is nobody's. What the stream holds no more the table still has: ask it for /api/v1/events?after=SEQ."""
_COMMANDS = """\
The body of POST /api/v1/commands. Headers: Tablectl-To, the path over HTTP; Tablectl-Key, the sender's public nkey;
Tablectl-Nonce, milliseconds of Unix time, a dash and chance; Tablectl-Signature, of the subject, the table's epoch,
nonce, path, each with a newline, and the body, in base64. The reply goes to an inbox below _INBOX_floor. or
_INBOX_platform.; its header Tablectl-Status is the status over HTTP."""


def server() -> Schema:
    """Where the bus is."""
    address = {"default": "10.0.0.5:4222", "description": "as the table's [bus] section names it"}
    security = [{"$ref": f"#/components/securitySchemes/{NKEY}"}]
    return {"host": "{address}", "protocol": "nats", "variables": {"address": address}, "security": security}


def security() -> Schema:
    """How somebody is known there."""
    return {NKEY: {"type": "asymmetricEncryption", "description": "an nkey: `tablectl bus init`"}}


def channels(audience: Role, over_http: Mapping[str, Schema]) -> Schema:
    """The subjects. `over_http`: the channels there, of which these have the messages."""
    made = {}
    if audience in TOLD:
        events = {key: ref for key, ref in over_http["events"]["messages"].items() if key != "problem"}
        made["busEvents"] = _channel(f"event.{audience}", events, _EVENTS)
    if audience in COMMANDED:
        messages = over_http["commands"]["messages"]
        made["busCommands"] = _channel(f"command.{COMMANDED[audience]}", messages, _COMMANDS)
    return made


def _channel(subject: str, messages: Schema, says: str) -> Schema:
    parameters = {"studio": {"description": "[bus] studio"}, "table": {"description": "[table] name"}}
    address, servers = f"tablectl.{{studio}}.{{table}}.{subject}", [{"$ref": f"#/servers/{SERVER}"}]
    return {"address": address, "servers": servers, "parameters": parameters, "messages": messages, "description": says}


def operations(made: Iterable[str], over_http: Mapping[str, Schema]) -> Schema:
    """From the table's side, those over HTTP over the bus. `made`: the channels there are."""
    found = {}
    for name, like, channel in (("busFollow", "follow", "events"), ("busSend", "send", "commands")):
        there = f"bus{channel.capitalize()}"
        if there in made and like in over_http:
            binding = {"bindings": {"nats": {"bindingVersion": "0.1.0"}}}
            found[name] = {**_moved(over_http[like], f"#/channels/{channel}", f"#/channels/{there}"), **binding}
    return found


def _moved(operation: Schema, old: str, new: str) -> Schema:
    """With every reference to one channel leading to another."""
    text = msgspec.json.encode(operation).decode()
    for end in ('"', "/"):
        text = text.replace(f'"{old}{end}', f'"{new}{end}')
    return msgspec.json.decode(text, type=Schema)
