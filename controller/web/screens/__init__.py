"""What each audience is shown of a table: one whole picture at a time, composed here, drawn by a page.

A page has neither a word nor a rule of its own. What may be seen, said and touched is decided here.
"""
