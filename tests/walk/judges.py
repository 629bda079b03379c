"""All judges of the random walk, and how many walks of each table every judge checks.

A judge is defined in the tests of the code that it judges. Cheap judges check all walks; a judge that plays a whole
record again checks a few.
"""

from typing import NamedTuple

from controller.lab.testing.game import JUDGES as OF_ANY_GAME
from controller.lab.testing.judge import Judge
from tests.accounts.test_card_reads import CardsOnStrip
from tests.accounts.test_every_figure import EveryFigure
from tests.bus.test_status import SamePage
from tests.cli.test_tables import ExportedTables
from tests.core.test_fold import Envelope, Fold, SameAgain
from tests.core.test_inputs import Inputs
from tests.core.test_late import InItsPlace
from tests.core.test_leaving import Leaves
from tests.core.test_offers import Offers
from tests.core.test_panel_keys import LitKeysAct
from tests.core.test_salts import Salted
from tests.core.test_shoe_change import CutsOfShoes
from tests.core.test_viewers import Viewing
from tests.core.test_views import OneEventEach, Public
from tests.floor.history.test_numbers import FloorNumbers
from tests.floor.storage.test_store import FloorRows
from tests.outputs.test_alerts_held import PassedOver
from tests.outputs.test_metrics import Heard
from tests.reports.test_replay import ReplayedRecord
from tests.reports.test_selection import RecordsOfAFault
from tests.reports.test_shift_report import ShiftFigures
from tests.reports.test_statistics import FiguresAddUp
from tests.script.test_script_export import SameScript
from tests.web.test_at_fault import EachCardOnce
from tests.web.test_clearing import LieAsRecorded
from tests.web.test_language import Translated


class Walks(NamedTuple):
    """How many walks of each table a judge checks: short ones, and the long ones of proofs."""

    short: int
    long: int


ALL = Walks(4, 24)
JUDGES: dict[type[Judge], Walks] = {
    **dict.fromkeys((*OF_ANY_GAME, Leaves, LitKeysAct, CutsOfShoes, InItsPlace, Inputs, Envelope, Public, Salted), ALL),
    Fold: Walks(2, 20),
    SameAgain: Walks(2, 20),
    Viewing: Walks(2, 15),
    Heard: Walks(2, 8),
    FiguresAddUp: Walks(2, 8),
    CardsOnStrip: Walks(2, 8),
    EveryFigure: Walks(1, 3),
    OneEventEach: Walks(2, 8),
    Translated: Walks(2, 3),
    EachCardOnce: Walks(1, 4),
    LieAsRecorded: Walks(2, 8),
    SameScript: Walks(2, 4),
    Offers: Walks(1, 5),
    RecordsOfAFault: Walks(2, 4),
    ReplayedRecord: Walks(1, 2),
    FloorRows: Walks(2, 3),
    ShiftFigures: Walks(1, 2),
    ExportedTables: Walks(1, 2),
    FloorNumbers: Walks(1, 2),
    PassedOver: Walks(1, 2),
    SamePage: Walks(1, 2),
}
