"""Devices that type what they read, as a keyboard does.

Taken alone, so that no other program reads them.
"""
