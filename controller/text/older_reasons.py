"""Reasons in records of programs from before messages had codes: a closed list, in the words of those programs.

Such a record has an English sentence only. Its story is told in other languages by this list; new sentences never come
here, since new records have a code.
"""

from collections.abc import Mapping

from ..core.coded_message import CodedMessage, coded

OF_ANCHORS: Mapping[str, str] = {  # behind the path of the anchor
    "the anchor is not there: mount its disk": "anchor_missing",
    "this is not the anchor that was begun for this record: bring that one back": "anchor_replaced",
    "this is a copy of the anchor: bring back the disk that it was written on": "anchor_copied",
    "the anchor is on the record's own disk now: mount the other disk": "anchor_moved",
    "somebody has put an older anchor back: find out who, then start the table anew": "anchor_older",
    "its disk does not answer": "disk_silent",
}


def older_reason(reason: str) -> CodedMessage | str:
    """Message for the reason in a record without a code; unknown text is returned unchanged."""
    if reason == "the config names no anchor any more":
        return coded("anchor_unnamed")
    path, _, text = reason.partition(": ")
    return coded(OF_ANCHORS[text], path=path) if text in OF_ANCHORS else reason
