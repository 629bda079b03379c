"""Messages about a table's PC and its start, by their codes; in English, for the engineers who keep it."""

from collections.abc import Mapping

STATION: Mapping[str, str] = {
    "no_serial": "no serial number",
    "standby_targets": "{path}: expected how far each alert target has got: copy it again, or remove it",
    "other_table": "{path}: {reason}; give this table another file in [journal] path",
    "record_here": "{path}: there is a record here already: move its folder's files away first",
    "unknown_game": "{path}: expected the record of a table whose game is known here",
    "folder_in_memory": "{path} is in memory ({kind}), gone with the next power cut: move [journal] path to a disk",
    "folder_afar": "{path} is on another machine ({kind}): move [journal] path to a disk of this PC",
    "disk_full": "{free:,.0f} MB are free for {path}, expected {needed:,}: put old archives away elsewhere",
    "disk_slow": (
        "a card would wait {milliseconds:.0f} ms for its record in {path}, expected at most {limit:.0f}: use an "
        "SSD, or see what else writes there"
    ),
    "no_ntp": "no NTP server keeps the PC's clock: timedatectl set-ntp true, and see whether it is reached",
    "port_unsure": (
        "{name} could be another adapter's name tomorrow ({reason}): write the port or `at` that `tablectl "
        "devices` prints for it"
    ),
}
