"""Tests of the core, with independent judges that check its records and states."""
