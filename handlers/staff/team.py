"""Who works here: a manager sees the team of a city, invites somebody to a role and takes a role away."""

from __future__ import annotations

from html import escape

from domain.errors import NotAllowed
from domain.law.model import City
from domain.people.model import Role
from domain.people.ports import StaffMember
from domain.people.service import InviteStaff, Left, RevokeRole
from handlers.shared import formats
from handlers.shared.bidi import isolated
from handlers.shared.buttons import ForgedButton, Press, lasting
from handlers.shared.casewords import bold, clip
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk, MenuEntry
from handlers.shared.forms.places import park
from handlers.shared.listing import listing_for
from handlers.shared.menu import menu_button
from handlers.shared.outgoing import Button, Outgoing, Priority
from handlers.shared.pages import page_of
from handlers.shared.texts import N_, Html, Translator
from handlers.staff.common import token
from handlers.staff.invite import ROLES

AREA = "team"
PAGE = 10
CASES_NAMED = 10


def managed(context: BotContext) -> list[City]:
    """Return the cities that the person manages."""
    return [city for city in context.laws.cities() if context.person.may(city.slug, (Role.MANAGER,))]


def manages(context: BotContext) -> bool:
    """Return whether the person manages a city."""
    return bool(managed(context))


def city_of(context: BotContext, press: Press) -> City:
    """Return the managed city that a button names.

    Raises:
        NotAllowed: The person does not manage it.
    """
    for city in managed(context):
        if token(city.slug) == press.word():
            return city
    raise NotAllowed("not the manager of this city")


def role_of(press: Press, at: int) -> Role:
    """Return the role that a button names.

    Raises:
        ForgedButton: There is no such role.
    """
    if press.word(at) not in {role.value for role in Role}:
        raise ForgedButton
    return Role(press.word(at))


def role_name(context: BotContext, role: Role) -> str:
    """Return a role's name in the person's language."""
    return context.tr(ROLES[role][0])


async def open_team(context: BotContext) -> None:
    """The team, from the menu: of the city, or of the one that is chosen."""
    park(context.conversation)
    cities, tr = managed(context), context.tr
    if len(cities) == 1:
        await show_team(context, cities[0], fresh=True)
        return
    rows = [(lasting(city.name, AREA, "show", token(city.slug), 1),) for city in cities]
    context.say(f"<b>{tr('Equipe')}</b>\n{tr('De qual cidade?')}", buttons=(*rows, (menu_button(context),)))


async def show_team(context: BotContext, city: City, page: int = 1, *, note: str = "", fresh: bool = False) -> None:
    """Show who has which role; each but one's own leads to taking it away."""
    tr, name = context.tr, token(city.slug)
    shown = page_of(await context.services.list_staff(city.slug, context.person), page, PAGE)
    lines = [note, ""] if note else []
    lines += [f"<b>{tr('Equipe')}</b> · {escape(city.name, quote=False)}"]
    rows: list[tuple[Button, ...]] = [(lasting(tr("Convidar"), AREA, "roles", name),)]
    for member in shown.items:
        role, mine = role_name(context, member.role), member.person_id == context.person.id
        you = f" ({tr('você')})" if mine else ""
        lines.append(f"• {escape(isolated(member.name), quote=False)}: {role}{you}")
        if not mine:
            label = f"{clip(member.name, 30)}: {role}"
            rows.append((lasting(label, AREA, "ask", name, member.person_id, member.role.value),))
    if len(rows) > 1:
        lines += ["", tr("Para tirar uma função, toque no nome.")]
    rows += shown.turns(lambda text, to: lasting(text, AREA, "show", name, to), tr("Anterior"), tr("Próxima"))
    rows.append((menu_button(context),))
    (context.say if fresh else context.replace)("\n".join(lines), buttons=tuple(rows))


async def press_show(context: BotContext, press: Press) -> None:
    """The team of a city, or another page of it."""
    await show_team(context, city_of(context, press), press.number(1))


async def press_roles(context: BotContext, press: Press) -> None:
    """Ask what the invitation is for: each role with what one does in it."""
    city, tr, name = city_of(context, press), context.tr, press.word()
    lines = [f"<b>{tr('Convidar para qual função?')}</b> ({escape(city.name, quote=False)})"]
    lines += [f"• {bold(tr(role).capitalize())}: {tr(work)}" for role, work in ROLES.values()]
    rows = [(lasting(role_name(context, role).capitalize(), AREA, "invite", name, role.value),) for role in ROLES]
    context.replace("\n".join(lines), buttons=(*rows, back_to(context, name)))


