"""Messages about a table's PC and its start, by their codes; in English, for the engineers who keep it."""

from collections.abc import Mapping

STATION: Mapping[str, str] = {
    "node_unread": "{by} may not read {path}: sudo usermod -aG {name} {by}, then sign in again",
    "node_unopened": "{by} may not open {path}: sudo usermod -aG {name} {by}, then sign in again",
    "node_without_group": (
        "{by} may not open {path}: no rule gives it to a group: install the service, then plug it in again"
    ),
    "keyboard_unread": (
        "{by} may not read {path}: where it is no person's keyboard, write {said} into "
        "/etc/udev/rules.d/71-table.rules, then sudo udevadm control --reload, and plug it in again"
    ),
    "device_twin": (
        "a device with the same USB ids and serial number ({number}) is at {place}: only the socket tells them apart"
    ),
    "device_unserved": (
        "{name} that no driver of tablectl serves: use another {kind}, or install a package that adds its driver"
    ),
    "none_plugged_in": "no {name} is plugged in: plug one in, or take [{kind}] model out",
    "device_forbidden": "no permission for the {kind} at {place}: see `tablectl devices`",
    "own_device_unread": "the record that says which {name} is the table's own cannot be read: {reason}",
    "disk_fit": "{path} ({kind}) keeps a record within {milliseconds:.1f} ms, {free:,.0f} GB free",
    "clock_unknown": "not known here",
    "clock_kept": "kept by NTP",
    "unit_halted": "HALTED, the record cannot be written: {reason}; {said}",
    "no_such_device": "no such {name} is plugged in",
    "delivery_unstarted": "no process can be started for it: {reason}",
    "delivery_unanswered": "no answer within {seconds:g} s",
    "delivery_ended": "the delivery ended with code {number}",
    "target_unknown": "the address is no URL that apprise understands here",
    "target_silent": "the service gives no reason",
    "no_serial": "no serial number",
    "standby_targets": (
        "{path}: expected the last record that each alert target has got: copy the file again, or remove it"
    ),
    "anchor_expected": "{path}: expected the anchor of {name} ([journal] anchor), {where}",
    "folder_unmounted": "its folder is not there: is the disk mounted?",
    "begin_anchor": (
        "{reason}; if the table had no anchor before, or the anchor is lost for good, begin a new one: `tablectl "
        "journal anchor {path} {name} --by NAME --because TEXT`"
    ),
    "anchor_unbegun": "{path}: the anchor cannot be begun: {reason}",
    "anchor_shared": "give each table an anchor of its own in [journal] anchor",
    "another_pc_or_newest": (
        "where another PC has the table now, this one stays off, or takes it over from there (`tablectl takeover`); "
        "else put the newest copy in its place"
    ),
    "back_or_anchor_away": "put the record back, or, to begin anew, move the anchor away",
    "newest_or_accept_anchor": (
        "put the newest copy in its place, or go on with the records that are left: `tablectl journal accept-loss "
        "{path} --anchor {name} --by NAME --because TEXT`"
    ),
    "old_pc_unsure": (
        "no [journal] anchor tells whether the old PC still deals: pull its power or its shoe, then say so: "
        "--old-pc-is-off"
    ),
    "old_pc_runs": (
        "{path}: the table still runs on the other PC, which has just answered: stop it there, then run this again"
    ),
    "takeover_anchor_absent": (
        "{path}: expected the anchor of the table, {where}; mount its disk, or, where it is gone for good, add "
        "--old-pc-is-off and --accept-loss"
    ),
    "this_is_a_copy": "this is a copy",
    "takeover_anchor_wrong": "{what}, or, where it is gone for good, add --old-pc-is-off and --accept-loss",
    "anchor_unwritten": (
        "{path}: {reason}: the anchor has to say that the table goes on here; make that possible, then again"
    ),
    "take_from_there": "take it over from there",
    "anchor_and_folder_shared": "give each table an anchor and a folder of its own",
    "ship_once_more": (
        "where the old PC's disk can be read, ship from it once more, else go on without: --accept-loss --because TEXT"
    ),
    "taken_over": "taken over on another PC",
    "old_pc_off": "the old PC is off",
    "bus_unasked": "{reason}; the bus could not be asked",
    "anchor_without_id": "it had no id",
    "record_begins": "the record begins",
    "unpaid": "{path}: {count} bets are still to be paid; {reason}; start that version once",
    "other_table": "{path}: {reason}; give this table another file in [journal] path",
    "record_here": "{path}: there is a record here already: move its folder's files away first",
    "unknown_game": "{path}: expected the record of a table with an installed game: install the package of its game",
    "folder_in_memory": "{path} is in memory ({kind}), gone with the next power cut: move [journal] path to a disk",
    "folder_afar": "{path} is on another machine ({kind}): move [journal] path to a disk of this PC",
    "disk_full": "{free:,.0f} MB are free for {path}, expected {needed:,}: put old archives away elsewhere",
    "disk_slow": (
        "a card would wait {milliseconds:.0f} ms for its record in {path}, expected at most {limit:.0f}: use an "
        "SSD, or see what else writes there"
    ),
    "no_ntp": "no NTP server keeps the PC's clock: timedatectl set-ntp true, and see whether it is reached",
    "port_unsure": (
        "{name} may lead to another adapter after a restart ({reason}): write the port or `at` that `tablectl "
        "devices` prints for it"
    ),
}
