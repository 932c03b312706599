"""Bia of the registry: a registration from the queue to its approval, document by document."""

from __future__ import annotations

from domain.cases.commands import WithdrawCase
from domain.cases.model import Case, CaseState
from domain.registration.commands import SendItem, Submit
from handlers.shared.outgoing import Kind
from tests.support.builders import OWN_CAR, REGISTRY
from tests.support.office import Office, Phone, office


async def handed_in(town: Office, ana: Phone) -> Case:
    """Let Ana hand in a complete registration."""
    counter = town.counter
    case = await counter.application(ana.person)
    await counter.does("submit", Submit(by=ana.person, case_id=case.id))
    return town.memory.committed.cases[case.id]


async def test_a_registration_goes_from_the_queue_to_the_approval() -> None:
    """Bia takes the oldest, sees the documents, accepts both, approves; Ana hears of each step."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    case = await handed_in(town, ana)
    town.later(days=3)

    await bia.sends("/fila")
    assert "Cadastro: 1 na fila, o mais antigo chegou há 3 dias" in bia.text
    await bia.presses("Pegar o próximo")
    assert f"Cadastro {case.protocol}" in bia.text
    assert "Com você." in bia.text
    assert "De: Ana" in bia.text
    assert "0 de 2 obrigatórios aceitos" in bia.text
    assert "A equipe começou a analisar" in ana.text

    await bia.presses("Conferir documentos (2)")
    assert [message.kind for message in bia.said if message.file_id] == [Kind.PHOTO]
    assert "Conferindo 1 de 2" in bia.text
    assert "art. 5º, I" in bia.text
    await bia.presses("Aceitar")
    assert "✅ CNH: em ordem." in ana.text
    assert "Certidão criminal" in bia.text
    assert "Conferindo 2 de 2" in bia.text
    await bia.presses("Aceitar")
    assert "Todos os itens obrigatórios foram aceitos" in ana.text
    assert "Todos os documentos enviados foram conferidos" in bia.text

    await bia.presses("Aprovar")
    assert "Aprovar este cadastro?" in bia.text
    await bia.presses("Sim, aprovar")
    assert "O seu cadastro foi aprovado" in ana.text
    assert "Encerrado: Aprovado" in bia.text
    assert not bia.errors
    assert town.memory.committed.cases[case.id].outcome == "approved"


async def test_before_an_approval_the_law_that_is_not_met_is_said_again() -> None:
    """Ana told that she is 15: all her documents are accepted, and Bia still reads why the law says no."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    case = await town.counter.application(ana.person, {**OWN_CAR, "birth_date": "2011-05-03"})
    await town.counter.does("submit", Submit(by=ana.person, case_id=case.id))
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")
    await bia.presses("Aceitar")
    await bia.presses("Aceitar")

    await bia.presses("Aprovar")

    assert "Aprovar este cadastro?" in bia.text
    assert "a lei não é atendida em" in bia.text


async def test_a_document_says_why_it_is_asked_for() -> None:
    """Bia asks why the law wants a document, reads its article, and goes back to it."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")

    await bia.presses("Por quê?")
    assert "Por que pedimos: CNH" in bia.text
    assert "art. 5º, I." in bia.text
    await bia.presses("Ver o documento")
    assert "Aceitar" in bia.labels()


async def test_a_refused_document_tells_why_and_how_to_mend_it_and_comes_back_by_itself() -> None:
    """Bia refuses the CNH with a word of her own; Ana sends it again and Bia is told that all is back."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    case = await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")

    await bia.presses("Recusar")
    assert "O que há de errado?" in bia.text
    await bia.presses("Fora de foco")
    assert "não dá para ler" in bia.text
    await bia.sends("Só a frente está <borrada>.")
    assert "A equipe começou" in ana.text  # nothing went out yet
    await bia.presses("Enviar a recusa")

    assert "❌ CNH: precisa enviar de novo." in ana.text
    assert "Apoie o celular" in ana.text
    assert "Só a frente está <borrada>." in ana.text
    assert "Enviar de novo" in ana.labels()
    assert "Certidão criminal" in bia.text  # the next one came by itself
    await bia.presses("Aceitar")
    assert "à espera do cidadão" in bia.text

    files = (await town.memory.file(),)
    await ana.presses("Enviar de novo")
    await ana.presses_data("menu:home")
    update = await town.counter.does("send_item", SendItem(by=ana.person, case_id=case.id, item="cnh", files=files))
    assert update.case.state is CaseState.TAKEN
    assert not bia.errors


