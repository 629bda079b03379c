"""Reasons of the built-in games for each draw and each payment, with the clauses of their rule sheets."""