async def press_invite(context: BotContext, press: Press) -> None:
    """Write an invitation, in a message of its own that can be forwarded as it is."""
    city, role, tr = city_of(context, press), role_of(press, 1), context.tr
    invited = await context.services.invite_staff(InviteStaff(city=city.slug, role=role, by=context.person))
    until = formats.moment(invited.invite.expires_at, city.zone, tr.language)
    link = f"https://t.me/{context.bot.username}?start={invited.payload}"
    context.replace(tr("O convite está na mensagem abaixo. Encaminhe a uma pessoa só: quem abrir primeiro entra."))
    told = tr("Convite para a equipe: {role} em {city}.", role=bold(role_name(context, role)), city=city.name)
    ends = tr("Vale uma vez, até {moment}.", moment=until)
    context.say(f"{told}\n{ends}\n{link}")
    context.say(tr("Para outra pessoa, faça outro convite."), buttons=(back_to(context, press.word()),))


async def press_ask(context: BotContext, press: Press) -> None:
    """Ask before a role is taken away."""
    city, tr, name = city_of(context, press), context.tr, press.word()
    member = await member_of(context, city, press)
    if member is None:
        await show_team(context, city, note=tr("Essa pessoa já não tem essa função."))
        return
    who, role = bold(member.name), Html(role_name(context, member.role))
    text = "\n".join(
        (
            f"<b>{tr('Tirar a função?')}</b>",
            tr("{name} deixa de ser da equipe: {role} em {city}.", name=who, role=role, city=city.name),
            tr("Os casos que só essa função permite voltam à fila na hora."),
        )
    )
    gone = lasting(tr("Sim, tirar"), AREA, "gone", name, member.person_id, member.role.value)
    context.replace(text, buttons=((gone,), back_to(context, name)))


async def press_gone(context: BotContext, press: Press) -> None:
    """Take a role away; one's own stays, so that a city is not left without whoever invites."""
    city, tr = city_of(context, press), context.tr
    member = await member_of(context, city, press)
    if member is None or member.person_id == context.person.id:
        await show_team(context, city)
        return
    command = RevokeRole(person_id=member.person_id, city=city.slug, role=member.role, by=context.person)
    left = await context.services.revoke_role(command)
    if left.person.reachable:
        context.turn.outbox += farewell(context, left, city, member.role)
    back = len(left.cases)
    note = "✅ " + tr("{name} não tem mais essa função.", name=bold(member.name))
    if back:
        note += "\n" + tr.many("{n} caso voltou à fila.", "{n} casos voltaram à fila.", back)
    await show_team(context, city, note=note)


def farewell(context: BotContext, left: Left, city: City, role: Role) -> tuple[Outgoing, Outgoing]:
    """Return what whoever was in the team is told: the end of it, and which cases are not theirs to worry about now."""
    tr, person = Translator(left.person.language), left.person
    ended = tr(
        "A sua função na equipe de {city} terminou: {role}. Obrigado por ter atendido as pessoas.",
        city=city.name,
        role=bold(tr(ROLES[role][0])),
    )
    back = [case.protocol or "" for case in left.cases]
    if len(back) > CASES_NAMED:
        rest = len(back) - CASES_NAMED
        back = [*back[:CASES_NAMED], tr.many("mais {n}", "mais {n}", rest)]
    named = formats.all_of(back, person.language)
    went = tr.many(
        "O caso que estava com você voltou à fila, com tudo o que você fez: {cases}.",
        "Os {n} casos que estavam com você voltaram à fila, com tudo o que você fez: {cases}.",
        len(left.cases),
        cases=named,
    )
    menu = lasting(tr("Menu"), "menu", "home")
    text = f"{ended}\n{went}" if left.cases else ended
    told = Outgoing(person.chat_id, text=text, buttons=((menu,),), priority=Priority.NOTICE)
    return told, listing_for(context.desk, person)


async def member_of(context: BotContext, city: City, press: Press) -> StaffMember | None:
    """Return whose role a button names, if it is still held."""
    number, role = press.number(1), role_of(press, 2)
    team = await context.services.list_staff(city.slug, context.person)
    return next((member for member in team if (member.person_id, member.role) == (number, role)), None)


def back_to(context: BotContext, name: str) -> tuple[Button, ...]:
    """Return the row that leads back to the team."""
    return (lasting(context.tr("Voltar à equipe"), AREA, "show", name, 1), menu_button(context))


def register(desk: Desk) -> None:
    """Bring the team to the desk."""
    desk.press(AREA, "show", press_show)
    desk.press(AREA, "roles", press_roles)
    desk.press(AREA, "invite", press_invite)
    desk.press(AREA, "ask", press_ask)
    desk.press(AREA, "gone", press_gone)
    desk.entry(MenuEntry(key="team", label=N_("Equipe"), action=open_team, order=12, when=manages))
