"""The floor: one console over all tables of a studio, connected to them over the bus.

Invariant: the floor computes nothing about a game and never delays a card. Screens, previews and verdicts come from
the tables. The floor stores a copy of the tables' records, and its own record of what people did at the floor.
"""
