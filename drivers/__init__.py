"""Device drivers of a dealer table: pure codecs, two links that touch the hardware, and emulators.

The one rule: nothing in here knows of the controller; a card is text, a key is a number, an event is a frozen dataclass.
"""
