"""A text that runs from right to left, or says that it does, turns nothing around it."""

from __future__ import annotations

import pytest

from domain.cases.commands import TakeCase
from domain.cases.model import CaseKind
from domain.privacy.model import IdentityMode
from domain.reports.model import FileReport
from handlers.shared.bidi import isolated
from handlers.shared.casewords import quoted
from handlers.shared.texts import Translator
from tests.support.builders import CITY, OMBUDSMAN, SERVICE
from tests.support.office import office

RLO, FSI, PDI, LRI = "\u202e", "\u2068", "\u2069", "\u2066"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Cobrou o dobro 😀 <b>", "Cobrou o dobro 😀 <b>"),
        (f"abc{RLO}def", f"{FSI}abc{RLO}def{PDI}"),
        (f"abc{PDI}{RLO}def", f"{FSI}abc{RLO}def{PDI}"),
        (f"abc{LRI}def", f"{FSI}abc{LRI}def{PDI}{PDI}"),
        (f"um\nd{RLO}ois\ntrês", f"um\n{FSI}d{RLO}ois{PDI}\ntrês"),
        ("שלום", f"{FSI}שלום{PDI}"),
    ],
)
def test_every_line_closes_what_it_opens(written: str, shown: str) -> None:
    """What closes too much is left out, what is left open is closed, and a plain text is not touched."""
    assert isolated(written) == shown


def test_a_name_in_a_sentence_and_a_quotation_keep_their_direction_to_themselves() -> None:
    """Somebody's name ends with the character that turns the rest of a line: the rest is read as it was meant."""
    assert Translator()("De: {name}", name=f"Ana{RLO}") == f"De: {FSI}Ana{RLO}{PDI}"
    assert quoted(f"x{RLO}") == f"<blockquote>{FSI}x{RLO}{PDI}</blockquote>"


async def test_staff_reads_the_card_as_it_is_meant_and_the_case_keeps_every_character() -> None:
    """Ana's words carry an open override: on Olga's card it ends with them, in the timeline it stands verbatim."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    written = f"nome: gpj.{RLO}exe"
    report = FileReport(
        by=ana.person,
        city=CITY,
        service=SERVICE,
        kind=CaseKind.COMPLAINT,
        subject="preco",
        facts={"what": written},
        mode=IdentityMode.IDENTIFIED,
    )
    case = (await town.counter.does("file_report", report)).update.case
    await town.counter.does("take_case", TakeCase(by=olga.person, case_id=case.id))
    await olga.sends(f"/caso {case.protocol}")

    assert f"{FSI}{written}{PDI}\n" in olga.text
    assert town.memory.committed.cases[case.id].facts["what"] == written
