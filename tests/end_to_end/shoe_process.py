"""An emulated Angel Eye on a pty, as a process: `python shoe_process.py PORT USER CARD...`.

USER owns the port. Each line on standard input draws the next card; the card is written to standard output.
"""

import os
import pwd
import sys
from pathlib import Path

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort


def main(port: str, user: str, *cards: str) -> None:
    """Draw a card for each line, until standard input ends."""
    shoe = EmulatedAngelEye(PtyPort(Path(port)), cards=cards)
    shoe.plug()
    os.chown(port, pwd.getpwnam(user).pw_uid, -1)
    sys.stdout.write("plugged\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        sys.stdout.write(f"{shoe.draw()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
