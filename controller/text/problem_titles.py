"""Titles of problems (RFC 9457) by their reasons, in English, for the programmers of API clients."""

from collections.abc import Mapping

PROBLEMS: Mapping[str, str] = {
    "bad_request": "the request is not valid",
    "malformed": "the body is not a valid command",
    "not_signed_in": "no valid sign-in or token",
    "forbidden": "the caller may not send this request",
    "not_found": "there is nothing at this address",
    "wrong_method": "the address does not accept this method",
    "too_slow": "the request or its body was not received in time",
    "beyond_the_end": "the record ends before this number",
    "epoch_lost": "records of this epoch are lost: those after `last` are not valid",
    "epoch_unknown": "the epoch is unknown in this record",
    "too_long": "the body is too long",
    "wrong_host": "the Host header does not name this server",
    "too_often": "too many requests in a short time",
    "too_many": "too many requests of one caller at the same time",
    "no_room": "too many callers at the same time",
    "refused": "the request was refused",
    "bug": "internal error of the program",
    "record_unreadable": "the record cannot be read",
    "users_unreadable": "the list of persons cannot be read, so nobody can sign in",
    "halted": "the record cannot be written",
    "round_on": "possible only between two rounds",
}
