"""Permissions of each key on the bus, as written to the servers' config.

Two accounts: the streams and the admin are in one, all other keys in the clients' account. Clients reach the streams
through named services only. A server does not check the reply subject of a request against the sender's permissions.
That is safe here: an answer of a service stays in the clients' account, so no reply subject can write into a stream.

A table publishes below its own name only. It answers a floor or a platform only in the inbox that these keep for it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from .floor_beats import subject_of
from .names import CLAIMS, EVENTS, HEADS, INBOXES, KEYS, STATUS, TableNames

Permissions = Mapping[str, Mapping[str, Sequence[str]]]
User = tuple[str, str, Permissions]  # name, public key, rights

STORE, CLIENTS = "STUDIO", "CLIENTS"  # accounts: of the streams and the admin, and of all other keys

API = "$JS.API"
AUDIENCES = ("manager", "server", "player")
BUCKETS = tuple(f"KV_{bucket}" for bucket in (STATUS, CLAIMS, KEYS))
EVERYTHING: Permissions = {"publish": {"allow": (">",)}, "subscribe": {"allow": (">",)}}


def _may(publish: Iterable[str], subscribe: Iterable[str]) -> Permissions:
    return {"publish": {"allow": tuple(publish)}, "subscribe": {"allow": tuple(subscribe)}}


def _info_subjects(*streams: str) -> tuple[str, ...]:
    return (f"{API}.INFO", *(f"{API}.STREAM.INFO.{stream}" for stream in streams))


def table(studio: str, name: str) -> Permissions:
    """Permissions of a table: publish below its own name, answer callers, read heads, receive requests and beats."""
    names = TableNames(studio, name)
    events = (names.subject("event", audience) for audience in AUDIENCES)  # no wildcard: each subject has its own limit
    own = (*events, *names.heads, names.subject("beat"), names.status)
    answers = (answer_of(kind, "*", name) for kind in INBOXES)
    reading = (f"{API}.STREAM.MSG.GET.{HEADS}", *_info_subjects(EVENTS, HEADS, *BUCKETS))
    hearing = (names.subject("command", "*"), names.subject("ask", "*"), f"{names.inbox}.>", subject_of(studio, "*"))
    return _may((*own, *answers, *reading), hearing)


def floor(studio: str, name: str) -> Permissions:
    """Permissions of a floor: rule at every table of the studio, claim calls, read all streams."""
    every = TableNames(studio, "*")
    streams = (EVENTS, HEADS, *BUCKETS)
    reading = (f"{API}.DIRECT.GET.{one}" for one in streams)
    leader_reads = (f"{API}.STREAM.MSG.GET.{one}" for one in streams)
    publish = (
        *(every.subject(what, "floor") for what in ("command", "ask")),
        *_info_subjects(*streams), *reading, *leader_reads, f"$KV.{CLAIMS}.{studio}.>",
        subject_of(studio, name),
    )  # fmt: skip
    subjects = (
        every.subject("beat"),
        every.subject("event", "manager"),
        f"$KV.{STATUS}.{studio}.>",
        f"$KV.{CLAIMS}.{studio}.>",
        f"$KV.{KEYS}.{studio}.>",
    )
    hearing = (*subjects, subject_of(studio, "*"))
    return _may(publish, (*hearing, f"{inbox_of('floor', name)}.>"))


def platform(studio: str, name: str) -> Permissions:
    """Permissions of a game server (platform): send commands and ask tables, for their events too.

    It may read no stream: rights there are for all subjects, and the manager's events have the ids of persons, and the
    reasons of rulings before their round is over. An event on the subject tells it when to ask.
    """
    every = TableNames(studio, "*")
    publish = (every.subject(what, "platform") for what in ("command", "ask"))
    hearing = (every.subject("beat"), every.subject("event", "server"))
    return _may(publish, (*hearing, f"{inbox_of('platform', name)}.>"))


def site(_studio: str, name: str) -> Permissions:
    """Permissions of the line to a second site: only the admin's JetStream requests and answers."""
    return _may(("_INBOX_admin.>",), (f"$JS.{name}.API.>",))


def inbox_of(kind: str, name: str) -> str:
    """Inbox prefix of a floor or platform; only this key may subscribe to it."""
    return f"{INBOXES[kind]}.{name}"


def answer_of(kind: str, name: str, table: str, last: str = ">") -> str:
    """Subject in which `table` answers a floor or platform; no other table may publish there.

    `last`: the last part, by default the wildcard for all.
    """
    return f"{inbox_of(kind, name)}.{table}.{last}"


def services(studio: str) -> Mapping[str, bool]:
    """Services that the streams' account exports to the clients' account, by subject.

    The value is True if one request gets many answers. Any other subject cannot reach the streams' account.
    """
    every = TableNames(studio, "*")
    return {
        every.subject("event", "*"): False,
        **dict.fromkeys(every.heads, False),
        every.status: False,
        f"$KV.{CLAIMS}.{studio}.>": False,
        f"{API}.INFO": False,
        f"{API}.STREAM.INFO.*": False,
        f"{API}.STREAM.MSG.GET.*": False,
        f"{API}.DIRECT.GET.*": True,
    }


def accounts(studio: str, keepers: Iterable[User], clients: Iterable[User], system: str) -> str:
    """Text of the accounts section that every server's config includes.

    `keepers`: users of the streams' account; `clients`: all other users; `system`: public key of the system account.
    """
    done = services(studio)
    exports = (f'{{ service: "{one}"{", response: stream" if many else ""} }}' for one, many in done.items())
    imports = (f'{{ service: {{ account: {STORE}, subject: "{one}" }} }}' for one in done)
    return "\n".join(
        (
            "# Who may do what on the bus. Made by `tablectl bus init`, which makes it anew.",
            "accounts {",
            f"  {STORE} {{  # the streams: no client's message comes in here but by these services, no answer either",
            "    jetstream: enabled",
            *_list_block("users", map(_user, keepers)),
            *_list_block("exports", exports),
            "  }",
            f"  {CLIENTS} {{",
            *_list_block("users", map(_user, clients)),
            *_list_block("imports", imports),
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


def _list_block(name: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"    {name}: ["
    yield from (f"      {line}" for line in lines)
    yield "    ]"
