"""What happened to a case, and all that was told: long, whole, page by page."""

from __future__ import annotations

from domain.cases.commands import AddEvidence
from domain.cases.model import CaseKind
from domain.reports.model import FileReport
from tests.support.builders import CITY, OMBUDSMAN, SERVICE
from tests.support.office import by_citizen, office, taken


async def test_nothing_is_too_long_for_a_message() -> None:
    """Ana writes as much as she can, forty times: every page of the card fits, and the pages hold all of it."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    case = await taken(town, ana, olga)
    for number in range(40):
        text = f"{number:03d} " + "😀<&" * 650
        await by_citizen(town, "add_evidence", AddEvidence(by=ana.person, case_id=case.id, text=text))
    await olga.sends(f"/caso {case.protocol}")
    await olga.presses("Linha do tempo")
    pages = [olga.text]
    while "Próxima" in olga.labels():
        await olga.presses("Próxima")
        pages.append(olga.text)

    for phone in (ana, olga):
        for message in phone.shown.values():
            plain = message.text.replace("&lt;", "<").replace("&amp;", "&")
            assert len(plain.encode("utf-16-le")) // 2 <= 4096 + 7 * plain.count("<b>") + 15 * plain.count("blockquote")
    assert all(any(f"{number:03d} 😀" in page for page in pages) for number in range(40))
    assert sum(page.count("😀") for page in pages) == 40 * 650


async def test_a_notice_does_not_keep_saying_whose_case_it_is() -> None:
    """Caio's identity is sealed: a key that named his case would tell it to whoever reads the outbox."""
    town = await office()
    caio, olga = await town.phone("Caio", language="en"), await town.phone("Olga", OMBUDSMAN)
    await town.counter.report(caio.person, kind=CaseKind.DISCRIMINATION, subject="ofensa")
    await olga.sends("/fila")
    await olga.presses("Pegar o próximo")

    assert [message.key for message in caio.shown.values()] == [None]


async def test_all_that_was_told_is_read_page_by_page() -> None:
    """Ana tells a lot: Olga reads every line of it, from the first page on, none twice."""
    town = await office()
    ana, olga = await town.phone("Ana"), await town.phone("Olga", OMBUDSMAN)
    lines = [f"linha {number:04}" for number in range(800)]
    told = {"what": "; ".join(lines)}
    report = FileReport(by=ana.person, city=CITY, service=SERVICE, kind=CaseKind.COMPLAINT, subject="preco", facts=told)
    filed = await town.counter.does("file_report", report)
    await olga.sends(f"/caso {filed.protocol}")

    await olga.presses("Ver dados")
    pages = [olga.text]
    while "Próxima" in olga.labels():
        await olga.presses("Próxima")
        pages.append(olga.text)

    assert [f"página {number} de {len(pages)}" in page for number, page in enumerate(pages, 1)] == [True] * len(pages)
    assert len(pages) > 2
    assert [line for line in lines if sum(line in page for page in pages) > 1] == []
    assert sum(line in page for line in lines for page in pages) >= len(lines) - len(pages)
