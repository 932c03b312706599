"""What staff writes: questions, answers, outcomes, notes. Nothing reaches a citizen but through one of these forms,
each reviewed before it is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from html import escape
from typing import Any

from domain.cases.commands import AddNote, AnswerCitizen, Ask, CaseCard, CaseUpdate, Decide, ExtendTerm, TransferCase
from domain.cases.model import REPORT_OUTCOMES, Outcome
from domain.privacy.model import IdentityMode
from domain.registration.commands import Approve, Deny, RefuseItem
from domain.reports.answer import answer_deadline, extended_deadline
from handlers.shared import formats
from handlers.shared.buttons import Press
from handlers.shared.casewords import KINDS, OUTCOMES, bold, named, quoted
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Option, Question
from handlers.shared.notices import announce
from handlers.shared.texts import N_, Html
from handlers.staff.card import Act, card_of, on_card
from handlers.staff.common import AREA, case_params, role_ended
from handlers.staff.documents import REFUSE_FORM, show_next

Sender = Callable[[BotContext, FormView], Awaitable[tuple[CaseUpdate, str]]]


def text_question(
    prompt: str, hint: str = "", *, label: str, optional: bool = False, max_length: int = 2000
) -> Question:
    """Return the question for what is written, ``label`` being its name when it is read back."""
    return Question(
        key="text",
        prompt=prompt,
        accepts=(Kind.TEXT,),
        hint=hint,
        optional=optional,
        max_length=max_length,
        label=label,
    )


def about(title: str) -> Callable[[FormView], Html]:
    """Return a form's title with the case that it is about."""
    return lambda view: Html(f"{view.tr(title)} · {escape(view.params['name'], quote=False)}")


def reader(view: FormView) -> str:
    """Return who will read it and when: the last thing seen before it is sent."""
    if view.params.get("anonymous"):
        return view.tr("Vai para o cidadão. Ele é anônimo: lê quando abrir o recibo.")
    return view.tr("Vai para o cidadão assim que você enviar.")


def written(
    key: str,
    title: str,
    *questions: Question,
    send: Sender,
    label: str,
    review: bool = True,
    note: Callable[[FormView], str] | str = reader,
) -> Form:
    """Return a form about a case whose use case is ``send``; afterwards the card is shown with what was done."""

    async def submit(context: BotContext, view: FormView) -> None:
        update, done = await send(context, view)
        await announce(context, update)
        text, buttons = await card_of(context, view.params["case"], f"✅ {done}", queue=view.params.get("queue"))
        context.show(text, buttons=buttons)

    return Form(
        key=key,
        title=about(title),
        questions=questions,
        submit=submit,
        named=True,
        review=review,
        review_title=about(title),
        review_note=note,
        send_label=label,
        on_cancel=back,
        lapsed=role_ended,
    )


async def back(context: BotContext, view: FormView) -> None:
    """Return to the card without having sent anything."""
    text, buttons = await card_of(context, view.params["case"], context.tr("Nada foi enviado."))
    context.show(text, buttons=buttons)


