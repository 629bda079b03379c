"""Metrics of one table, or one floor, made from what stands somewhere else."""

from collections.abc import Iterable, Mapping
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

Numbers = Mapping[Any, float]  # by the value of the label, or by a tuple of the values of all


class Families:
    """Makes them, with the table's name on each; or with another's, which is `of` that kind."""

    def __init__(self, name: str, of: str = "table") -> None:
        self._name, self._of = name, of

    def gauge(self, name: str, says: str, numbers: Numbers, *labels: str) -> Metric:
        """What can go up and down."""
        return self._filled(GaugeMetricFamily, name, says, numbers, labels)

    def counter(self, name: str, says: str, numbers: Numbers, *labels: str) -> Metric:
        """What only grows."""
        return self._filled(CounterMetricFamily, name, says, numbers, labels)

    def one(self, name: str, says: str, number: float | None) -> Metric:
        """A gauge without a label of its own; none where that is not known."""
        return self.gauge(name, says, {} if number is None else {(): number})

    def _filled(
        self,
        family: type[CounterMetricFamily] | type[GaugeMetricFamily],
        name: str,
        says: str,
        numbers: Numbers,
        labels: Iterable[str],
    ) -> Metric:
        made = family(f"tablectl_{name}", says, labels=[self._of, *labels])
        for value, number in numbers.items():
            made.add_metric([self._name, *((value,) if isinstance(value, str) else value)], number)
        return made


class Made(Collector):
    """Metrics that are there already."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """They."""
        return self._families
