"""Marking sentences where they are declared. They are translated where they are shown."""

from __future__ import annotations


def N_(sentence: str) -> str:  # noqa: N802 - the name that gettext's tools look for
    """Mark a sentence for the catalogues; it is its own message id."""
    return sentence
