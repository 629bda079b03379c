"""Messages about a studio's bus and the messages on it, by their codes; in English, for the bus's engineers."""

from collections.abc import Mapping

BUS: Mapping[str, str] = {
    "bus_ca": "bus.ca: expected a file with certificates, {path}: {reason}",
    "bus_token": "expected a name of letters, digits, - and _ alone, for the bus, got {said}",
    "bus_public_key": (
        "{path}: expected the public key of a user, U and 55 letters and digits: copy it again, or remove the file"
    ),
    "bus_keys_equal": "{names}: one key under two names: remove one of these files",
    "messages_unsigned": "{said} not signed by their author: `tablectl bus mend`",
    "stream_keeps_all": (
        "stream {name}: no message can be removed: {reason}; `nats stream rm {name}`, then `tablectl bus init`"
    ),
    "not_signed": "expected the signature of this table, its epoch, nonce and body; sign it anew",
    "sent_too_late": "expected a command of this moment, this one is of {seconds:.0f} s ago: see the clocks",
    "taken_already": "this command was taken already",
    "commands_too_many": "too many commands came within a minute: send fewer",
    "no_seed": "{path}: expected the seed of a user's nkey in it, which begins with SU",
    "no_credentials": "{path}: expected the seed of a user's nkey, which begins with SU, or .creds",
    "answer_too_long": "expected an answer of at most {bytes} bytes: ask for less",
    "path_expected": "expected a path such as /api/v1/state",
    "answer_to_nobody": "the request names no subject for the answer",
    "stopped_first": "the table was stopped before it was all sent",
    "server_version": "the server is {said}: expected 2.14.3 or later, or 2.12.12 of its line; others have known holes",
    "stream_absent": "there is no stream {name}: `tablectl bus init`, with the admin's key",
    "stream_unseen": "stream {name} cannot be looked at: {reason}",
    "stream_subjects": "stream {name}: expected subjects {right}, it has {said}",
    "stream_emptied": "stream {name}: expected {key}, it can be emptied: make it anew",
    "stream_rollup": (
        "stream {name}: expected no allow_rollup_hdrs, whoever writes there can empty it: `tablectl bus init`"
    ),
    "stream_window": "stream {name}: expected a duplicate window of {seconds:g} s, it is {limit:g}",
    "stream_unbounded": "stream {name}: expected bounds of age and bytes: `tablectl bus init`",
    "stream_setting": "stream {name}: expected {right}, it is {said}: `tablectl bus init`",
    "stream_share": "stream {name}: one table can take more than half of it: `tablectl bus init`",
    "stream_full": "stream {name}: {bytes} of {limit} bytes are used: `tablectl bus mend`",
    "stream_alone": "stream {name}: expected 3 replicas in a cluster, it is on one server alone: `tablectl bus init`",
    "head_odd": "{name}: expected the head of a record, the bus has something else there",
    "newest_or_accept": (
        "put the newest copy in its place, or go on with the records that are left: `tablectl journal accept-loss "
        "{path} --witness {name} --by NAME --because TEXT`"
    ),
    "back_or_new_key": "put the record back, or, to begin anew, give the table a new key: `tablectl bus init`",
    "another_pc": "another PC has the table now: this one stays off, or takes it over from there (`tablectl takeover`)",
    "contradicts": "{path}: {what}; {then}",
    "sender_key_unknown": "expected the key of a {kind} that this table obeys ([bus] {kind}s), got {key}",
    "stream_server": "stream {name}: server {host} is {said}",
}
