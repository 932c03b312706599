"""What a citizen does to a case: answer, add, agree, disagree, give up. The same for who holds a receipt."""

from __future__ import annotations

from domain.cases.commands import (
    AddEvidence,
    CaseUpdate,
    ConfirmOutcome,
    ContestOutcome,
    Reply,
    WithdrawCase,
)
from domain.cases.model import CaseKind, CaseState, EventKind
from handlers.passenger.cases import show_case
from handlers.passenger.common import HELD, OWN, Handle, actable, handle_from, handle_of, must_be_served, opened
from handlers.passenger.identity import FILES_AS_SENT, FILES_OF_A_NAME
from handlers.shared.buttons import Press
from handlers.shared.casewords import headline, quoted
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Question
from handlers.shared.forms.places import show
from handlers.shared.menu import menu_button
from handlers.shared.notices import announce
from handlers.shared.texts import N_

REPLY, ADD, CONTEST = "case_reply", "case_add", "case_contest"
NAMED = "named"  # the case carries its person's name, as a registration does
ANYTHING = (Kind.TEXT, Kind.VOICE, Kind.PHOTO, Kind.VIDEO, Kind.DOCUMENT)


async def done(context: BotContext, handle: Handle, update: CaseUpdate, note: str) -> None:
    """Tell the other side and show the case as it stands now."""
    await announce(context, update)
    await show_case(context, handle, note=note)


def given(view: FormView) -> tuple[str, tuple[int, ...]]:
    """Return the words and the files of the one question of these forms."""
    if isinstance(view.value("said"), list):
        return view.caption("said"), view.files("said")
    return view.text("said"), ()


def files_hint(view: FormView) -> str:
    """Return what becomes of the files: a registration carries a name, so that nothing is taken off."""
    return view.tr(FILES_OF_A_NAME if view.params.get(NAMED) else FILES_AS_SENT)


async def send_reply(context: BotContext, view: FormView) -> None:
    """Send the answer."""
    handle = handle_from(view.params)
    case_id, receipt = await actable(context, handle)
    text, files = given(view)
    update = await context.services.reply(
        Reply(by=context.person, case_id=case_id, receipt=receipt, text=text, files=files)
    )
    await done(context, handle, update, context.tr("Enviado. Agora a vez é da prefeitura."))


async def send_evidence(context: BotContext, view: FormView) -> None:
    """Add to the case."""
    handle = handle_from(view.params)
    case_id, receipt = await actable(context, handle)
    text, files = given(view)
    update = await context.services.add_evidence(
        AddEvidence(by=context.person, case_id=case_id, receipt=receipt, text=text, files=files)
    )
    await done(context, handle, update, context.tr("Juntei ao caso. Quem cuida dele vê agora."))


async def send_contest(context: BotContext, view: FormView) -> None:
    """Disagree with the outcome."""
    handle = handle_from(view.params)
    case_id, receipt = await actable(context, handle)
    text, files = given(view)
    update = await context.services.contest_outcome(
        ContestOutcome(by=context.person, case_id=case_id, receipt=receipt, text=text, files=files)
    )
    await done(context, handle, update, context.tr("Certo. O caso voltou para a equipe, com o que você mandou."))


async def back(context: BotContext, view: FormView) -> None:
    """Show the case again after a form about it was left."""
    await show_case(context, handle_from(view.params), note=context.tr("Tudo bem, não enviei nada."))


async def begin(context: BotContext, handle: Handle, form: str, *, fits: bool, moved_on: str) -> None:
    """Open a form about a case, or show the case when the moment for it has passed."""
    if not fits:
        await show_case(context, handle, note=moved_on)
        return
    await engine.start(context, form, params=handle.params)


async def press_reply(context: BotContext, press: Press) -> None:
    """Answer what was asked: the question stands above the form."""
    handle, tr = handle_of(press), context.tr
    seen = await opened(context, handle)
    must_be_served(context, seen.case)
    if not seen.case.asked:
        await show_case(context, handle, note=tr("Não há pergunta à espera de resposta."))
        return
    asked = next((event.text for event in reversed(seen.events) if event.kind is EventKind.ASKED), "")
    params = handle.params | ({NAMED: True} if seen.case.kind is CaseKind.REGISTRATION else {})
    await engine.start(context, REPLY, params=params, note=f"{headline(seen.case, tr)}\n{quoted(asked, 1500)}")


async def press_said(context: BotContext, press: Press) -> None:
    """Send what was just written as the answer to what the city hall asked; when it is gone, ask for it."""
    handle = handle_of(press)
    case = (await opened(context, handle)).case
    said, context.conversation.said = context.conversation.said, ""
    if not said or not case.asked or case.state is not CaseState.WAITING:
        await press_reply(context, press)
        return
    update = await context.services.reply(Reply(by=context.person, case_id=case.id, text=said))
    note = f"{context.tr('Enviado. Agora a vez é da prefeitura.')}\n{quoted(said, 300)}"
    await done(context, handle, update, note)


