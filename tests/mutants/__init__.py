"""Whether the tests would notice: small changes to the code, each of which some test must fail on.

The changes are mutmut's, the runs our own: mutmut leaves out what stands outside of functions (the pay tables) and in
decorated ones.
"""
