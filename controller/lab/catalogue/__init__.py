"""Catalogue of faults, irregularities and steps, in a form for documents and pages."""
