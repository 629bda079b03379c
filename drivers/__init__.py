"""Device drivers of a dealer table: pure codecs, two links that touch the hardware, and emulators.

Nothing in here knows of the controller. A card is text, a key a number, an event a frozen dataclass.
"""
