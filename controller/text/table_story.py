"""Story of a table between its rounds, line by line: shoes and decks, people, devices, the record."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import UNSET

from ..core import records as r
from ..core.records import Record
from . import story_texts
from . import table_story_texts as t
from .coded import render
from .naming import card_sign
from .older_reasons import older_reason
from .refusals import refusal_sentence
from .table_words import TableWords

NAMED = 10  # different cards that a line names; more are only counted


def tell(words: TableWords, record: Record) -> str | None:
    """Line about a record, in this language; None if the story leaves it out."""
    what = record.what
    plain = PLAIN.get(type(what))
    if plain is not None:
        return words.say(plain)
    if isinstance(what, r.ShoeEnded):
        return _describe_shoe_end(words, what, record.shoe)
    return _cards(words, what) or _people(words, what) or _record(words, what) or _devices(words, what)


def _cards(words: TableWords, what: r.What) -> str | None:
    say = words.say
    match what:
        case r.ReadOut(card=card):
            return say(t.READ_OUT).format(card=card_sign(card) if card else say(story_texts.SOME_CARD))
        case r.CutSkipped(because=because):
            return say(t.NOT_CUT).format(because=because)
        case r.ShoeReady(id=shoe, cards=cards, uncut=str(because)):
            return say(t.READY_UNCUT).format(shoe=shoe, cards=cards, because=because or say(t.NO_REASON))
        case r.ShoeReady(id=shoe, cards=cards):
            return say(t.READY).format(shoe=shoe, cards=cards)
        case r.DeckSuspect(deck=deck):
            return say(t.SUSPECT).format(deck=deck, why="; ".join(_suspect_reasons(words, what)))
    return None


def _describe_shoe_end(words: TableWords, what: r.ShoeEnded, shoe: str | None) -> str:
    """Write the line on an ended shoe: cards dealt, burnt, read out or counted as left."""
    say = words.say
    line = say(t.ENDED).format(
        shoe=shoe or "",
        cards=what.cards,
        dealt=what.dealt,
        burnt=what.burnt,
        rest=describe_rest(words.say, what),
    )
    return "; ".join([line, *_shoe_differences(words, what)])


def describe_rest(say: Callable[[str], str], what: r.ShoeEnded) -> str:
    """Words for the cards left in a shoe that was taken away, in this language."""
    if what.left is not None:
        return say(t.REST_LEFT).format(count=what.left)
    if what.is_counted:
        return say(t.REST_READ).format(count=what.read_out)
    return say(t.REST_UNCOUNTED).format(count=what.unaccounted)


def _shoe_differences(words: TableWords, what: r.ShoeEnded) -> Iterator[str]:
    if what.missing:
        yield words.say(t.MISSING).format(faces=_face_counts(words, what.missing))
    if what.surplus:
        yield words.say(t.SURPLUS).format(faces=_face_counts(words, what.surplus))
    if what.unaccounted and what.is_counted:
        yield words.say(t.UNACCOUNTED).format(count=what.unaccounted)


def _face_counts(words: TableWords, faces: Mapping[str, int]) -> str:
    if len(faces) > NAMED:
        return words.say(t.MANY_FACES).format(count=sum(faces.values()), faces=len(faces))
    return ", ".join(f"{many} × {card_sign(face)}" if many > 1 else card_sign(face) for face, many in faces.items())


def _suspect_reasons(words: TableWords, what: r.DeckSuspect) -> Iterator[str]:
    if what.double:
        yield words.say(t.MORE_CAME).format(cards=" ".join(map(card_sign, what.double)))
    if what.missing:
        yield words.say(t.NOT_SEEN).format(cards=" ".join(map(card_sign, what.missing)), rounds=what.rounds)


def _people(words: TableWords, what: r.What) -> str | None:
    say = words.say
    match what:
        case r.DealerChanged(to=name):
            return say(t.SIGNED_ON).format(name=name) if name else say(t.SIGNED_OFF)
        case r.SignedIn(by=name, source=source):
            return say(t.SIGNED_IN).format(name=name, source=source)
        case r.SignInsRefused(wrong=wrong, delayed=delayed, sources=sources):
            return say(t.WRONG_PINS).format(wrong=wrong, delayed=delayed, sources=", ".join(sources))
        case r.HandedOver(by=name, taker=taker, note=note):
            return _add_note(words, say(t.HANDED_OVER).format(name=name, taker=taker), note)
        case r.StartRefused(reason=reason):
            return say(t.START_REFUSED).format(reason=say(refusal_sentence(reason)))
        case r.StartsRefused(reason=reason, times=times):
            return say(t.STARTS_REFUSED).format(reason=say(refusal_sentence(reason)), times=times)
    return None


def _record(words: TableWords, what: r.What) -> str | None:
    say = words.say
    match what:
        case r.LossAccepted(by=name, because=because):
            return _add_note(words, say(t.LOSS_ACCEPTED).format(name=name), because)
        case r.RecordDamaged(first=first):
            return say(t.DAMAGED).format(first=first, reason=reason_text(words, what))
        case r.AnchorBegun(by=name, because=because):
            return _add_note(words, say(t.ANCHOR_BEGUN).format(name=name), because)
        case r.AnchorLost(required=required):
            return say(t.ANCHOR_REQUIRED if required else t.ANCHOR_LOST).format(reason=reason_text(words, what))
        case r.WitnessUnheard(first=first):
            return say(t.WITNESS_UNHEARD).format(first=first, reason=reason_text(words, what))
    return None


def reason_text(words: TableWords, what: r.RecordDamaged | r.AnchorLost | r.WitnessUnheard) -> str:
    """Reason in this language; a record from before messages had codes has an English sentence only."""
    message = older_reason(what.reason) if what.message is UNSET else what.message
    return render(message, words.say, what.reason)


def _add_note(words: TableWords, line: str, note: str) -> str:
    return words.say(t.NOTED).format(said=line, note=note) if note else line


def _devices(words: TableWords, what: r.What) -> str | None:
    say = words.say
    match what:
        case r.DeviceLost(device=device, reason=reason):
            return _add_note(words, say(story_texts.LOST).format(device=words.device(device)), reason)
        case r.DeviceFound(device=device):
            return say(story_texts.FOUND).format(device=words.device(device))
        case r.DeviceCutOff(device=device, heard=count, seconds=seconds):
            text = t.CUT_OFF if seconds else t.CUT_OFF_CARDS
            return say(text).format(device=words.device(device), heard=f"{count:,}", seconds=seconds)
        case r.DeviceTakenBack(device=device, by=name):
            return say(t.TAKEN_BACK).format(name=name, device=words.device(device))
        case r.TelegramsMissing(device=device, got=got, expected=expected):
            return say(t.TELEGRAMS).format(device=words.device(device), got=got, expected=expected)
        case r.ClockSet(from_=was, to=now):
            return say(t.CLOCK_SET).format(was=_moment(was), now=_moment(now))
    return None


def _moment(at: str) -> str:
    return f"{at[:10]} {at[11:19]} UTC"


PLAIN: Mapping[type[r.What], str] = {
    r.RecordSound: t.SOUND,
    r.AnchorBack: t.ANCHOR_BACK,
    r.WitnessHeard: t.WITNESS_HEARD,
    r.TableOpened: t.OPENED,
    r.TableClosed: t.CLOSED,
    r.DealerLeaving: t.LEAVING,
    r.ShoeChange: t.SHOE_AWAY,
    r.ShoeCut: t.CUT,
    r.CutCardDrawn: t.CUT_CARD,
    r.Shuffled: t.SHUFFLED,
}
