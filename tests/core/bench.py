"""Short import path of the test bench in `controller.lab.testing.bench`."""

from controller.lab.testing.bench import START, Bench, kinds, undealt_card

__all__ = ["START", "Bench", "kinds", "undealt_card"]
