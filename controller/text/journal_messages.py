"""Messages about the files of a record, by their codes; in English, for the engineers who keep them."""

from collections.abc import Mapping

JOURNAL: Mapping[str, str] = {
    "no_round_ended": (
        "{path}: no round has ended since the file began, and a new file must begin with the end of a round"
    ),
    "record_archived": "{path}: record {seq} is in an archive; put the newest copy in its place",
    "name_taken": "{path}: another file has this name: move it away first",
    "file_exists": "{path}: expected the name of a new file, something is there already",
    "record_gone": (
        "{path}: expected the record that was begun here, there is none; {then}, or, to begin anew, move away "
        "what tells of it: {traces}"
    ),
    "takeover_begun": "{path}: a takeover was interrupted here: run the same `tablectl takeover` again",
    "put_back_from": "put it back ({name} has it)",
    "put_back": "put it back",
    "not_a_journal": "{path}: not a journal of tablectl",
    "empty_file": "{path}: an empty file, not a journal of tablectl",
    "later_format": "{path}: a journal of format {format}, of a later version; this one knows format {known}",
    "first_format": (
        "{path}: a journal of format 1, which `tablectl journal export` of the version before reads; to begin "
        "anew, move it away and set [journal] first_round = {number}"
    ),
    "journal_cut_off": (
        "{path}: its creation was interrupted before the first record; start the table to create it again"
    ),
    "no_permission": "{path}: permission denied: run this as the file's owner, or as a member of its group",
    "log_unreadable": (
        "{path}: its last records are in {path}-wal, which cannot be read where nothing can be written: copy both "
        "files to another folder"
    ),
    "is_a_folder": "{path}: expected a file, this is a folder",
    "journal_in_use": (
        "{path}: another process writes this journal, or one beside it; the record of a table has a folder of its own"
    ),
    "not_a_part": "{path}: expected a part of a record, as `tablectl journal ship` writes it",
    "part_damaged": "{path}: this part is damaged, expected one record per line: copy it again",
    "part_contradicts": "{path}: record {seq}: {reason}; copy this part again",
    "no_parts": "{path}: expected the parts of a record, as `tablectl journal ship` writes them, got none",
    "parts_missing": "{path}: {reason} between {name} and {following}: copy it again",
    "records_absent": "records {first} to {last} are missing",
    "parts_apart": "{path}: it does not continue {name}: they belong to different records; copy the folder again",
    "part_empty": "{path}: expected a part of a record, its first line is missing or cut off",
    "wrong_mode": (
        "{path}: expected a file that only its owner and group may read, its mode is {mode} and it is another "
        "user's: chmod {right} it, or chown it to the user of the table"
    ),
    "outbox_broken": "{path}: {error}; without this file every target starts at the record's end",
    "archive_absent": "{path}: records {first} to {last} are in an archive that is not beside it",
    "no_such_file": "{path}: no such file",
    "expected_head": "expected SEQ:HASH with 64 hex digits (only zeros for SEQ 0), got {said}",
    "two_currencies": "expected records of stakes in {name} alone, these are in {said}: count them apart",
    "record_does_not_follow": "does not follow from those before it ({name}: {error})",
    "record_not_decided": "{kind} is not what follows from the input before it",
    "replay_unknown_game": "{name} is a game that is not known here: its rounds are not decided again",
    "replay_other_rulings": "rulings were carried out by another program: rounds with one are not decided again",
    "replay_other_rules": (
        "recorded by tablectl {theirs} with {name} {said}, here are {ours} and {our}: outcomes and amounts are compared"
    ),
    "replay_other_round": "the round that is settled anew is not the one that was recorded",
    "replay_stopped": "round {number} was stopped as its sheet had changed: it is not decided again",
    "journal_open_elsewhere": "somebody has the journal open",
    "record_skipped": "missing: record {seq} comes after record {after}",
    "record_no_text": "changed: it is no text any more",
    "record_hash_wrong": "changed: the hash does not fit the record and those before it",
    "no_record": "not a record: {error}",
    "no_input": "not an input: {error}",
    "no_event_of_table": "not an event: {error}",
    "another_table": "expected the record of table {name}, this is that of {table}",
    "another_currency": "expected a record of stakes in {name}, in this one they are in {said}",
    "another_family": "expected a record of {name}, this is one of {said}",
    "record_misplaced": "misplaced: the record says it is number {seq}",
    "record_not_read": "record {seq} cannot be read",
    "record_damaged": "{path}: record {seq}: {reason}",
    "record_replaced": "replaced: another record was announced under this number",
    "announced_absent": "missing: records {first} to {last} were announced and are not there",
    "announced_archived": "missing: it is in an archive; what is here begins with record {first}",
    "none_after": "missing: no record comes after record {after}",
    "file_elsewhere": "missing: {path} continues after record {name}, not after the last valid one",
    "file_unreadable": "unreadable: {error}",
    "record_unsound": "{path}: {reason}; `tablectl journal verify` says which records are sound",
    "search_stopped": "{path}: a record cannot be read; `tablectl journal verify` says which records are sound",
    "record_after": "a record after {after} does not follow from those before it ({name})",
    "folder_in_use": "{path}: another program ships into this folder",
    "record_absent": "{path}: no record {seq} there; `tablectl journal verify` says more",
    "ship_stopped": "{path}: record {seq}: {reason}; nothing more is shipped",
    "ship_refused": "{path}: {what}; {then}",
    "not_shipped": "it differs from what was shipped",
    "ship_again": "put the newest copy in its place, or, after `tablectl journal accept-loss`, ship again",
}
