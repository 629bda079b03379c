"""Receiver of an emulated Angel Eye: cuts out, checks and answers the host's commands."""

from collections.abc import Callable

from drivers.emulators.port import EmulatedPort
from drivers.shoes.angel_eye_commands import Ack, Command, Nak, Refused
from drivers.shoes.angel_eye_frames import STX, FrameStream
from drivers.shoes.stream import Piece

NO_END = 0x03  # refusal
CarryOut = Callable[[Command], Callable[[], None]]  # returns what to call after the answer; raises Refused


class CommandEar:
    """Receiver of the host's commands in an emulated Angel Eye.

    `with_stx`: the checksum of a command must cover its first byte, 02; `carry_out`: carries out a command and returns
    the function to call after the answer.
    """

    def __init__(self, port: EmulatedPort, carry_out: CarryOut, *, with_stx: bool) -> None:
        self._port, self._carry_out, self._with_stx = port, carry_out, with_stx
        self._stream = FrameStream()

    def hear(self, data: bytes) -> None:
        """Obey the commands that these bytes complete."""
        for piece in self._stream.feed(data):
            self._obey(piece)

    def _obey(self, piece: Piece) -> None:
        if piece.raw[0] != STX:
            return
        if piece.fault:
            self._port.write(Nak(NO_END).encode())
            return
        try:
            then = self._carry_out(Command.decode(piece.raw, with_stx=self._with_stx))
        except Refused as refused:
            self._port.write(Nak(refused.code).encode())
            return
        self._port.write(Ack().encode())
        then()
