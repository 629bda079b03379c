"""Metric families for one table or one floor, built from present values."""

from collections.abc import Iterable, Mapping
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..text.metric_helps import help_of

Numbers = Mapping[Any, float]  # by label value, or by the tuple of all label values


class Families:
    """Factory of metrics that are labelled with the name of a table, or of another kind (`of`)."""

    def __init__(self, name: str, of: str = "table") -> None:
        self._name, self._of = name, of

    def gauge(self, name: str, numbers: Numbers, *labels: str) -> Metric:
        """Create a gauge: a metric that can rise and fall."""
        return self._make_metric(GaugeMetricFamily, name, numbers, labels)

    def counter(self, name: str, numbers: Numbers, *labels: str) -> Metric:
        """Create a counter: a metric that only grows."""
        return self._make_metric(CounterMetricFamily, name, numbers, labels)

    def single_gauge(self, name: str, number: float | None) -> Metric:
        """Create a gauge without further labels; it has no sample if the number is None."""
        return self.gauge(name, {} if number is None else {(): number})

    def _make_metric(
        self,
        family: type[CounterMetricFamily] | type[GaugeMetricFamily],
        name: str,
        numbers: Numbers,
        labels: Iterable[str],
    ) -> Metric:
        metric = family(f"tablectl_{name}", help_of(name), labels=[self._of, *labels])
        for value, number in numbers.items():
            metric.add_metric([self._name, *((value,) if isinstance(value, str) else value)], number)
        return metric


class ReadyMetrics(Collector):
    """Collector of metrics that were created before."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Return the metrics given at creation."""
        return self._families
