"""Alignments of tokens and the edits read from them: token diff, M2 lattice, three-way, n-grams, ERRANT.

Modules that compile with numba are imported only where they run.
"""
