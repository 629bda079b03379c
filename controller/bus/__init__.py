"""The studio's bus: what a table tells there of its record, what it takes from there, and who remembers its head.

The one rule: no card waits for it. All of it runs in a thread of its own; with the bus away the table deals on.
"""
