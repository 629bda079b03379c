"""Preview of a resettlement in words: the outcome before and after, and each bet's difference."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ...core.past_round import decode_past
from ...reports.preview_resettling import ResettlePreview
from . import manager_texts as m
from . import resettling_texts as t
from .manager_words import ManagerWords
from .revisions import Differences, describe_outcome, differences

MOST = 2000  # bets in an answer, the largest differences first; such an answer has 900 kB, and the bus can carry it


class ResettleForeseen(Struct, frozen=True):
    """Effect of settling a round anew. `says`: why it would be refused, in words.

    `was`, `now`: outcome before and after; `notes`: cards that are out of play then, and whether the effect depends on
    a face-down card. These are empty if it would be refused.
    """

    verdict: Literal["leads", "refused"]
    says: str | None
    preview: ResettlePreview
    was: str = ""
    now: str = ""
    notes: tuple[str, ...] = ()
    differences: Differences | None = None


def resettlement_in_words(end: ResettlePreview, past: str, words: ManagerWords) -> ResettleForeseen:
    """Compose the preview in the viewer's language. `past`: the round, as its event holds it."""
    if end.reason is not None:
        return ResettleForeseen("refused", _refusal(end, end.reason, words), end)
    past_round, preview = decode_past(past), end
    if len(end.movements) > MOST:
        largest = sorted(end.movements, key=lambda one: -abs(one.difference))[:MOST]
        preview = replace(end, movements=tuple(largest), more=len(end.movements) - MOST)
    game = "" if past_round is None else past_round.round.game
    return ResettleForeseen(
        "leads",
        None,
        preview,
        was=describe_outcome(end.was, game, words),
        now=words.say(m.DEPENDS) if end.unknown else describe_outcome(end.now, game, words),
        notes=tuple(_notes(end, words)),
        differences=differences(end.movements, game, end.currency, words),
    )


def _notes(end: ResettlePreview, words: ManagerWords) -> Iterator[str]:
    if end.loose:
        yield words.say(t.LOOSE).format(draws=", ".join(f"#{draw}" for draw in end.loose))
    if end.open and not end.unknown:
        yield words.say(m.DEPENDS)


def _refusal(end: ResettlePreview, reason: str, words: ManagerWords) -> str:
    refusal = words.refusal("resettle", reason)
    return refusal if end.step is None else words.say(t.LACKS).format(reason=refusal, due=words.due_step(end.step))
