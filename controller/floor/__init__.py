"""The floor: one console over all tables of a studio, beside the bus.

The one rule: it computes nothing about a game and stands in no card's way. Screens, previews and verdicts come from the
tables; what is kept here is a copy of their records, and a record of its own of what people did at the floor.
"""
