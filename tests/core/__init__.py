"""Tests of the core: independent judges of what it records and where it stands."""
