"""Text of an alert sent by a floor, in the target's language, with the same sentences as the table's own alert."""

from ...bus.status import OpenCall, Status
from ...bus.status_texts import Texts
from ...config.alerts import Target
from ...outputs.delivery import AlertMessage
from ...text import alert_texts as t
from ...text.faults import Words


def message(target: Target, status: Status, fault: OpenCall, *, again: bool) -> AlertMessage:
    """Compose an alert. Its subject has the fault's id as in the table's own alerts.

    `again`: the fault has had an alert before.
    """
    words, texts = Words(target.language), status.texts.get(target.language)
    values = {"table": status.table, "number": status.round}
    where = words.say(t.TABLE_ROUND if status.round else t.TABLE).format(**values)
    subject = words.say(t.CALL).format(code=" ".join(fault.code.split()), where=where)
    if again:
        subject = words.say(t.AGAIN).format(subject=subject)
    dealer, time = status.dealer or words.say(t.NO_DEALER), f"{fault.since[:19].replace('T', ' ')} UTC"
    lines = [words.say(t.PAUSED).format(where=where, dealer=dealer, time=time), *_fault_lines(words, texts)]
    return AlertMessage(target, f"[{status.table}#{fault.seq}] {subject}", "\n".join(lines))


def _fault_lines(words: Words, texts: Texts | None) -> list[str]:
    if texts is None:
        return []
    return [line for line in (words.say(t.HEAD).format(head=texts.head), texts.text, texts.money) if line]
