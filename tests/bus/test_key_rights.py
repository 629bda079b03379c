"""Rights on the bus: each kind of key against each subject, by the wildcard rules of NATS."""

import pytest

from controller.bus import permissions
from controller.bus.names import roster_of

KEYS = {
    "table": permissions.table("main", "t1"),
    "floor": permissions.floor("main", "hall"),
    "platform": permissions.platform("main", "game"),
    "site": permissions.site("main", "siteb"),
}
PUBLISH = """
                                              table floor platform site
tablectl.main.t1.event.manager                  +     .      .      .
tablectl.main.t1.event.player                   +     .      .      .
tablectl.main.t1.event.server                   +     .      .      .
tablectl.main.t1.event.x                        .     .      .      .
tablectl.main.t1.head                           +     .      .      .
tablectl.main.t1.head.1                         +     .      .      .
tablectl.main.t1.head.2                         +     .      .      .
tablectl.main.t1.head.3                         +     .      .      .
tablectl.main.t1.head.4                         +     .      .      .
tablectl.main.t1.head.5                         +     .      .      .
tablectl.main.t1.head.6                         +     .      .      .
tablectl.main.t1.head.7                         +     .      .      .
tablectl.main.t1.head.8                         .     .      .      .
tablectl.main.t2.head.1                         .     .      .      .
tablectl.main.t1.head.e1                        .     .      .      .
tablectl.main.t1.beat                           +     .      .      .
tablectl.main.t1.command.floor                  .     +      .      .
tablectl.main.t1.command.platform               .     .      +      .
tablectl.main.t1.ask.floor                      .     +      .      .
tablectl.main.t1.ask.platform                   .     .      +      .
tablectl.main.t2.event.manager                  .     .      .      .
tablectl.main.t2.head                           .     .      .      .
tablectl.main.t2.beat                           .     .      .      .
tablectl.main.t2.command.floor                  .     +      .      .
tablectl.main.t2.ask.platform                   .     .      +      .
tablectl.other.t1.event.manager                 .     .      .      .
tablectl.other.t1.command.floor                 .     .      .      .
tablectl.other.t1.command.platform              .     .      .      .
tablectl_floor.main.hall                        .     +      .      .
tablectl_floor.main.annex                       .     .      .      .
tablectl_floor.other.hall                       .     .      .      .
$KV.tablectl_status.main.t1                     +     .      .      .
$KV.tablectl_status.main.t2                     .     .      .      .
$KV.tablectl_claims.main.t1.call                .     +      .      .
$KV.tablectl_claims.other.t1.call               .     .      .      .
$KV.tablectl_keys.main.roster                   .     .      .      .
_INBOX_floor.hall.t1.x                          +     .      .      .
_INBOX_platform.game.t1.x                       +     .      .      .
_INBOX_floor.hall.t2.x                          .     .      .      .
_INBOX_platform.game.t2.x                       .     .      .      .
_INBOX_floor.hall.x                             .     .      .      .
_INBOX_table.main.t1.x                          .     .      .      .
_INBOX_admin.x                                  .     .      .      +
$JS.API.INFO                                    +     +      .      .
$JS.API.STREAM.INFO.EVENTS                      +     +      .      .
$JS.API.STREAM.INFO.KV_tablectl_claims          +     +      .      .
$JS.API.STREAM.INFO.KV_tablectl_keys            +     +      .      .
$JS.API.STREAM.MSG.GET.HEADS                    +     +      .      .
$JS.API.STREAM.MSG.GET.EVENTS                   .     +      .      .
$JS.API.STREAM.MSG.GET.KV_tablectl_claims       .     +      .      .
$JS.API.STREAM.MSG.GET.KV_tablectl_keys         .     +      .      .
$JS.API.DIRECT.GET.EVENTS.tablectl.main.t1.head .     .      .      .
$JS.API.DIRECT.GET.EVENTS                       .     +      .      .
$JS.API.DIRECT.GET.KV_tablectl_status           .     +      .      .
$JS.API.DIRECT.GET.KV_tablectl_keys             .     +      .      .
$JS.API.CONSUMER.CREATE.EVENTS                  .     .      .      .
$JS.API.CONSUMER.CREATE.EVENTS.one.filter       .     .      .      .
$JS.API.CONSUMER.CREATE.OTHER                   .     .      .      .
$JS.API.CONSUMER.INFO.EVENTS.one                .     .      .      .
$JS.API.CONSUMER.DELETE.EVENTS.one              .     .      .      .
$JS.API.CONSUMER.MSG.NEXT.EVENTS.one            .     .      .      .
$JS.API.CONSUMER.INFO.EVENTS.platform_game      .     .      .      .
$JS.API.CONSUMER.MSG.NEXT.EVENTS.platform_game  .     .      .      .
$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.one      .     .      .      .
$JS.ACK.EVENTS.platform_game.1                  .     .      .      .
$JS.FC.one                                      .     .      .      .
$JS.API.STREAM.CREATE.EVENTS                    .     .      .      .
$JS.API.STREAM.UPDATE.EVENTS                    .     .      .      .
$JS.API.STREAM.DELETE.EVENTS                    .     .      .      .
$JS.API.STREAM.PURGE.HEADS                      .     .      .      .
$JS.API.STREAM.MSG.DELETE.HEADS                 .     .      .      .
$SYS.REQ.SERVER.PING                            .     .      .      .
"""
SUBSCRIBE = """
                                              table floor platform site
tablectl.main.t1.command.floor                  +     .      .      .
tablectl.main.t1.command.platform               +     .      .      .
tablectl.main.t1.ask.floor                      +     .      .      .
tablectl.main.t1.ask.platform                   +     .      .      .
tablectl.main.t2.command.floor                  .     .      .      .
tablectl.main.t2.ask.platform                   .     .      .      .
tablectl.main.t1.event.manager                  .     +      .      .
tablectl.main.t1.event.player                   .     .      .      .
tablectl.main.t1.event.server                   .     .      +      .
tablectl.other.t1.event.server                  .     .      .      .
tablectl.main.t1.head.e1                        .     .      .      .
tablectl.main.t1.beat                           .     +      +      .
tablectl.other.t1.beat                          .     .      .      .
tablectl.other.t1.event.manager                 .     .      .      .
tablectl_floor.main.hall                        +     +      .      .
tablectl_floor.main.annex                       +     +      .      .
tablectl_floor.other.hall                       .     .      .      .
$KV.tablectl_status.main.t1                     .     +      .      .
$KV.tablectl_status.other.t1                    .     .      .      .
$KV.tablectl_claims.main.t1.call                .     +      .      .
$KV.tablectl_keys.main.roster                   .     +      .      .
$KV.tablectl_keys.other.roster                  .     .      .      .
_INBOX_table.main.t1.x                          +     .      .      .
_INBOX_table.main.t2.x                          .     .      .      .
_INBOX_floor.hall.x                             .     +      .      .
_INBOX_floor.annex.x                            .     .      .      .
_INBOX_platform.game.x                          .     .      +      .
_INBOX_platform.rival.x                         .     .      .      .
_INBOX_admin.x                                  .     .      .      .
$JS.siteb.API.STREAM.INFO.EVENTS                .     .      .      +
$JS.sitec.API.STREAM.INFO.EVENTS                .     .      .      .
$JS.API.STREAM.INFO.EVENTS                      .     .      .      .
"""


