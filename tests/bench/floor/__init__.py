"""The floor over a real bus, with many tables at work: see `python -m tests.bench.floor --help`."""
