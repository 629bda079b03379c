"""Screens of a table for each audience, composed here and drawn by a page in the browser.

A page has no texts and no rules of its own. This package decides what may be seen, said and touched.
"""