def matches(pattern: str, subject: str) -> bool:
    """Return True if a subject matches a NATS pattern: `*` is one token, `>` the rest."""
    parts, tokens = pattern.split("."), subject.split(".")
    if parts[-1] == ">":
        parts, tokens = parts[:-1], tokens[: len(parts) - 1] if len(tokens) >= len(parts) else []
    return len(parts) == len(tokens) and all(one in ("*", token) for one, token in zip(parts, tokens, strict=True))


def cells(table: str) -> list[tuple[str, str, bool]]:
    """Return key, subject and whether the right is given, for each cell of a table of rights."""
    head, *lines = table.strip("\n").splitlines()
    keys = head.split()
    return [
        (key, subject, cell == "+")
        for subject, *marks in (line.split() for line in lines)
        for key, cell in zip(keys, marks, strict=True)
    ]


@pytest.mark.parametrize(("way", "table"), [("publish", PUBLISH), ("subscribe", SUBSCRIBE)])
def test_each_key_reaches_its_own_subjects_and_no_others(way, table):
    for key, subject, allowed in cells(table):
        found = any(matches(pattern, subject) for pattern in KEYS[key][way]["allow"])
        assert (key, subject, found) == (key, subject, allowed)


def test_no_request_of_a_client_stores_a_roster():
    """No request subject that clients may use includes the subject of the roster."""
    assert [one for one in permissions.services("main") if matches(one, roster_of("main"))] == []


@pytest.mark.parametrize(("way", "table"), [("publish", PUBLISH), ("subscribe", SUBSCRIBE)])
def test_every_permission_on_the_bus_is_tried(way, table):
    tried = [(key, subject) for key, subject, allowed in cells(table) if allowed]
    untried = [
        (key, pattern)
        for key, may in KEYS.items()
        for pattern in may[way]["allow"]
        if "KV_" not in pattern and ".HEADS" not in pattern
        if not any(one == key and matches(pattern, subject) for one, subject in tried)
    ]
    assert untried == []
