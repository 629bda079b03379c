"""Records in plain words, for terminals and logs. Made from a view, so withheld values stay withheld."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.notation import excess_text
from ..core.records.shoe import is_rest_known
from .money import money
from .outcome_words import outcome_in_words
from .refusals import refusal_sentence

Event = Mapping[str, Any]
QUIET = frozenset({"checkpoint", "configured", "internal", "shoe_stood_by"})  # kinds without a line in stories and logs


INVESTIGATED = "an issue is being investigated"  # the only text for players on a fault or a halt
OTHER_TERMS = ", under other settings than the round before"  # appended to the line of a round's opening


def describe_ceilings(amounts: Sequence[int], currency: str) -> str:
    """Text for the end of a line on payments: the amount that ceilings took off; empty if none."""
    return f"; ceilings lower {len(amounts)} of the bets, by {money(sum(amounts), currency)}" if amounts else ""


def sentence(event: Event) -> str:
    """One-line text for an event of a view."""
    words = _WORDS.get(event["kind"])
    return words(event) if words else event["kind"].replace("_", " ")


def _amount(event: Event, name: str = "stake") -> str:
    return money(event[name], event.get("currency") or "")


_LIMITED = {
    "bet": "one bet",
    "player_market": "a player on this market",
    "player": "a player in a round",
    "round": "a round",
}


def _limit(event: Event) -> str:
    """Stake limit that the refused bet broke, with its amounts; empty if it broke none."""
    limit = event.get("limit")
    if not limit:
        return ""
    amounts = [
        f"{name} {money(limit[key], event.get('currency') or '')}"
        for key, name in (("minimum", "at least"), ("maximum", "at most"), ("left", "left"))
        if limit.get(key) is not None
    ]
    return f" ({_LIMITED.get(limit['of'], limit['of'])}: {', '.join(amounts)})"


def card(name: str | None) -> str:
    """Name of a card; "a card" if its value is unknown or withheld."""
    return name or "a card"


def _settled(event: Event) -> str:
    outcome = outcome_in_words(event["outcome"])
    return f"round {event.get('round')} settled: {outcome}" + (" (manual)" if event.get("manual") else "")


def _decided(event: Event) -> str:
    more = f", {_amount(event)} on {event['market']}" if event.get("stake") else ""
    return f"{event['who']}: {event['decision']}{more}" + (" (by the table)" if event["by"] == "table" else "")


def _describe_asked(who: Sequence[str]) -> str:
    """Describe the players who are asked to decide: the name of one, or the number of several."""
    return who[0] if len(who) == 1 else f"all {len(who)}"


def _faulted(event: Event) -> str:
    if "code" not in event:  # the players' view
        return INVESTIGATED
    rulings = f" · rulings: {', '.join(event['rulings'])}" if "rulings" in event else ""
    not_now = f" · not now: {', '.join(event['not_now'])}" if event.get("not_now") else ""
    deck = " · a second copy lies open: the deck is suspect" if event.get("suspect") else ""
    return f"FAULT {event['code']}: expected {event['expected']}, got {event['got']}{deck}{rulings}{not_now}"


def _ruled(event: Event) -> str:
    if "by" not in event:
        return f"ruled: {event['ruling']}"
    change = _change(event["before"], event["after"])
    because = f' because "{event["because"]}"' if event["because"] else ""
    second = f" with {event['second']}" if event.get("second") else ""
    return f"{event['by']}{second} ruled {event['ruling']}{change}{because}{_becomes(event)}"


def _becomes(event: Event) -> str:
    choice = event.get("choice")
    if choice is None:
        return ""
    lower = choice == "stand" and event["touched"].get("odds")
    return f"; {describe_affected(event['touched'], event['currency'])}: {_BECOMES['lower' if lower else choice]}"


def describe_affected(event: Event, currency: str) -> str:
    """Text for the decisions, cards and bets that a ruling affects, with sums; empty if there are none."""
    decisions, cards, odds = (event.get(name, ()) for name in ("decisions", "cards", "odds"))
    counted = (
        (len(decisions), "decision{s}", sum(decision["stake"] for decision in decisions)),
        (len(cards), "card{s}", 0),
        (sum(len(price["bets"]) for price in odds), "bet{s} at wrong odds", sum(price["total"] for price in odds)),
    )
    parts = [
        f"{n} {what.format(s='s' * (n > 1))}" + (f" ({money(total, currency)})" if total else "")
        for n, what, total in counted
        if n
    ]
    return f"affects {', '.join(parts)}" if parts else ""


_BECOMES: Mapping[str, str] = {
    "anew": "asked anew",
    "withdraw": "withdrawn",
    "stand": "it stands",
    "lower": "at the lower of both odds",
    "cancel": "the round is void for it",
}


def _change(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if not after:
        return ""
    draw = f" draw {after['draw']}" if "draw" in after else ""
    name = next((name for name in ("place", "card") if before.get(name) != after.get(name) and name in after), None)
    if name is None:
        return draw
    now, was = after[name] or "a card", before.get(name)
    if was is not None:
        return f"{draw}: {was} → {now}"
    return f"{draw}: the card is {now}" if name == "card" else f"{draw}: to {now}"


def _sign_ins_refused(event: Event) -> str:
    wrong, delayed = event["wrong"], event["delayed"]
    waited = f", {delayed} more not tried" if delayed else ""
    return f"{wrong} wrong PIN{'s' * (wrong != 1)}{waited}, from {', '.join(event['sources'])}"


def _moment(at: str) -> str:
    return f"{at[:10]} {at[11:19]} UTC"


def _ignored(event: Event) -> str:
    reason = event.get("reason")
    return (
        f"{event['what']}: {refusal_sentence(reason)}" if reason else f"ignored while {event['state']}: {event['what']}"
    )


def _loss_accepted(event: Event) -> str:
    lost = f", lost up to {event['lost']['seq']}" if event.get("lost") else ""
    because = f' because "{event["because"]}"' if event["because"] else ""
    return f"{event['by']} goes on with the records that are left{lost}{because}"


_CEILINGS = {"bet": "a bet", "player": "a player", "round": "the round"}


def _paid(event: Event) -> str:
    line = f"{event['player']} gets {_amount(event, 'returned')} for {_amount(event)} on {event['market']}"
    steps = event.get("capped")
    if not steps:
        return line
    ceilings = ", ".join(_CEILINGS.get(one["of"], one["of"]) for one in steps)
    was, to = (money(amount, event.get("currency") or "") for amount in (steps[0]["was"], steps[-1]["to"]))
    return f"{line}; wins {to} instead of {was} (ceiling of {ceilings})"


def _resettled(event: Event) -> str:
    now = "void" if event["now"] is None else outcome_in_words(event["now"])
    part = f", part {event['part']} of {event['parts']}" if "part" in event else ""
    line = f"round {event.get('round')} settled anew (revision {event['revision']}{part}): {now}"
    if "movements" not in event:  # the players' view
        return line
    moved = [one["difference"] for one in event["movements"] if one["difference"]]
    differ = "1 bet differs" if len(moved) == 1 else f"{len(moved)} bets differ"
    money_moved = f"; {differ}, {money(sum(moved), event['currency'])} in all"
    if capped := sum(1 for one in event["movements"] if one.get("capped")):
        money_moved += f"; ceilings lower {capped} of the bets"
    return f'{line}{money_moved}; by {event["by"]} with {event["second"]} because "{event["because"]}"'


def _ruling_refused(event: Event) -> str:
    what = "acknowledgement" if event["ruling"] == "acknowledge" else event["ruling"]
    return f"{event['by']}'s {what} refused: {refusal_sentence(event['reason'], event['ruling'])}"


def _resettle_refused(event: Event) -> str:
    reason = refusal_sentence(event["reason"], "resettle")
    if event.get("case") is not None:
        return f"{event['by']} cannot dismiss case {event['case']}: {reason}"
    return f"{event['by']} cannot settle round {event.get('round') or event.get('asked', '?')} anew: {reason}"


NAMED = 10  # different cards that a line names; more are only counted


def _shoe_ended(e: Event) -> str:
    is_known = is_rest_known(e["left"], e["read_out"], e["missing"], e["unaccounted"])
    rest = f"{e['read_out']} read out" if e["left"] is None else f"{e['left']} counted as left"
    rest = rest if is_known else f"{e['unaccounted']} left, not counted"
    line = f"shoe {e.get('shoe', '')}: {e['cards']} cards, {e['dealt']} dealt, {e['burnt']} burnt, {rest}"
    wrong = [f"missing {_face_counts(e['missing'])}"] if e["missing"] else []
    wrong += [f"too many of {_face_counts(e['surplus'])}"] if e["surplus"] else []
    wrong += [f"{e['unaccounted']} not accounted for"] if e["unaccounted"] and is_known else []
    return "; ".join([line, *wrong])


def _shoe_ready(e: Event) -> str:
    if "id" not in e:
        return "shoe ready"
    uncut = f", NOT CUT: {e['uncut'] or 'no reason given'}" if "uncut" in e else ""
    return f"shoe {e['id']} ready, {e['cards']} cards{uncut}"


def _face_counts(faces: Mapping[str, int]) -> str:
    if len(faces) > NAMED:
        return f"{sum(faces.values())} cards of {len(faces)} faces"
    return ", ".join(f"{many} × {face}" if many > 1 else face for face, many in faces.items())


def _deck_suspect(e: Event) -> str:
    why = [f"more of {' '.join(e['double'])} came than there can be"] if e["double"] else []
    why += [f"{' '.join(e['missing'])} did not come in {e['rounds']} rounds"] if e["missing"] else []
    return f"deck {e['deck']} may not be whole: {'; '.join(why)}"


_ANSWERED: Mapping[str, str] = {
    "ruling": "the last ruling has answered it",
    "found": "the device is back",
    "cancel": "the round is cancelled",
}
_PROOFS: Mapping[str | None, str] = {
    None: "",
    "pin": ", by PIN",
    "badge": ", by badge alone",
    "badge_pin": ", by badge and PIN",
}
_WORDS: Mapping[str, Callable[[Event], str]] = {
    "configured": lambda e: f"the table plays {e['game']}, sheet {e['version']}",
    "loss_accepted": _loss_accepted,
    "record_damaged": lambda e: f"RECORD DAMAGED from {e['first']} on: {e['reason']}; no round opens",
    "record_sound": lambda _: "the record is sound again",
    "anchor_begun": lambda e: f'{e["by"]} has begun another anchor of the record because "{e["because"]}"',
    "anchor_lost": lambda e: f"ANCHOR LOST: {e['reason']}{'; no round opens' if e['required'] else ''}",
    "anchor_back": lambda _: "the record's anchor is back",
    "witness_unheard": lambda e: f"the bus could not be asked about the record, from {e['first']} on: {e['reason']}",
    "witness_heard": lambda _: "the bus agrees with the record",
    "table_opened": lambda e: f"table {e['table']} open",
    "table_closed": lambda e: f"table {e['table']} closed",
    "dealer_changed": lambda e: f"dealer {e['to']} signed on" if e["to"] else "the dealer has signed off",
    "dealer_leaving": lambda _: "the dealer leaves after this round",
    "shoe_change": lambda _: "the shoe is taken away",
    "read_out": lambda e: f"{card(e.get('card'))} was left in the shoe",
    "shoe_ended": _shoe_ended,
    "deck_suspect": _deck_suspect,
    "shoe_cut": lambda _: "the cards are cut",
    "cut_skipped": lambda e: f'the cards are not cut because "{e["because"]}"',
    "cut_card": lambda _: "the cut card is out",
    "shuffled": lambda e: f"deck {e['id']} is shuffled" if "id" in e else "the deck is shuffled",
    "shoe_ready": _shoe_ready,
    "opened": lambda e: f"round {e['round']} open for bets ({e['game']})",
    "window_opened": lambda e: f"window {e['window']} open for bets",
    "bet_accepted": lambda e: f"{e['player']} bets {_amount(e)} on {e['market']}",
    "bet_refused": lambda e: (
        f"{e['player']}'s bet on {e['market']} refused: {refusal_sentence(e['reason'])}{_limit(e)}"
    ),
    "bet_withdrawn": lambda e: f"{_amount(e)} goes back to {e['player']} from {e['market']}{_limit(e)}",
    "bet_repriced": lambda e: f"{e['player']}'s bet on {e['market']} stands at {e['odds']}, not at {e['was']}",
    "exposure_warned": lambda e: (
        f"the bets can win {_amount(e, 'exposure')}, more than the warning of {_amount(e, 'above')}"
    ),
    "player_gone": lambda e: f"{e['player']}'s line is cut",
    "player_back": lambda e: f"{e['player']}'s line is back",
    "closed": lambda e: "no more bets" + (f", {e['early']} s early" if "early" in e else ""),
    "dealt": lambda e: f"{card(e['card'])} to {e['to']}" + ("" if e["face_up"] else ", face down"),
    "drawn": lambda e: f"{card(e.get('card'))} has no place (draw {e['draw']})",
    "asked": lambda e: f"{_describe_asked(e['who'])}: {' or '.join(e['options'])}? ({e['seconds']} s)",
    "decided": _decided,
    "decision_refused": lambda e: f"{e['who']}'s {e['decision']} refused: {refusal_sentence(e['reason'])}{_limit(e)}",
    "revealed": lambda e: f"{e['place']} shows {' '.join(e['cards'])}",
    "completed": lambda _: "all cards are dealt",
    "settled": _settled,
    "paid": _paid,
    "cancelled": lambda e: f"round {e.get('round')} cancelled" + (f": {e['because']}" if e.get("because") else ""),
    "refunded": lambda e: f"{e['player']} gets back {_amount(e)} from {e['market']}",
    "disagreed": lambda e: f"the shoe, past a ruling, has another {e['about']}: {e['theirs']}, not {e['ours']}",
    "disputed": lambda e: f"round {e.get('round')} disputed: {e['because']}",
    "resettled": _resettled,
    "resettle_refused": _resettle_refused,
    "case_opened": lambda e: f"round {e.get('round')} has an open case: {e['got']}",
    "case_dismissed": lambda e: f'{e["by"]} dismissed case {e["case"]} because "{e["because"]}"',
    "faulted": _faulted,
    "reported": lambda e: f"reported, and waits for the ruling: {e['got']}",
    "report_answered": lambda e: f"report {e['report']} needs no ruling any more: {_ANSWERED[e['by']]}",
    "acknowledged": lambda e: f"{e['by']} has seen the fault",
    "escalated": lambda e: f"nobody has dealt with fault {e['fault']} in time: {e['target']}",
    "extended": lambda e: f"{e['by']} needs more time for fault {e['fault']}",
    "hand_voided": lambda e: f"{e['place']}'s hand is void, its bets go back",
    "restarted": lambda e: f"the program came back while fault {e['fault']} is open",
    "ruled": _ruled,
    "ruling_refused": _ruling_refused,
    "burnt": lambda e: f"{card(e.get('card'))} burnt (draw {e['draw']})",
    "carried": lambda e: f"{card(e.get('card'))} opens the next round (draw {e['draw']})",
    "voided": lambda e: f"draw {e['draw']} void",
    "resumed": lambda e: f"play resumes: {e['state']}",
    "rewound": lambda e: f"the first {e['answers']} steps stand",
    "signed_in": lambda e: f"{e['by']} has signed in from {e['source']}, as {e['door']}{_PROOFS[e.get('proof')]}",
    "handed_over": lambda e: f"{e['by']} has handed over to {e['taker']}" + (f": {e['note']}" if e["note"] else ""),
    "sign_ins_refused": _sign_ins_refused,
    "start_refused": lambda e: f"no round can start: {refusal_sentence(e['reason'])}",
    "starts_refused": lambda e: (
        f"no round can start: {refusal_sentence(e['reason'])} (asked for {e['times']:,} times more)"
    ),
    "ignored": _ignored,
    "telegrams_missing": lambda e: f"{e['device']}: message {e['got']} came, message {e['expected']} was expected",
    "device_lost": lambda e: f"{e['device']} LOST" + (f": {e['reason']}" if e["reason"] else ""),
    "device_cut_off": lambda e: f"{e['device']} CUT OFF: {excess_text(e['heard'], e['seconds'])}",
    "device_taken_back": lambda e: f"{e['by']} has {e['device']} heard again",
    "clock_set": lambda e: f"the clock was set: {_moment(e['from'])} became {_moment(e['to'])}",
    "device_found": lambda e: f"{e['device']} found" + (f" at {e['address']}" if e["address"] else ""),
}
