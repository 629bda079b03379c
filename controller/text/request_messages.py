"""Messages about a request to a table or a floor, and their sockets, by codes; in English, for programmers."""

from collections.abc import Mapping

REQUESTS: Mapping[str, str] = {
    "expected_role": "role: expected one of {names}, got {said}",
    "expected_language": "lang: expected one of {names}, got {said}",
    "expected_format": "format: expected one of {names}, got {said}",
    "expected_grouping": "by: expected one of {names}, got {said}",
    "expected_number": "{name}: expected a number from 1 on, got {said}",
    "expected_record": "after: expected a record's number, got {said}",
    "expected_ruling": "expected one command `rule` or `resettle`",
    "expected_all": "expected `true`, or a list of commands - at `$.all`",
    "nested_deep": "nested too deep",
    "no_screen": "role: expected one of {names}, there is no screen for the {said}",
    "epoch_unknown": "epoch: this record is of {epoch}, got {said}",
    "epoch_lost": "after: of that epoch records up to {last} count, the later ones are lost, got {after}",
    "beyond_the_end": "after: the record ends with {last}, got {after}",
    "nothing_there": "there is no such file",
    "host_of_others": "expected one of this table's own names: those under [web] hosts, or its address",
    "server_line_lost": "no stream of its own for {seconds} s",
    "name_a_socket": 'name another one under [api], such as socket = "{path}"',
    "name_the_table": 'another table has its name: give this one its own under [table], such as name = "table2"',
    "socket_path_long": "{path}: a socket's path may have {limit} bytes, this has {bytes}; {then}",
    "socket_in_use": "{path}: a program listens there already; is this table running? Else {then}",
    "socket_unusable": "{path}: {reason}; {then}",
    "no_socket": "{path}: expected a socket or nothing, there is something else; {then}",
    "group_unknown": "api.group: expected a group of this computer, got {name!r}",
    "group_of_others": "api.group: expected a group that this program's user is a member of, got {name!r}",
    "address_unusable": ('{host}: {reason}; name another one under [web], such as listen = "127.0.0.1:8033", or "off"'),
    "users_shut_in": "web.users: expected a file in a folder that can be entered, got {path}: nobody could sign in",
    "certificate_unusable": (
        "web.certificate: expected a certificate and its key in PEM, got {path} and {key}: {reason}"
    ),
    "no_pair": "they are not that, or do not belong together",
    "key_locked": "the key has a password, which nobody can type to a service: keep it without one",
    "registry_needed": "this table has no registry of persons; see `tablectl people`",
    "no_users_file": "{path}: no users file: {error}",
    "user_twin": "expected a name of their own, there is {name} already",
    "token_there": "{name} has a token already: remove it first, or give this one another name",
    "viewer_key_there": "there is a key already, and it is not shown again: --set puts another in its place",
    "viewer_key_short": "expected a key of at least {limit} ASCII characters, got {count}",
}
