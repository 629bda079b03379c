"""Generation of parts of `docs/`, and tests that all pages are true."""
