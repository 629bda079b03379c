"""Benchmark of a floor with many tables on a real bus: see `python -m tests.bench.floor --help`."""
