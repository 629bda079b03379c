"""Titles of problems (RFC 9457) by their reasons, in English, for the programmers of API clients."""

from collections.abc import Mapping

PROBLEMS: Mapping[str, str] = {
    "bad_request": "the request is not as it has to be",
    "malformed": "what was sent is no command",
    "not_signed_in": "it is not known who asks",
    "forbidden": "this is not for who asks",
    "not_found": "there is no such thing",
    "wrong_method": "the address is asked by another method",
    "too_slow": "the request or its body did not come in time",
    "beyond_the_end": "the record has not come that far",
    "epoch_lost": "records of that epoch are lost: those after `last` do not count",
    "epoch_unknown": "the record does not know that epoch",
    "too_long": "the body is too long",
    "wrong_host": "the table is asked under a name that is not its own",
    "too_often": "it was asked too often",
    "too_many": "one caller has as many requests under way as may be",
    "no_room": "all places are taken",
    "refused": "it is not answered",
    "bug": "something is wrong with the program",
    "record_unreadable": "the record cannot be read",
    "users_unreadable": "nobody can sign in",
    "halted": "the record cannot be written",
    "round_on": "it is done between two rounds",
}
