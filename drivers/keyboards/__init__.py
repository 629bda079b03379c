"""Devices that type what they read, as a keyboard does: taken alone, so that no other program reads it."""
