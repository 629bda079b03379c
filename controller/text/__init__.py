"""Sentences for people, made from the data of the core; no program reads a sentence back."""
