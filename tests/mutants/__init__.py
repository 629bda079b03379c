"""Mutation tests: small changes to the code, on each of which at least one test must fail.

mutmut makes the changes; the runs are our own. mutmut's own runs leave out code outside of functions (the pay tables)
and in decorated functions, and import the code once for all changes, so that programs started by tests lack them.

`mutate` makes the changes, `mutant` draws a sample. `suite` maps which tests run which function, with `probe`, `notes`
and `instrument`. `choose` picks the tests of a change, `verdict` runs them in one of `copies`, `results` keeps the
verdicts. Only `mutate` needs mutmut.
"""