async def test_a_reason_alone_is_enough_to_refuse() -> None:
    """With forty cases to go, Bia refuses in three presses; what Ana reads is shown before it goes."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")
    await bia.presses("Recusar")
    await bia.presses("Escura")
    assert "Recusar: CNH\nPasso 2 de 2\nA pessoa vai ler:\nA imagem está escura." in bia.text
    await bia.presses("Enviar a recusa")

    assert "A imagem está escura." in ana.text
    assert "Quem analisou escreveu" not in ana.text


async def test_a_decided_document_says_since_when_and_leads_to_the_next() -> None:
    """Bia looks again at what she refused yesterday: it is not "received" since, and there is nothing to put off."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    await handed_in(town, ana)
    town.later(days=3)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")
    assert "Recebido há 3 dias." in bia.text
    await bia.presses("Recusar")
    await bia.presses("Escura")
    await bia.presses("Enviar a recusa")
    town.later(days=1)
    await bia.sends("/minhas")
    await bia.presses("1: 00001-1")
    await bia.presses("Ver documentos")
    await bia.presses("❌ CNH")

    assert "Decidido há 1 dia." in bia.text
    assert "Recebido" not in bia.text
    await bia.presses("Próximo documento")
    assert "⏳ Certidão criminal" in bia.text


async def test_of_who_cannot_be_told_the_card_says_so() -> None:
    """Ana blocked the bot: Bia reads on the card that nothing reaches her, before and after she decides."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    assert "bloqueou" not in bia.text
    town.memory.blocks(ana.person)
    await bia.presses("Não aprovar")
    await bia.sends("Falta a idade mínima.")
    await bia.presses("Não aprovar")

    assert "A pessoa bloqueou este balcão: por enquanto, nada do que você envia chega a ela." in bia.text
    assert "❌ Encerrado: Não aprovado." in bia.text


async def test_a_document_sent_anew_is_never_decided_unseen() -> None:
    """While Bia looks at the CNH, Ana sends another: the old button shows the new file instead of accepting it."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    case = await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")
    files = (await town.memory.file(),)
    await town.counter.does("send_item", SendItem(by=ana.person, case_id=case.id, item="cnh", files=files))

    await bia.presses("Aceitar")

    assert "mudou o que tinha enviado" in bia.toasts()[0].text
    assert [message.file_id for message in bia.said if message.file_id] == [f"file-{files[0]}"]
    assert town.memory.committed.cases[case.id].items["cnh"].state == "sent"
    await bia.presses("Aceitar")
    assert town.memory.committed.cases[case.id].items["cnh"].state == "accepted"


async def test_a_document_of_a_registration_that_is_over_is_not_decided() -> None:
    """Ana gives up while Bia looks at the CNH: "Aceitar" tells Bia so, and nothing is accepted."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    case = await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    await bia.presses("Conferir documentos (2)")
    await town.counter.does("withdraw_case", WithdrawCase(by=ana.person, case_id=case.id))

    await bia.presses("Aceitar")

    assert bia.toasts()[0].text == "Este caso já foi encerrado."
    assert town.memory.committed.cases[case.id].items["cnh"].state == "sent"


async def test_a_denial_goes_out_only_after_it_was_read_back() -> None:
    """Bia writes why; Ana hears nothing until Bia sends it, and then exactly that."""
    town = await office()
    ana, bia = await town.phone("Ana"), await town.phone("Bia", REGISTRY)
    await handed_in(town, ana)
    await bia.sends("/fila")
    await bia.presses("Pegar o próximo")
    before = len(ana.shown)

    await bia.presses("Não aprovar")
    await bia.sends("Falta a idade mínima.")
    assert "Vai para o cidadão assim que você enviar." in bia.text
    assert len(ana.shown) == before
    await bia.presses("Não aprovar")

    assert "não foi aprovado" in ana.text
    assert "Falta a idade mínima." in ana.text
    assert "Encerrado: Não aprovado" in bia.text
