"""Sentences for people: what the core knows as data is said here, and nowhere is it read back."""
