"""Strategies of players for the games that ask for decisions, one file each.

The sheet's `GAME` names its strategy.
"""
