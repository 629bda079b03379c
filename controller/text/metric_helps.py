"""Help texts of metrics by their names, in English, for the people who run a monitoring system."""

from collections.abc import Mapping

from ..accounts.figures import FIGURES

HELPS: Mapping[str, str] = {
    "alerts_queued": "Alerts that wait to be delivered.",
    "refusals": "Refused commands and inputs without effect, by reason.",
    "paused_seconds": "Seconds for which faults stopped play, the current pause included.",
    "exposure_warned": "1 once the bets of the round can win more than the table's warning limit.",
    "build_info": "1; the labels name the program and the rules.",
    "life": "1 for the present state of the round.",
    "open": "1 while the table is open for play.",
    "halted": "1 while the record cannot be written.",
    "device_present": "1 for a connected device.",
    "record_seq": "Number of the last record.",
    "round": "Number of the present or last round.",
    "shoe_cards_left": "Cards left in the shoe, counted from the cards that left it.",
    "record_trouble": "1 for each trouble with the record.",
    "record_damaged": "Number of the first damaged record; 0: none.",
    "clock_synchronised": "1 while NTP keeps the PC's clock; no value if that is not known.",
    "clock_offset_seconds": "Difference of the PC's clock that NTP still has to correct.",
    "clock_max_error_seconds": "Largest possible error of the PC's clock.",
    "clock_step_seconds": "Step of the PC's clock that the table does not follow yet.",
    "exposure_money": "Largest amount that the bets of the round can win, in units of the currency.",
    "record_verified_seconds": "Time of the last complete verification of the record.",
    "record_anchored": "Number of the record that the anchor holds.",
    "pages_trouble": "1 for each trouble with the pages.",
    "bus_trouble": "1 while the bus does not accept the table's messages.",
    "bus_behind_records": "Records that are not on the bus yet.",
    "bus_behind_seconds": "Seconds for which the oldest record waits for the bus.",
    "connections": "Open connections to the table.",
    "connections_limit": "Most connections at a time.",
    "places_limit": "Most requests of one kind of caller at a time.",
    "places_taken": "Requests of one kind of caller under way.",
    "subscribers": "Open event streams, by kind of caller.",
    "turned_away": "Requests refused because all places were taken.",
    "sent_away": "Requests ended early to make place for others.",
    "floor_table_heard": "1 for a table with heartbeats.",
    "floor_calls": "Open calls, by whether somebody is coming.",
    "floor_call_age_seconds": "Seconds for which the oldest open call waits.",
    "floor_alarms": "Alarms without an acknowledgement, by kind.",
    "floor_info": "The program's version.",
    "floor_line_up": "1 while the floor is connected to the bus.",
    "floor_behind_records": "Records of tables that the floor has not received yet.",
    "floor_troubles": "Number of troubles; /healthz names them.",
    "floor_subscribers": "Open event streams of browsers.",
    "rounds": "Rounds that have ended.",
    "resettlements": "Rounds that were settled anew.",
    "cards": "Cards from the shoe: read, or entered by hand.",
    "misreads": "Cards that the shoe could not read, or read as another.",
    "faults": "Faults, by code.",
    "rulings": "Rulings of shift managers.",
    "bets": "Answered bets.",
    "fault_acknowledgement_seconds": "Seconds from a fault to its acknowledgement.",
    "fault_ruling_seconds": "Seconds from a fault to its ruling.",
    "request_seconds": "Seconds until the answer to a request began.",
    "journal_append_seconds": "Seconds until records were on disk, or writing failed.",
    **{
        figure.shown["metrics"]: f"{figure.means} In units of the currency."
        for figure in FIGURES.values()
        if "metrics" in figure.shown and figure.shown["metrics"].endswith("_money")
    },
}


def help_of(name: str) -> str:
    """Help text of a metric. `name`: without `tablectl_`."""
    return HELPS[name]