async def send_question(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Ask; the turn passes to the citizen."""
    command = Ask(by=context.person, case_id=view.params["case"], text=view.text("text"))
    return await context.services.ask(command), context.tr("Pergunta enviada. Agora a vez é do cidadão.")


async def send_answer(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Answer while the case goes on."""
    command = AnswerCitizen(by=context.person, case_id=view.params["case"], text=view.text("text"))
    return await context.services.answer_citizen(command), context.tr("Resposta enviada. O caso continua com você.")


async def send_outcome(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Tell how a report ends."""
    command = Decide(
        by=context.person, case_id=view.params["case"], outcome=Outcome(view.text("outcome")), text=view.text("text")
    )
    done = context.tr("Conclusão enviada. O cidadão pode confirmar ou contestar.")
    return await context.services.decide(command), done


async def send_extension(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Take longer for the answer; the citizen is told until when, and why."""
    command = ExtendTerm(by=context.person, case_id=view.params["case"], text=view.text("text"))
    return await context.services.extend_term(command), context.tr("Prazo prorrogado. O motivo foi para o cidadão.")


async def send_denial(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Deny a registration."""
    command = Deny(by=context.person, case_id=view.params["case"], text=view.text("text"))
    return await context.services.deny(command), context.tr("O cadastro não foi aprovado. A pessoa recebe o motivo.")


async def send_approval(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Approve a registration with a message."""
    command = Approve(by=context.person, case_id=view.params["case"], text=view.text("text"))
    return (await context.services.approve(command)).update, context.tr("Cadastro aprovado. A pessoa é avisada.")


async def keep_note(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Write a note for colleagues."""
    command = AddNote(by=context.person, case_id=view.params["case"], text=view.text("text"))
    return await context.services.add_note(command), context.tr("Nota guardada. Só a equipe lê.")


async def send_transfer(context: BotContext, view: FormView) -> tuple[CaseUpdate, str]:
    """Hand the case over to another queue."""
    command = TransferCase(
        by=context.person, case_id=view.params["case"], queue=view.text("queue"), text=view.text("text")
    )
    return await context.services.transfer_case(command), context.tr("O caso passou para a outra fila.")


def new_date(view: FormView) -> str:
    """Return from when to when an extension moves the term, with the article."""
    before, until = (formats.day(date.fromisoformat(day), view.tr.language) for day in view.params["days"])
    cite = view.params["cite"]
    return view.tr("O prazo passa de {before} para {day} ({cite}).", before=before, day=until, cite=cite)


def other_queues(view: FormView) -> tuple[Option, ...]:
    """Return the queues that the case can go to."""
    return tuple(Option(key, label) for key, label in view.params["queues"])


ASK = written(
    "staff_ask",
    N_("Pergunta ao cidadão"),
    text_question(
        N_("O que você quer perguntar?"),
        N_("Uma coisa de cada vez: quem lê está no celular e quer entender logo."),
        label=N_("Pergunta"),
    ),
    send=send_question,
    label=N_("Enviar a pergunta"),
)
ANSWER = written(
    "staff_answer",
    N_("Resposta ao cidadão"),
    text_question(
        N_("O que você quer dizer ao cidadão?"),
        N_("O caso continua aberto depois desta resposta."),
        label=N_("Resposta"),
    ),
    send=send_answer,
    label=N_("Enviar a resposta"),
)
DECIDE = written(
    "staff_decide",
    N_("Conclusão"),
    Question(
        key="outcome",
        prompt=N_("Como o caso termina?"),
        accepts=(Kind.CHOICE,),
        options=tuple(Option(outcome.value, OUTCOMES[outcome]) for outcome in REPORT_OUTCOMES),
        label=N_("Resultado"),
    ),
    text_question(
        N_("Explique o resultado ao cidadão."),
        N_("O que foi apurado, o que foi feito e por quê."),
        label=N_("Explicação"),
    ),
    send=send_outcome,
    label=N_("Enviar a conclusão"),
)
EXTEND = written(
    "staff_extend",
    N_("Prorrogar o prazo"),
    Question(
        key="text",
        prompt=N_("Por que a resposta precisa de mais tempo?"),
        accepts=(Kind.TEXT,),
        hint=lambda view: Html(f"{new_date(view)}\n{view.tr('Só pode uma vez, e o cidadão lê o motivo.')}"),
        max_length=2000,
        label=N_("Motivo"),
    ),
    send=send_extension,
    label=N_("Prorrogar o prazo"),
    note=lambda view: f"{new_date(view)}\n{reader(view)}",
)
DENY = written(
    "staff_deny",
    N_("Não aprovar o cadastro"),
    text_question(
        N_("Por que o cadastro não pode ser aprovado?"),
        N_("A pessoa lê este texto. Cite o que a lei pede."),
        label=N_("Motivo"),
    ),
    send=send_denial,
    label=N_("Não aprovar"),
)
APPROVE = written(
    "staff_approve",
    N_("Aprovar com mensagem"),
    text_question(N_("O que você quer dizer junto com a aprovação?"), label=N_("Mensagem")),
    send=send_approval,
    label=N_("Aprovar"),
)
NOTE = written(
    "staff_note",
    N_("Nota da equipe"),
    text_question(N_("O que você quer anotar?"), N_("🔒 Só a equipe lê. O cidadão nunca vê."), label=N_("Nota")),
    send=keep_note,
    label=N_("Guardar"),
    review=False,
    note="",
)
MOVE = written(
    "staff_move",
    N_("Passar adiante"),
    Question(
        key="queue",
        prompt=N_("Para qual fila vai o caso?"),
        accepts=(Kind.CHOICE,),
        options=other_queues,
        label=N_("Fila"),
    ),
    text_question(
        N_("Quer deixar uma nota para os colegas?"), N_("🔒 Só a equipe lê."), label=N_("Nota"), optional=True
    ),
    send=send_transfer,
    label=N_("Passar adiante"),
    note=N_("O cidadão é avisado de que o caso mudou de equipe. A nota fica só com a equipe."),
)


def refuse_form(view: FormView) -> Form:
    """Refuse a document: the reason is enough; words of one's own are read back before they go out."""
    return Form(
        key=REFUSE_FORM,
        title=lambda view: view.tr("Recusar: {item}", item=view.params["label"]),
        questions=(
            Question(
                key="reason",
                prompt=N_("O que há de errado?"),
                accepts=(Kind.CHOICE,),
                options=tuple(Option(reason.code, reason.label) for reason in view.laws.reject_reasons.values()),
                hint=N_("A pessoa lê o motivo e como resolver."),
            ),
            Question(
                key="comment",
                prompt=refusal_preview,
                accepts=(Kind.CHOICE, Kind.TEXT),
                options=(Option("send", N_("Enviar a recusa")),),
                max_length=800,
                hint=N_("Se quiser acrescentar algo com as suas palavras, escreva antes de enviar."),
            ),
            Question(
                key="sure",
                prompt=lambda view: Html(
                    f"{view.tr('Enviar a recusa com este texto?')}\n{quoted(view.text('comment'))}"
                ),
                accepts=(Kind.CHOICE,),
                options=(Option("send", N_("Enviar a recusa")),),
                when=lambda view: bool(own_words(view)),
            ),
        ),
        submit=refuse,
        named=True,
        review=False,
        on_cancel=back,
        lapsed=role_ended,
    )


def own_words(view: FormView) -> str:
    """Return what was written beside the reason; "" when the refusal was sent as it is."""
    return view.text("comment").strip() if view.kind("comment") is Kind.TEXT else ""


def refusal_preview(view: FormView) -> Html:
    """Return what the person will read for the chosen reason."""
    reason = view.laws.reject_reasons[view.text("reason")]
    told = f"{named(reason.sentence, view.tr)}\n{named(reason.cure, view.tr)}"
    return Html(f"{view.tr('A pessoa vai ler:')}\n{quoted(told)}")


async def refuse(context: BotContext, view: FormView) -> None:
    """Refuse; the next document comes by itself."""
    params, tr = view.params, context.tr
    update = await context.services.refuse_item(
        RefuseItem(
            by=context.person,
            case_id=params["case"],
            item=params["item"],
            reason=view.text("reason"),
            comment=own_words(view),
            seen=params["seen"],
        )
    )
    await announce(context, update)
    context.show(
        "❌ " + tr("{item}: recusa enviada. A pessoa recebe o motivo e como resolver.", item=bold(params["label"]))
    )
    await show_next(context, params["case"])


def starts(form: Form) -> Callable[[BotContext, Press, CaseCard], Awaitable[None]]:
    """Return what opens a form about the case of a card."""

    async def start(context: BotContext, press: Press, card: CaseCard) -> None:
        await engine.start(context, form.key, params=params_of(context, card, form))

    return start


def params_of(context: BotContext, card: CaseCard, form: Form) -> Mapping[str, Any]:
    """Return what a form knows of the case; a form put aside is found again by it."""
    case = card.case
    params = case_params(case) | {"name": f"{context.tr(KINDS[case.kind])} {case.protocol}", "queue": case.queue}
    if card.party.mode is IdentityMode.ANONYMOUS:
        params["anonymous"] = True
    if form is EXTEND:
        due, more = (find(case, laws=context.laws) for find in (answer_deadline, extended_deadline))
        if due is not None and due.ends_on is not None and more is not None and more.ends_on is not None:
            params |= {"days": [due.ends_on.isoformat(), more.ends_on.isoformat()], "cite": str(more.cite)}
    if form is MOVE:
        params["queues"] = [[queue.key, queue.label] for queue in context.services.transfer_queues(case)]
    return params


def register(desk: Desk) -> None:
    """Bring the forms to the desk."""
    buttons = {
        Act.ASK: ASK,
        Act.ANSWER: ANSWER,
        Act.DECIDE: DECIDE,
        Act.EXTEND: EXTEND,
        Act.DENY: DENY,
        Act.NOTE: NOTE,
        Act.MOVE: MOVE,
    }
    for verb, form in buttons.items():
        desk.form(form.key, form)
        desk.press(AREA, verb, on_card(verb, starts(form)))
    desk.form(APPROVE.key, APPROVE)
    desk.press(AREA, "approvewith", on_card(Act.APPROVE, starts(APPROVE)))
    desk.form(REFUSE_FORM, refuse_form)
