"""Tests of the table controller."""
