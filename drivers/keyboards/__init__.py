"""Devices that type what they read, as a keyboard does.

Each is grabbed, so that no other program reads it.
"""
