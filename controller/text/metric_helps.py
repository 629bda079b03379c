"""Help texts of metrics by their names, in English, for the people who run a monitoring system."""

from collections.abc import Mapping

from ..accounts.figures import FIGURES

HELPS: Mapping[str, str] = {
    "alerts_queued": "Alerts that wait to be delivered.",
    "refusals": "What was refused, or came to nothing, by the reason.",
    "paused_seconds": "Seconds for which play was stopped by a fault, the pause that is on included.",
    "exposure_warned": "1 once the bets of the round can win more than the table's warning.",
    "build_info": "1, and which program plays which rules.",
    "life": "Where the round stands: 1 for that state.",
    "open": "1 while the table is open for play.",
    "halted": "1 while the record cannot be written.",
    "device_present": "1 for a device that is there.",
    "record_seq": "The number of the last record.",
    "round": "The number of the round that is on, or was.",
    "shoe_cards_left": "Cards left in the shoe, by its past.",
    "record_trouble": "1 for what is wrong with the record.",
    "record_damaged": "The number of the record from which on it does not stand; 0: it stands.",
    "clock_synchronised": "1 while NTP keeps the PC's clock; none where that is not known.",
    "clock_offset_seconds": "What is still to be made up for by NTP.",
    "clock_max_error_seconds": "By how much the PC's clock may be wrong.",
    "clock_step_seconds": "By how much the PC's clock was set and is not yet followed.",
    "exposure_money": "Most that the bets of the round can win. In units of the currency.",
    "record_verified_seconds": "When all of it was verified last.",
    "record_anchored": "The number of the record that the anchor remembers.",
    "pages_trouble": "1 for what keeps people from the pages.",
    "bus_trouble": "1 while the bus does not take what the table tells it.",
    "bus_behind_records": "Records that are not on the bus yet.",
    "bus_behind_seconds": "For how long the oldest of these has waited.",
    "connections": "Connections that are open at the table's doors.",
    "connections_limit": "Connections that there can be.",
    "places_limit": "Requests of one kind of caller that there can be at a time.",
    "places_taken": "Requests of one kind of caller that are under way.",
    "subscribers": "Streams that are followed, by kind of caller.",
    "turned_away": "Requests for which there was no place.",
    "sent_away": "Requests that went for somebody else's.",
    "floor_table_heard": "1 for a table that is heard.",
    "floor_calls": "Calls that are open, by whether somebody has said that they come.",
    "floor_call_age_seconds": "How long the oldest open call waits.",
    "floor_alarms": "Alarms that nobody has acknowledged, by kind.",
    "floor_info": "The program's version.",
    "floor_line_up": "1 while the floor hears the bus.",
    "floor_behind_records": "Records of tables that are still to come.",
    "floor_troubles": "So much is wrong; /healthz says what.",
    "floor_subscribers": "Streams that browsers follow.",
    "rounds": "Rounds that have ended.",
    "resettlements": "Rounds that were settled anew.",
    "cards": "Cards that came out of the shoe: read by it, or entered by hand.",
    "misreads": "Cards that the shoe could not read, or read as another.",
    "faults": "Faults, by code.",
    "rulings": "Rulings of shift managers.",
    "bets": "Bets that were answered.",
    "fault_acknowledgement_seconds": "Seconds from a fault to its acknowledgement.",
    "fault_ruling_seconds": "Seconds from a fault to its ruling.",
    "request_seconds": "Seconds until the answer to a request began.",
    "journal_append_seconds": "Seconds until records were durable on disk, or could not be.",
    **{
        figure.shown["metrics"]: f"{figure.means} In units of the currency."
        for figure in FIGURES.values()
        if "metrics" in figure.shown and figure.shown["metrics"].endswith("_money")
    },
}


def help_of(name: str) -> str:
    """Help text of a metric. `name`: without `tablectl_`."""
    return HELPS[name]
