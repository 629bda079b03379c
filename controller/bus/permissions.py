"""Who may say and hear what on the bus, as its servers are told it.

The one rule: a table may speak below its own name only, and nobody but the admin may change or empty a stream. Answers
go to the inboxes that are named here; leave to answer wherever a question says would be leave to speak anywhere.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from .calling import subject_of
from .names import CLAIMS, EVENTS, HEADS, INBOXES, STATUS, Place

Permissions = Mapping[str, Mapping[str, Sequence[str]]]

API = "$JS.API"
BUCKETS = tuple(f"KV_{bucket}" for bucket in (STATUS, CLAIMS))
EVERYTHING: Permissions = {"publish": {"allow": (">",)}, "subscribe": {"allow": (">",)}}


def _may(publish: Iterable[str], subscribe: Iterable[str]) -> Permissions:
    return {"publish": {"allow": tuple(publish)}, "subscribe": {"allow": tuple(subscribe)}}


def _looking(*streams: str) -> tuple[str, ...]:
    return (f"{API}.INFO", *(f"{API}.STREAM.INFO.{stream}" for stream in streams))


def table(studio: str, name: str) -> Permissions:
    """A table's. Heads are read from whoever leads their stream; nothing that is stored goes where it says."""
    place = Place(studio, name)
    own = (place.subject("event", "*"), place.subject("head", "*"), place.subject("beat"), place.status)
    answers = (f"{inbox}.>" for inbox in INBOXES.values())
    reading = (f"{API}.STREAM.MSG.GET.{HEADS}", *_looking(EVENTS, HEADS, *BUCKETS))
    hearing = (place.subject("command", "*"), place.subject("ask", "*"), f"{place.inbox}.>", subject_of(studio, "*"))
    return _may((*own, *answers, *reading), hearing)


def floor(studio: str, name: str) -> Permissions:
    """A floor's: it may rule at every table of its studio, and claim calls."""
    every = Place(studio, "*")
    streams = (EVENTS, HEADS, *BUCKETS)
    reading = (f"{API}.DIRECT.GET.{one}" for one in streams)
    kept = (f"{API}.STREAM.MSG.GET.{one}" for one in streams)
    publish = (
        *(every.subject(what, "floor") for what in ("command", "ask")),
        *_looking(*streams), *reading, *kept, f"$KV.{CLAIMS}.{studio}.>",
        subject_of(studio, name),
    )  # fmt: skip
    heard = (every.subject("beat"), every.subject("event", "manager"), f"$KV.{STATUS}.{studio}.>", f"$KV.{CLAIMS}.{studio}.>")
    hearing = (*heard, subject_of(studio, "*"))
    return _may(publish, (*hearing, f"{inbox_of('floor', name)}.>"))


def platform(studio: str, name: str) -> Permissions:
    """A game server's: its place in the events is a consumer made beforehand, so that it can make none."""
    every, own = Place(studio, "*"), consumer_of(name)
    publish = (
        *(every.subject(what, "platform") for what in ("command", "ask")),
        f"{API}.CONSUMER.MSG.NEXT.{EVENTS}.{own}",
        f"{API}.CONSUMER.INFO.{EVENTS}.{own}",
        f"$JS.ACK.{EVENTS}.{own}.>",
    )
    return _may(publish, (every.subject("beat"), f"{inbox_of('platform', name)}.>"))


def site(_studio: str, name: str) -> Permissions:
    """That of the line to a second site: what the admin of the first one asks for crosses it, and the answers."""
    return _may(("_INBOX_admin.>",), (f"$JS.{name}.API.>",))


def inbox_of(kind: str, name: str) -> str:
    """Where answers go to a floor or a platform: nobody else hears them."""
    return f"{INBOXES[kind]}.{name}"


def consumer_of(platform: str) -> str:
    """The durable consumer of a platform."""
    return f"platform_{platform}"


def account(users: Iterable[tuple[str, str, Permissions]], system: str) -> str:
    """What the servers' configs include. `users`: each with their public key; `system`: that of the servers' own."""
    lines = [
        f"      {{ nkey: {public}, permissions: {msgspec.json.encode(may).decode()} }}  # {name}"
        for name, public, may in users
    ]
    return "\n".join(
        (
            "# Who may do what on the bus. Made by `tablectl bus init`, which makes it anew.",
            "accounts {",
            "  STUDIO {",
            "    jetstream: enabled",
            "    users: [",
            *lines,
            "    ]",
            "  }",
            f"  SYS {{ users: [ {{ nkey: {system} }} ] }}",
            "}",
            "system_account: SYS",
            "",
        )
    )
