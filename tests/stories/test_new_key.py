"""A city replaces its secret key; whoever reported before it is still reached, and still reaches the city hall."""

from __future__ import annotations

import re
from pathlib import Path

from domain.people.model import Role
from tests.support.counter import SECRET, stage
from tests.support.scenes import Report, joins, reports, takes_next
from tests.support.towns import TOWNS

TOWN = TOWNS[0]
NEW = "the key that the city made after the first one"


async def test_what_was_reported_under_the_earlier_key_is_answered_under_the_new_one(
    sqlite_database: str, tmp_path: Path
) -> None:
    """Rita, sealed, is asked and answers; Ana, known by her receipt alone, opens her case; both reported before."""
    async with stage(sqlite_database, tmp_path, register=None) as set_up:
        olga = await joins(set_up, "Olga", TOWN, Role.OMBUDSMAN)
        rita, ana = await set_up.phones.add("Rita"), await set_up.phones.add("Ana")
        sealed = Report("Reclamação do serviço", TOWN.complaint, "Identidade protegida", "Cobrou o dobro.")
        await reports(rita, TOWN, sealed, knows_city=False)
        nameless = Report("Discriminação", TOWN.discrimination, "Anônimo, com recibo", "Fui deixada na rua.", "Raça")
        protocol = await reports(ana, TOWN, nameless, knows_city=False)
        told = await ana.sees("O seu recibo")
        receipt = re.search(r"(?:\d{4} ){3}\d{4}", told.text)
        assert receipt is not None

        await set_up.closes()
        renewed = {"secret_key": NEW, "earlier_keys": (SECRET,)}
        set_up.settings = set_up.settings.model_copy(update=renewed)
        await set_up.opens()

        await takes_next(olga, "Ouvidoria")
        await olga.presses("Perguntar")
        await olga.sees("O que você quer perguntar?")
        await olga.sends("A que horas foi?")
        await olga.presses("Enviar a pergunta")
        await rita.sees("A que horas foi?")
        await rita.presses("Responder")
        await rita.sends("Às dez.")
        await rita.sees("Agora a vez é da prefeitura")
        await olga.sees("Às dez.")

        await ana.sends("/recibo")
        await ana.sees("Qual é o número do recibo?")
        await ana.sends(receipt[0])
        await ana.sees(protocol)
        assert (await set_up.phones.log())["errors"] == []
