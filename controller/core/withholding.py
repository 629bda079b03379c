"""Withholding of cards that lie face down, from everybody but the auditor.

Invariant: records are withheld here alone; a draw and a fault of the state say themselves what is visible of them
(`visible_card`, `visible_cause`). All three state that they could give a card away (`hidden`, `face_up`), by the place
that the card was due to when it came.

None of this depends on the card's value: a card that was due face up, or that came when none was due, is always shown.
So a surplus card is shown to the shift manager, the dealer and the game server (`drawn`), though it may be carried to
the next round: no record states that before the ruling, and the manager who rules on the card has to know it. Players
are shown its number alone, and no odds include it. A table whose game server must not know it before it is dealt leaves
`carry` off, as it is by default.

Heads are published, and a hash over one unknown card has 52 candidates. So a record that withholds something has a
salt, which is hashed with it and shown to the auditor alone. It is kept in the input, so that replay has the same one.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from . import records as r
from .causes import HiddenCard

# shown in full or not at all; they or their inputs may name a hidden card: a checkpoint has every card of the shoe, a
# shift manager may have typed one
_MAY_NAME = (r.Checkpoint, r.Ruled, r.Extended, r.RulingRefused, r.Resettled, r.ResettleRefused)


def withholds(what: r.What) -> bool:
    """True if a record contains a card that must be withheld."""
    return not what.face_up if isinstance(what, r.Dealt) else getattr(what, "hidden", False)


def withhold(what: r.What) -> r.What:
    """Return the content of a record with null in place of a withheld card."""
    if not withholds(what):
        return what
    if isinstance(what, r.Faulted):
        return replace(what, came=HiddenCard())
    if isinstance(what, r.Ruled):
        return replace(what, before=_cardless(what.before), after=_cardless(what.after))
    if isinstance(what, r.Resettled):
        amendments = (replace(one, card=None) if what.hides(one) else one for one in what.amendments)
        return replace(what, amendments=tuple(amendments))
    return replace(what, card=None)


def with_salt(records: Sequence[r.Record], fresh: Callable[[], str | None]) -> list[r.Record]:
    """Copies of these records with a salt, so that no hash gives a hidden card away.

    The input that led to such a record gets the same salt. `fresh`: makes a salt for an input and all its records; None
    for older records, which have none.
    """
    done, first, salt = list(records), 0, None
    for place, record in enumerate(records):
        if record.input is not None:
            first, salt = place, None
        if not (withholds(record.what) or isinstance(record.what, _MAY_NAME)):
            continue
        if salt is None and (salt := fresh()) and (input_ := done[first].input) is not None:
            done[first] = replace(done[first], input=replace(input_, salt=salt))
        done[place] = replace(done[place], salt=salt)
    return done


def _cardless(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: None if name == "card" else value for name, value in fields.items()}
