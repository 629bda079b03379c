"""Makes the generated parts of `docs/`, and tests that all pages are true."""
