"""Which key may publish and subscribe to what on the bus, as its servers are told it.

The streams are in an account of their own, with the admin. All others are in the account of the clients, which reaches
the streams by way of named services. A server does not compare the reply subject of a request with the sender's rights,
but what a service answers stays in the account of the clients: no reply subject has anything stored.

A table publishes below its own name only, and answers a floor or a platform only in the inbox that these keep for it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from .calling import subject_of
from .names import CLAIMS, EVENTS, HEADS, INBOXES, KEYS, STATUS, Place

Permissions = Mapping[str, Mapping[str, Sequence[str]]]
User = tuple[str, str, Permissions]  # who, the public key, the rights

STORE, CLIENTS = "STUDIO", "CLIENTS"  # accounts; the first has had the streams from the beginning

API = "$JS.API"
AUDIENCES = ("manager", "server", "player")
BUCKETS = tuple(f"KV_{bucket}" for bucket in (STATUS, CLAIMS, KEYS))
EVERYTHING: Permissions = {"publish": {"allow": (">",)}, "subscribe": {"allow": (">",)}}


def _may(publish: Iterable[str], subscribe: Iterable[str]) -> Permissions:
    return {"publish": {"allow": tuple(publish)}, "subscribe": {"allow": tuple(subscribe)}}


def _looking(*streams: str) -> tuple[str, ...]:
    return (f"{API}.INFO", *(f"{API}.STREAM.INFO.{stream}" for stream in streams))


def table(studio: str, name: str) -> Permissions:
    """A table's."""
    place = Place(studio, name)
    events = (place.subject("event", audience) for audience in AUDIENCES)  # each one bounded: no others may be added
    own = (*events, place.subject("head"), place.subject("beat"), place.status)
    answers = (answer_of(kind, "*", name) for kind in INBOXES)
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
    heard = (
        every.subject("beat"),
        every.subject("event", "manager"),
        f"$KV.{STATUS}.{studio}.>",
        f"$KV.{CLAIMS}.{studio}.>",
        f"$KV.{KEYS}.{studio}.>",
    )
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


def answer_of(kind: str, name: str, table: str, last: str = ">") -> str:
    """Where a table answers a floor or a platform: no other table can publish there."""
    return f"{inbox_of(kind, name)}.{table}.{last}"


def consumer_of(platform: str) -> str:
    """The durable consumer of a platform."""
    return f"platform_{platform}"


def services(studio: str) -> Mapping[str, bool]:
    """What the account of the streams does for that of the clients, by subject; True: with many answers to one
    request. Whatever is not among them does not come into the account of the streams, whoever asks for it."""
    every = Place(studio, "*")
    return {
        every.subject("event", "*"): False,
        every.subject("head"): False,
        every.status: False,
        f"$KV.{CLAIMS}.{studio}.>": False,
        f"{API}.INFO": False,
        f"{API}.STREAM.INFO.*": False,
        f"{API}.STREAM.MSG.GET.*": False,
        f"{API}.DIRECT.GET.*": True,
        f"{API}.CONSUMER.INFO.{EVENTS}.*": False,
        f"{API}.CONSUMER.MSG.NEXT.{EVENTS}.*": True,
        f"$JS.ACK.{EVENTS}.>": False,
    }


def accounts(studio: str, keepers: Iterable[User], clients: Iterable[User], system: str) -> str:
    """What the servers' configs include. `keepers`: beside the streams; `clients`: all others; `system`: the public key
    of the servers' own."""
    done = services(studio)
    exports = (f'{{ service: "{one}"{", response: stream" if many else ""} }}' for one, many in done.items())
    imports = (f'{{ service: {{ account: {STORE}, subject: "{one}" }} }}' for one in done)
    return "\n".join(
        (
            "# Who may do what on the bus. Made by `tablectl bus init`, which makes it anew.",
            "accounts {",
            f"  {STORE} {{  # the streams: no client's message comes in here but by these services, no answer either",
            "    jetstream: enabled",
            *_listed("users", map(_user, keepers)),
            *_listed("exports", exports),
            "  }",
            f"  {CLIENTS} {{",
            *_listed("users", map(_user, clients)),
            *_listed("imports", imports),
            "  }",
            f"  SYS {{ users: [ {{ nkey: {system} }} ] }}",
            "}",
            "system_account: SYS",
            "",
        )
    )


def _user(user: User) -> str:
    name, public, may = user
    return f"{{ nkey: {public}, permissions: {msgspec.json.encode(may).decode()} }}  # {name}"


def _listed(name: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"    {name}: ["
    yield from (f"      {line}" for line in lines)
    yield "    ]"
