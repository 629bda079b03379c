"""What all tests of the core share."""

import warnings

with warnings.catch_warnings():  # eval7 calls what pyparsing has renamed
    warnings.simplefilter("ignore", DeprecationWarning)
    import eval7  # noqa: F401
