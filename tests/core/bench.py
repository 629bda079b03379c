"""The bench of `controller.testing`, by a name that is near."""

from controller.lab.testing.bench import START, Bench, fresh, kinds

__all__ = ["START", "Bench", "fresh", "kinds"]
