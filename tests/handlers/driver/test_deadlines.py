"""What is due, why on that day, who pays, and what a reminder says of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from domain.people.model import Recipient
from domain.reminders.model import Moved, Obligation, ObligationState, Told
from handlers.shared import reminders
from handlers.shared.outgoing import Priority
from tests.support.builders import laws
from tests.support.driving import Driver, driver

TODAY = date(2026, 11, 30)


async def approved() -> Driver:
    """Return Ana, approved today."""
    ana = await driver()
    await ana.hands_in()
    await ana.approved()
    return ana


def owed(ana: Driver, rule: str) -> Obligation:
    """Return the first stored obligation of a rule."""
    found = [one for one in ana.phone.memory.committed.obligations.values() if one.rule == rule]
    return min(found, key=lambda one: one.due_on)


async def test_the_dates_come_soonest_first_with_how_far_they_are() -> None:
    """Ana reads each date, how many days are left, and of which city."""
    ana = await approved()
    await ana.sends("/prazos")

    assert "• 22/01/2027 (em 53 dias): Taxa do motorista, Vila Clara" in ana.text
    shown = [line for line in ana.text.splitlines() if line.startswith("• ")]
    days = [line[8:12] + line[5:7] + line[2:4] for line in shown]
    assert days == sorted(days)


async def test_a_fee_that_the_operator_bears_is_said_to_be_the_operators() -> None:
    """Ana reads that the operator pays its fee, and until when; it is no obligation of hers."""
    ana = await approved()
    await ana.sends("/prazos")

    assert "Taxa de operação (8 UFM por ano): quem paga é a empresa operadora." in ana.text
    assert "De você não se cobra (art. 11, § 1º). Vencimento para a empresa operadora: 10/02/2027." in ana.text
    assert not any(one.rule == "taxa-operacao" for one in ana.phone.memory.committed.obligations.values())


async def test_what_the_law_leaves_open_is_said_and_not_invented() -> None:
    """A fee left to a decree and an inspection that the city may ask for have no date, and the screen says so."""
    ana = await approved()
    await ana.sends("/prazos")

    assert "Taxa de cadastro (art. 12): O valor e o dia ficam para um decreto. A lei não fixa o dia." in ana.text
    assert "Vistoria a pedido (art. 16): a prefeitura pode pedir a cada 3 meses" in ana.text


async def test_what_has_no_day_says_why_too() -> None:
    """Ana asks why the operator pays and why a fee has no day: each with its article and how firmly the law says it."""
    ana = await approved()
    await ana.sends("/prazos")
    await ana.presses("Por quê? Sem dia marcado: Vila Clara")

    assert "Taxa de operação (8 UFM por ano): quem paga é a empresa operadora." in ana.text
    assert "A lei deixa isto para um regulamento, que este balcão ainda não tem." in ana.text
    assert ana.text.count("Lei nº 10, de 2 de janeiro de 2020") == 1
    await ana.presses("Voltar aos prazos")
    assert "Meus prazos" in ana.text


async def test_somebody_without_a_registration_is_led_to_one() -> None:
    """Who owes nothing because nothing began is told so, and has a way on."""
    ana = await driver()
    await ana.sends("/prazos")

    assert "Você ainda não tem cadastro" in ana.text
    await ana.presses("Começar um cadastro")
    assert "Para quem é o cadastro?" in ana.text


async def test_one_date_says_who_pays_how_much_to_whom_and_why() -> None:
    """Ana opens the fee: amount, payer, collector; and asks why: the days that were counted and the article."""
    ana = await approved()
    await ana.sends("/prazos")
    await ana.presses("22/01/2027 Taxa do motorista")
    assert "Quem paga: você. Quem recebe: Secretaria de Trânsito." in ana.text
    assert "Valor: 3 UFM." in ana.text

    await ana.presses("Por que esta data?")

    assert "O dia útil número 15 do mês 1 de 2027 é 22/01/2027." in ana.text
    assert "Não conta 01/01/2027: Confraternização Universal." in ana.text
    assert "art. 10" in ana.text
    why = f"r:why_due:{owed(ana, 'taxa-motorista').id}"
    for language, holiday in (("English", "New Year's Day"), ("Español", "Año Nuevo")):
        await ana.sends("/idioma")
        await ana.presses(language)
        await ana.phone.presses_data(why)
        assert holiday in ana.text


async def test_what_is_done_is_not_reminded_of_any_more() -> None:
    """Ana says "Já fiz" twice: the second press finds it done, and the date is gone from her list."""
    ana = await approved()
    one = owed(ana, "taxa-motorista")
    await ana.phone.presses_data(f"r:done:{one.id}")
    assert "Taxa do motorista: anotado como feito" in ana.text
    assert "22/01/2027 (" not in ana.text
    await ana.phone.presses_data(f"r:done:{one.id}")

    assert ana.phone.memory.committed.obligations[one.id].state is ObligationState.DONE
    assert not ana.phone.errors
    for verb in ("due", "why_due"):
        await ana.phone.sends("/menu")
        await ana.phone.presses_data(f"r:{verb}:{one.id}")
        assert "já foi cumprido" in ana.text


async def test_nobody_settles_what_somebody_else_owes() -> None:
    """Caio presses Ana's buttons: nothing of hers is shown or changed."""
    ana = await approved()
    one = owed(ana, "taxa-motorista")
    caio = await ana.phone.memory.person("Caio")
    phone = type(ana.phone)(ana.phone.app, ana.phone.memory, caio)

    await phone.presses_data(f"r:done:{one.id}")
    assert "Não encontrei isso" in phone.text
    for verb in ("due", "why_due", "undated"):
        await phone.presses_data(f"r:{verb}:{one.id}")
        assert "Taxa" not in phone.text

    assert ana.phone.memory.committed.obligations[one.id] == one


