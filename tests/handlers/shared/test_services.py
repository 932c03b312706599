"""Every use case gets the ports that it names."""

from __future__ import annotations

from inspect import Parameter, signature, unwrap
from typing import Any, get_type_hints

import pytest

from domain.cases.recording import Recorder
from handlers.shared.services import Ports, Services, bound

BOUND = {name: unwrap(method) for name, method in vars(Services).items() if hasattr(method, "__wrapped__")}


@pytest.mark.parametrize("name", BOUND)
def test_a_use_case_gets_each_port_as_what_it_declares(name: str) -> None:
    """A port that only shares its name with what a use case asks for would fail in front of somebody."""
    use_case, offered = BOUND[name], get_type_hints(Ports) | {"record": Recorder}
    asked = [one.name for one in signature(use_case).parameters.values() if one.kind is Parameter.KEYWORD_ONLY]
    wanted = get_type_hints(use_case)
    assert {one: wanted[one] for one in asked} == {one: offered[one] for one in asked}


def test_a_use_case_that_names_no_port_of_ours_ends_the_start() -> None:
    """Whoever adds it learns it at once, not at the first press."""

    async def take_pictures(command: str, *, camera: Any) -> None: ...

    with pytest.raises(TypeError, match="camera"):
        bound(take_pictures)
