"""Screens of a table for each audience: whole pictures, composed here and drawn by a page.

A page has neither a text nor a rule of its own. What may be seen, said and touched is decided here.
"""
