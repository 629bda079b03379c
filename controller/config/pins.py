"""PINs: what is one, and what is kept of it. No PIN is ever written down."""

from itertools import pairwise

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from .mistakes import BadUsers

FEWEST, MOST = 4, 12  # digits

# OWASP's smallest: a tenth of a second of a table PC's, and no more memory than the program has anyway.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)
# Made by that, once, of something long and random: to make one at every start would cost each command its time.
NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$Qr0/2oQtWzUY4nHKpW9Lkg$TsRjeqmee/TVKSMw9P+tWaJAGGdv49JyqWqMITBpYec"


def hashed(pin: str) -> str:
    """What is kept of it. Raises BadUsers."""
    check_pin(pin)
    return HASHER.hash(pin)


def fits(pin: str, hashed: str | None) -> bool:
    """Whether it is this person's PIN; for a person there is not (null) it takes as long to say no."""
    try:
        return HASHER.verify(hashed or NOBODYS, pin) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


def check_pin(pin: str) -> None:
    """Raises BadUsers for what is no PIN, or none worth its name."""
    if not (pin.isascii() and pin.isdecimal() and FEWEST <= len(pin) <= MOST):
        raise BadUsers(f"expected a PIN of {FEWEST} to {MOST} digits")
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise BadUsers("expected a PIN that nobody guesses at once: neither one digit again and again nor a run")
