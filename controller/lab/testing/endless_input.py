"""Check of codecs against endless input: a codec may store at most one message."""

import gc
import random
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType, FunctionType, ModuleType

from .broken import Broken
from .watch import Fresh, Tells

LENGTH = 16_384  # bytes of each endless input
CHUNK = 256
MOST_HELD = LENGTH // 8  # bytes by which a codec's memory may grow in the second half of the input

STANDARD = frozenset({"array", "builtins", "collections", "io", "_io", "queue"})  # modules with objects that hold bytes
NO_DATA = (type, ModuleType, CodeType, FrameType)


def check_endless(makes: Fresh, tells: Tells, messages: Sequence[bytes]) -> None:
    """Check that a codec's memory does not grow with its input. Raises Broken."""
    for what, data in endless_inputs(messages):
        grown = _memory_growth(makes, tells, data)
        if grown > MOST_HELD:
            raise Broken(
                f"expected the codec to store no more than a message, of {LENGTH // 2} more bytes ({what}) it "
                f"stores {grown}",
                [f"{data[:24].hex(' ').upper()} and so on"],
                "drop a message that becomes longer than any other, and store nothing of messages that are complete",
            )


def endless_inputs(messages: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each endless input, made from the capture `messages` or at random."""
    line = max(messages, key=len)
    dice = random.Random(1)
    yield "the capture again and again", b"".join(messages)
    yield (
        "a message without its end",
        line[: max(1, len(line) // 2)] + line[len(line) // 2 : len(line) // 2 + 1] * LENGTH,
    )
    yield "the beginning of a message again and again", line[: max(1, len(line) // 2)]
    yield "zeros", bytes(1)
    yield "letters without a line's end", b"A"
    yield "noise without a line's end", bytes(byte for byte in dice.randbytes(LENGTH) if byte not in b"\r\n\x03")


def _memory_growth(makes: Fresh, tells: Tells, data: bytes) -> int:
    """Bytes by which a codec's memory grows while it reads the second half of LENGTH bytes of `data`."""
    stream = (data * (LENGTH // len(data) + 1))[:LENGTH]
    chunks = [stream[at : at + CHUNK] for at in range(0, LENGTH, CHUNK)]
    watched = makes()
    for chunk in chunks[: len(chunks) // 2]:
        tells(watched, [chunk])
    before = size_of_state(watched.codec)
    for chunk in chunks[len(chunks) // 2 :]:
        tells(watched, [chunk])
    return size_of_state(watched.codec) - before


def size_of_state(codec: object) -> int:
    """Bytes of all objects that a codec refers to, and of those that its classes and their modules share."""
    kinds = type(codec).__mro__[:-1]
    near = {kind.__module__.partition(".")[0] for kind in kinds} | STANDARD  # others, as a fixture, would lead too far
    shared = [one for kind in kinds for one in vars(sys.modules[kind.__module__]).values()]
    open_: list[object] = [codec, *(value for kind in kinds for value in vars(kind).values())]
    open_ += [one for one in shared if type(one).__module__.partition(".")[0] in near]
    ids, total = set[int](), 0
    while open_:
        one = open_.pop()
        if id(one) in ids or isinstance(one, NO_DATA):
            continue
        ids.add(id(one))
        total += sys.getsizeof(one)
        open_ += (one.__closure__ or ()) if isinstance(one, FunctionType) else gc.get_referents(one)
    return total
