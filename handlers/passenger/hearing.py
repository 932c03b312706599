"""What free text tells of a report or of a case: buttons that go straight to its subject, or send it as the answer."""

from __future__ import annotations

from domain.cases.model import CaseKind, CaseState
from domain.law.model import OTHER_SUBJECT, Subject
from domain.values.text import heard
from handlers.passenger import danger
from handlers.passenger.common import OWN, Handle, served
from handlers.shared.buttons import lasting
from handlers.shared.casewords import named
from handlers.shared.context import BotContext
from handlers.shared.desk import Heard
from handlers.shared.outgoing import Button
from handlers.shared.texts import N_, Translator

DANGER = (
    *("socorro", "perigo ", "estou com medo", "ameac", "assedi", "abusou", "abusad", "estup", "agred", "me seguindo"),
    *("in danger", "threat", "harass", "rape", "attack", "peligro", "amenaz", "acos", "auxilio"),
)
LOST = (
    *("perdi ", "esqueci ", "deixei ", "achei ", "achados", "encontrei ", "objeto"),
    *("lost ", "forgot ", "left my", "found a", "olvide", "deje mi", "encontre "),
)
TIMETABLE = (
    *(
        "que horas",
        "que hora ",
        "qual o horario",
        "quais os horarios",
        "horario do onibus",
        "horarios",
        "tabela de hor",
    ),
    *("timetable", "schedule", "what time", "when does the bus", "a que hora", "horario del"),
)
SOMEBODY = (
    *("atendente", "falar com alg", "falar com uma pessoa", "humano", "pessoa de verdade", "telefone da prefeitura"),
    *("talk to", "speak to", "real person", "hablar con"),
)
WITHDRAW = ("desist", "cancelar minha", "retirar", "tirar minha", "withdraw", "cancel my", "cancelar mi ")
DISAGREE = (
    *("nao concord", "discord", "contest", "absurdo", "nao resolv", "injust", "recorrer"),
    *("disagree", "not solved", "unfair", "appeal", "no estoy de acuerdo", "no resuelv", "apelar"),
)
RECEIPT = ("recibo", "receipt")
NO_OBJECT = (*RECEIPT, "praz", "protocol", "plazo", "deadline")
LOST_RECEIPT = N_(
    "Sem o recibo ninguém abre um relato anônimo, nem nós: é isso que protege quem relata. Procure nesta conversa "
    "a mensagem com 🔑. Se ela se perdeu, conte de novo pelo menu: o relato novo leva outro recibo."
)
A_STORY = 4  # words: fewer are no account of what happened
SHOWN = 3


def about(tr: Translator, subject: Subject) -> Button:
    """Return the button that opens a report at its subject; its label is as short as a phone's buttons are wide."""
    return lasting(named(subject.label, tr), OWN, "about", subject.kind, subject.key)


def subjects(context: BotContext) -> list[Subject]:
    """Return what reports in the person's city can be about."""
    books = context.laws.rulebooks(context.person.city or "")
    return [subject for book in books for subject in book.subjects_by_key.values()]


async def hear_report(context: BotContext, text: str) -> Heard | None:
    """Return how to report what ``text`` tells of; ``None`` when it tells of nothing that is known."""
    tr, words, every = context.tr, context.laws.words, subjects(context)
    if kind := words.kind_of(text):
        every = [subject for subject in every if subject.kind == kind]
    found = words.about(text, every) or (tuple(every) if kind else ())
    buttons = tuple(about(tr, subject) for subject in found[:SHOWN])
    kept = N_("Toque no assunto: o que você escreveu já vai no relato.")
    tell = tr(kept if is_story(text) else N_("Toque no assunto para contar o que houve."))
    if heard(text, DANGER):
        return Heard(note=danger.exits(tr), buttons=(danger.danger_button(context), *buttons), weight=2)
    if buttons:
        return Heard(note=tell, buttons=buttons, weight=2 if kind else 1)
    if heard(text, SOMEBODY):
        return Heard(
            note=tr("Quem responde é a equipe da prefeitura, por escrito. Conte em um relato e a resposta chega aqui."),
            weight=2,
        )
    if heard(text, TIMETABLE):
        return Heard(
            note=tr("Não tenho os horários das linhas. Posso registrar um atraso ou mostrar o que a lei diz."), weight=2
        )
    if heard(text, LOST) and not heard(text, NO_OBJECT):
        return Heard(
            note=tr(
                "Conte em um relato o que foi e onde: a equipe encaminha para quem cuida. "
                "Avise também a empresa ou o motorista, que costumam guardar o que acham."
            ),
            buttons=(lasting(tr("Contar o que perdi ou achei"), OWN, "about", CaseKind.COMPLAINT, OTHER_SUBJECT),),
            weight=2,
        )
    return None


def is_story(text: str) -> bool:
    """Return whether a text is long enough to be kept as what happened."""
    return len(text.split()) >= A_STORY


async def hear_case(context: BotContext, text: str) -> Heard | None:
    """Return what to do with a lost receipt, or with words that may answer what the city hall asked."""
    tr = context.tr
    if heard(text, RECEIPT):
        note = tr(LOST_RECEIPT) if heard(text, LOST) else tr("Tenha à mão o número do recibo.")
        return Heard(note=note, buttons=(lasting(tr("Tenho um recibo"), "a", "ask"),), weight=2)
    every = [case for case in await context.services.my_cases(context.person) if served(context, case)]
    cases = [case for case in every if case.kind is not CaseKind.REGISTRATION]
    if heard(text, WITHDRAW):
        note = tr("Para desistir de um caso, abra-o e toque em “{button}”.", button=tr("Desistir"))
        label = tr("Desistir: {case}")
        drops = (
            Handle(case.id).button(label.format(case=case.protocol or ""), "drop") for case in cases if not case.is_over
        )
        return Heard(note=note, buttons=tuple(drops)[:SHOWN], weight=2)
    for case in cases:
        handle, facts = Handle(case.id), {"case": case.protocol or ""}
        if case.asked:
            note = tr("A prefeitura espera uma resposta sua em {case}.", **facts)
            answer = handle.button(tr("Enviar isto como resposta"), "said")
            return Heard(note=note, buttons=(answer, handle.button(tr("Ler a pergunta"), "reply")), weight=1)
        if case.state is CaseState.DECIDED and heard(text, DISAGREE):
            note = tr("Você pode contestar o resultado de {case}: o caso volta para a equipe.", **facts)
            return Heard(note=note, buttons=(handle.button(tr("Não concordo"), "no"),), weight=2)
    return None