async def press_add(context: BotContext, press: Press) -> None:
    """Add files or words."""
    handle = handle_of(press)
    case = (await opened(context, handle)).case
    fits = not case.is_over and case.state is not CaseState.DRAFT
    moved_on = context.tr("Este caso já foi concluído: não dá mais para acrescentar.")
    await begin(context, handle, ADD, fits=fits, moved_on=moved_on)


async def press_no(context: BotContext, press: Press) -> None:
    """Disagree: say why."""
    handle = handle_of(press)
    case = (await opened(context, handle)).case
    moved_on = context.tr("Não há resultado para contestar agora.")
    await begin(context, handle, CONTEST, fits=case.state is CaseState.DECIDED, moved_on=moved_on)


async def press_yes(context: BotContext, press: Press) -> None:
    """Agree with the outcome."""
    handle, tr = handle_of(press), context.tr
    case = (await opened(context, handle)).case
    if not case.is_over:
        await show_case(context, handle, note=tr("Não há resultado para confirmar agora."))
        return
    case_id, receipt = await actable(context, handle)
    update = await context.services.confirm_outcome(ConfirmOutcome(by=context.person, case_id=case_id, receipt=receipt))
    await done(context, handle, update, tr("Obrigado por dizer. O caso está encerrado."))


async def press_drop(context: BotContext, press: Press) -> None:
    """Ask before a case is given up."""
    handle, tr = handle_of(press), context.tr
    case = (await opened(context, handle)).case
    must_be_served(context, case)
    lines = [
        headline(case, tr),
        tr("<b>Quer mesmo desistir deste caso?</b>"),
        tr(
            "A prefeitura para de cuidar dele. O que já foi registrado continua guardado. Você pode abrir outro depois."
        ),
    ]
    rows = (
        (handle.button(tr("Não, continuar"), "see"),),
        (handle.button(tr("Sim, desistir"), "dropyes"),),
        (menu_button(context),),
    )
    show(context, "\n".join(lines), rows)


async def press_drop_yes(context: BotContext, press: Press) -> None:
    """Give the case up."""
    handle = handle_of(press)
    case_id, receipt = await actable(context, handle)
    update = await context.services.withdraw_case(WithdrawCase(by=context.person, case_id=case_id, receipt=receipt))
    await done(context, handle, update, context.tr("Pronto: você desistiu deste caso."))


def register(desk: Desk) -> None:
    """Bring the actions to the desk."""
    desk.form(
        REPLY,
        Form(
            key=REPLY,
            title=N_("Responder à prefeitura"),
            questions=(
                Question(
                    key="said",
                    prompt=N_(
                        "Escreva a sua resposta em uma mensagem, que segue na hora. "
                        "Ou envie áudio, fotos ou documentos."
                    ),
                    hint=files_hint,
                    accepts=ANYTHING,
                    max_length=3000,
                    many=True,
                ),
            ),
            review=False,
            submit=send_reply,
            on_cancel=back,
        ),
    )
    desk.form(
        ADD,
        Form(
            key=ADD,
            title=N_("Acrescentar ao caso"),
            questions=(
                Question(
                    key="said",
                    prompt=N_(
                        "Envie fotos, vídeos, áudios ou documentos. "
                        "Ou escreva o que falta em uma mensagem, que segue na hora."
                    ),
                    hint=FILES_AS_SENT,
                    accepts=ANYTHING,
                    max_length=3000,
                    many=True,
                ),
            ),
            review=False,
            submit=send_evidence,
            on_cancel=back,
        ),
    )
    desk.form(
        CONTEST,
        Form(
            key=CONTEST,
            title=N_("Não concordo com o resultado"),
            questions=(
                Question(
                    key="said",
                    prompt=N_(
                        "O que não ficou resolvido? Escreva em uma mensagem, que segue na hora. "
                        "Ou envie áudio, fotos ou documentos."
                    ),
                    hint=FILES_AS_SENT,
                    accepts=ANYTHING,
                    max_length=3000,
                    many=True,
                ),
            ),
            review=False,
            submit=send_contest,
            on_cancel=back,
        ),
    )
    for area in (OWN, HELD):
        for verb, handler in (
            ("reply", press_reply),
            ("said", press_said),
            ("add", press_add),
            ("yes", press_yes),
            ("no", press_no),
            ("drop", press_drop),
            ("dropyes", press_drop_yes),
        ):
            desk.press(area, verb, handler)
