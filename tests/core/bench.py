"""Short import path of the test bench in `controller.lab.testing.bench`."""

from controller.lab.testing.bench import START, Bench, fresh, kinds

__all__ = ["START", "Bench", "fresh", "kinds"]
