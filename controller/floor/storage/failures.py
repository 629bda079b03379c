"""Error of the floor's own files and connection."""

from ...text.coded import CodedError


class FloorFailed(CodedError):
    """Floor cannot use one of its files or its connection."""