async def test_a_reminder_of_one_date_says_what_until_when_who_and_how() -> None:
    """A week before, Ana reads everything that she needs in one message, with buttons that last."""
    ana = await approved()
    one = owed(ana, "taxa-motorista")
    told = Told(Recipient(ana.phone.person.id, ana.phone.person.chat_id, "pt_BR"), one.city, (one,), "reminder:1:1")

    message = reminders.render(told, laws(), one.due_on - timedelta(days=7))
    ana.phone.delivers(message)

    assert "Lembrete: você tem 1 prazo" in ana.text
    assert "Até sexta-feira, 22 de janeiro de 2027 (em 7 dias)" in ana.text
    assert "Quem paga: você" in ana.text
    assert (message.key, message.priority) == ("reminder:1:1", Priority.REMINDER)
    await ana.presses("Por quê?")
    assert "O dia útil número 15" in ana.text
    await ana.presses("Já fiz")
    assert "anotado como feito" in ana.text


async def test_reminders_of_one_day_are_one_message_and_fit_into_it() -> None:
    """Twelve dates at once make one message, numbered, below Telegram's limit, with the rest in /prazos."""
    ana = await approved()
    one = owed(ana, "antecedentes")
    many = tuple(replace(one, id=number) for number in range(1, 13))
    told = Told(Recipient(ana.phone.person.id, ana.phone.person.chat_id, "pt_BR"), one.city, many, "reminder:1:2")

    message = reminders.render(told, laws(), one.due_on)

    assert "você tem 12 prazos" in message.text
    assert "1. <b>Certidão criminal</b>" in message.text
    assert "(hoje)" in message.text
    assert "E mais 6 em /prazos." in message.text
    assert len(message.text) < 4096


async def test_a_date_that_moved_is_told_with_the_old_one_and_the_new() -> None:
    """A holiday moves the fee: Ana reads both dates; when nothing is owed any more she reads that."""
    ana = await approved()
    one = owed(ana, "taxa-motorista")
    recipient = Recipient(ana.phone.person.id, ana.phone.person.chat_id, "pt_BR")
    later = replace(one, due_on=date(2027, 1, 25))

    moved = reminders.moved(Moved(recipient, one, later), TODAY)
    gone = reminders.moved(Moved(recipient, one, None), TODAY)

    assert moved is not None
    assert "mudou de 22/01/2027 para <b>25/01/2027</b>" in moved.text
    assert gone is not None
    assert "não vale mais" in gone.text
    assert moved.key != gone.key
    assert reminders.moved(Moved(None, one, later), TODAY) is None


async def test_a_renewal_starts_from_the_answers_of_the_registration() -> None:
    """Ana opens the renewal's date and begins it at once; what she answered last time is there to be confirmed."""
    ana = await approved()
    one = owed(ana, "renovacao")
    await ana.phone.presses_data(f"r:due:{one.id}")
    await ana.presses("Renovar agora")

    assert "Confira as suas respostas" in ana.text
    await ana.presses("Ver o resultado")
    await ana.presses("Começar meu cadastro")
    assert "0 de 2 anexados" in ana.text
