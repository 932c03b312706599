"""The five cities' laws, read once."""

from __future__ import annotations

import pytest

from domain.law.loader import Laws, load_laws


@pytest.fixture(scope="session")
def laws() -> Laws:
    return load_laws()
