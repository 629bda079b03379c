"""PINs: rules for a PIN, and its stored hash. No PIN is ever stored."""

from itertools import pairwise

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from .mistakes import BadUsers

FEWEST, MOST = 4, 12  # digits

# The minimum that OWASP recommends: a tenth of a second on a table PC, and no more memory than the program needs.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)
# Hash of a long random text, made once by HASHER: making it at every start would slow down each command.
NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$Qr0/2oQtWzUY4nHKpW9Lkg$TsRjeqmee/TVKSMw9P+tWaJAGGdv49JyqWqMITBpYec"


def hash_pin(pin: str) -> str:
    """Check a PIN and return its hash. Raises BadUsers."""
    check_pin(pin)
    return HASHER.hash(pin)


def pin_matches(pin: str, hashed: str | None) -> bool:
    """True if the PIN has this hash. Without a hash (None) the check takes as long and returns False."""
    try:
        return HASHER.verify(hashed or NOBODYS, pin) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


def check_pin(pin: str) -> None:
    """Check that a text is a PIN that is not guessed at once. Raises BadUsers if not."""
    if not (pin.isascii() and pin.isdecimal() and FEWEST <= len(pin) <= MOST):
        raise BadUsers(f"expected a PIN of {FEWEST} to {MOST} digits")
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise BadUsers("expected a PIN that is harder to guess: not one repeated digit, not a run")
