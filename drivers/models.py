"""Models of each kind of device: built-in models and those of installed packages.

Built-in models come first. The error for an unknown name lists the known ones. A package adds a model by an entry point
in the group of its kind, such as `tablectl.shoes`: name = model, value = factory of its codec.

A codec may be somebody else's code, so any exception of one becomes a `DriverFailed` with its name and stops only its
device.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, TypeVar

from drivers.events import DeviceEvent

Factory = TypeVar("Factory")
Codec = TypeVar("Codec")

UNKNOWN = (
    "unknown {kind} model {model!r}: expected one of {known}; correct [{kind}] model, "
    "or install the package that adds it (entry point group {group})"
)


class UnknownModel(LookupError):
    """Error: there is no model of this name."""


class DriverFailed(Exception):
    """Error in a driver's code; the text names the driver, the exception and its place."""

    def __init__(self, driver: str, mistake: str) -> None:
        super().__init__(f"the driver {driver} failed ({mistake}): have it repaired, then start the table again")


def factory_of(kind: str, factories: Mapping[str, Factory], model: str, unknown: str = UNKNOWN) -> Factory:
    """Factory of a model's codec. Raises UnknownModel, DriverFailed.

    `unknown`: text of UnknownModel.
    """
    if model in factories:
        return factories[model]
    group = f"tablectl.{kind}s"
    added = entry_points(group=group)
    if model not in added.names:
        models = ", ".join(sorted({*factories, *added.names}))
        raise UnknownModel(unknown.format(kind=kind, model=model, known=models, group=group))
    with _wrap_errors(added[model].value):
        factory: Factory = added[model].load()
    return factory


def models_of(kind: str, factories: Mapping[str, Factory]) -> dict[str, Factory]:
    """Factories of the codecs of a kind, ours first; without those of failing packages."""
    models = dict(factories)
    for model in entry_points(group=f"tablectl.{kind}s").names - factories.keys():
        with suppress(DriverFailed):
            models[model] = factory_of(kind, factories, model)
    return models


def create_codec(factory: Callable[..., Codec], **settings: object) -> Codec:
    """Create a codec with these settings. Raises DriverFailed if its code fails."""
    with _wrap_errors(_name(factory)):
        return factory(**settings)


@contextmanager
def guard_codec(codec: object) -> Iterator[None]:
    """Turn any exception of a codec into DriverFailed.

    The exception's text is left out: it may contain a hidden card.
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001 - anybody's code
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
        raise DriverFailed(_name(codec), where) from None


class Feedable(Protocol):
    """A codec of any kind."""

    def feed(self, data: bytes, /) -> Iterable[DeviceEvent]:
        """Decode bytes of the device to events."""


def decode(codec: Feedable, data: bytes) -> list[DeviceEvent]:
    """Decode bytes with a codec. Raises DriverFailed, also if some result is no event."""
    with guard_codec(codec):
        events = list(codec.feed(data))
    for event in events:
        if not isinstance(event, DeviceEvent):
            raise DriverFailed(_name(codec), f"feed gave a {type(event).__name__}, no event")
    return events


@contextmanager
def _wrap_errors(driver: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        words = " ".join(str(error).split())
        raise DriverFailed(driver, f"{type(error).__name__}: {words}" if words else type(error).__name__) from error


def _name(driver: object) -> str:
    """Module and name of a codec or of its factory."""
    kind = driver if hasattr(driver, "__qualname__") else type(driver)
    return f"{kind.__module__}.{kind.__qualname__}"
