"""Whether the tests would notice: small changes to the code, each of which some test must fail on.

The changes are mutmut's, the runs our own: mutmut leaves out code outside of functions (the pay tables) and in
decorated ones, and imports the code once for all changes, so that programs which tests start run without them.

`mutate` makes the changes, `mutant` draws some; `suite` maps which tests run which function, by `probe`, `notes` and
`instrument`; `choose` picks the tests of a change, `verdict` runs them in one of `copies`; `results` has the table.
Only `mutate` needs mutmut.
"""
