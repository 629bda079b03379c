"""Checks of a panel codec's keys, and of its reports for lights and pictures."""

from collections.abc import Callable, Sequence
from itertools import product

from drivers.models import DriverFailed
from drivers.panels import Colour, Light, Lit, PanelCodec, Pictured, lit, screens_of

from .broken import Broken
from .feeds import capture_texts

PICTURE = bytes(range(256)) * 20


def check_keys(codec: PanelCodec) -> None:
    """Check that the keys of a panel are numbers in ascending order. Raises Broken."""
    keys = tuple(codec.keys)
    if not keys or keys != tuple(sorted({key for key in keys if isinstance(key, int)})):
        raise Broken(
            f"expected keys to be numbers in ascending order, each once, got {keys!r:.60}",
            change="set `keys`, such as range(8)",
        )


def lights(codec: PanelCodec) -> list[bytes]:
    """Check and return the reports of all lights, or of a picture on each key. Raises Broken."""
    try:
        screens = screens_of(codec)
        shows = _pictures(screens) if screens else _lamps(lit(codec))
    except DriverFailed:
        raise Broken(
            "expected the keys to have lamps (backlight) or screens (form, picture), they have neither",
            change="write backlight(key, light, colour) -> bytes, see docs/write-a-panel.md",
        ) from None
    except Broken:
        raise
    except Exception as error:  # noqa: BLE001 - anybody's codec
        raise Broken(
            f"expected a report for every key and light, it failed ({type(error).__name__}: {error})",
            change="return a report for each key, Light and Colour: the nearest that the panel can show",
        ) from None
    return shows


def _lamps(codec: Lit) -> list[bytes]:
    lamps: dict[tuple[int, Light], bytes] = {}
    reports = []
    for key, light, colour in product(codec.keys, Light, Colour):
        report = codec.backlight(key, light, colour)
        lamps.setdefault((key, light), report)
        reports.append(report)
    dark = [lamps[key, Light.OFF] for key in codec.keys]
    if len(set(dark)) < len(dark) or any(lamps[key, Light.ON] == lamps[key, Light.OFF] for key in codec.keys):
        raise Broken(
            "expected another report for each key, and another for a lamp on than off, some are the same",
            capture_texts(*dark[:2]),
            "put the key's number and the light into the report",
        )
    _refuses(lambda key: codec.backlight(key, Light.ON, Colour.BLUE), codec.keys)
    return reports


def _pictures(codec: Pictured) -> list[bytes]:
    shows = [codec.picture(key, PICTURE) for key in codec.keys]
    if len({tuple(pages) for pages in shows}) < len(shows):
        raise Broken(
            "expected another report for each key, some are the same", change="put the key's number into the report"
        )
    _refuses(lambda key: codec.picture(key, PICTURE), codec.keys)
    return [page for pages in shows for page in pages]


def _refuses(shows: Callable[[int], object], keys: Sequence[int]) -> None:
    """Check that the codec refuses lights of keys that the panel does not have. Raises Broken."""
    for key in (-1, max(keys) + 1, 10_000):
        try:
            shows(key)
        except ValueError:
            continue
        except Exception as error:  # noqa: BLE001 - anybody's codec
            reply = f"it raised {type(error).__name__}"
        else:
            reply = "it returned a report"
        raise Broken(
            f"expected ValueError for a key that is not there ({key}), {reply}",
            change="raise ValueError for a number that is not in keys",
        )
