"""The report: told in two minutes, safely, with everything but the matter itself left to the person."""

from __future__ import annotations

from functools import lru_cache

from telegram import Update

from domain.cases.model import CaseKind
from domain.law.loader import Laws
from domain.law.model import OMBUDSMAN_TERM, OTHER_SUBJECT, RACISM_LAW, Ground, Rulebook, Service, Subject
from domain.privacy.model import IdentityMode
from handlers.passenger import danger
from handlers.passenger.common import OWN
from handlers.passenger.filing import REQUIRED, file
from handlers.passenger.hearing import hear_report, is_story
from handlers.passenger.identity import FILES_AS_SENT, identity_hint, who_sees
from handlers.shared.buttons import ForgedButton, Press
from handlers.shared.casewords import bold, named
from handlers.shared.context import BotContext
from handlers.shared.desk import Command, Desk, MenuEntry
from handlers.shared.forms import engine
from handlers.shared.forms.model import Form, FormView, Kind, Option, Question, Understood
from handlers.shared.texts import N_, Html

FORM = "report"
KINDS = (
    Option(CaseKind.COMPLAINT.value, N_("Reclamação do serviço")),
    Option(CaseKind.DISCRIMINATION.value, N_("Discriminação")),
    Option(CaseKind.IRREGULARITY.value, N_("Outra irregularidade")),
)
MODES = (
    Option(IdentityMode.IDENTIFIED.value, N_("Com o meu nome")),
    Option(IdentityMode.PROTECTED.value, N_("Identidade protegida")),
    Option(IdentityMode.ANONYMOUS.value, N_("Anônimo, com recibo")),
)
DAYS = (Option("hoje", N_("Hoje")), Option("ontem", N_("Ontem")))
LONGEST = 3000
WORDS = (
    *("reclam", "denunc", "queixa", "discrimin", "racis", "ofend", "humilh", "assedi", "agred", "ameac", "abus"),
    *("roub", "injust", "irregular", "complain", "report", "quej", "reclamo"),
)
ABOUT = (
    *("motorist", "mototax", "cobrador", "onibus", "carro", "moto ", "corrida", "viagem", "passage", "linha", "ponto"),
    *("driver", "bus ", "car ", "ride", "trip", "conductor", "chofer", "autobus", "viaje"),
)


def book_of(view: FormView) -> Rulebook | None:
    """Return the rulebook of the city and the service chosen so far; ``None`` while they are open."""
    return view.laws.find(view.city, view.value("service"))


def is_discrimination(view: FormView) -> bool:
    return bool(view.value("kind") == CaseKind.DISCRIMINATION)


def cities(view: FormView) -> tuple[Option, ...]:
    """Return the cities served."""
    return _cities(view.laws)


@lru_cache(maxsize=1)
def _cities(laws: Laws) -> tuple[Option, ...]:
    return tuple(Option(city.slug, f"{city.name} ({city.uf})") for city in laws.cities())


def books_of(view: FormView) -> tuple[Rulebook, ...]:
    """Return the rulebooks of the city chosen so far; none while it is open."""
    city = view.city
    return view.laws.rulebooks(city) if city is not None and city in view.laws else ()


def services(view: FormView) -> tuple[Service, ...]:
    """Return the services of the city."""
    return tuple(book.service for book in books_of(view))


def subjects(view: FormView) -> tuple[Subject, ...]:
    """Return what reports of the kind are usually about."""
    book = book_of(view)
    return book.subjects(view.text("kind") or None) if book else ()


def grounds(view: FormView) -> tuple[Ground, ...]:
    """Return the grounds of discrimination; those that the city's law names and the others look alike."""
    book = book_of(view)
    return book.grounds if book else ()


def grounds_hint(view: FormView) -> str:
    """Return how to choose, and in one line what the law makes of racism and where help is."""
    tr = view.tr
    law = view.laws.federal.sources.get(RACISM_LAW)
    lines = [tr("Toque no que mais pesou ou escreva, se foi mais de um. Todos valem do mesmo jeito.")]
    if law is not None:
        lines.append(
            tr(
                "Racismo e injúria racial são crimes ({law}): além daqui, você pode registrar na polícia, "
                "e o Disque 100 orienta a qualquer hora.",
                law=law.short,
            )
        )
    return "\n".join(lines)


def evidence_hint(view: FormView) -> str:
    """Return that nothing has to be sent, how much may be, and what stays in a file when no name goes with it."""
    tr = view.tr
    return "\n".join(
        (
            tr("Não é obrigatório: seu relato vale sem provas. Cada arquivo pode ter até 20 MB."),
            tr(FILES_AS_SENT),
        )
    )


def represents(view: FormView) -> bool:
    """Whether the formal representation of the law can be offered: only to who gives a name."""
    if view.value("identity") != IdentityMode.IDENTIFIED:
        return False
    book = book_of(view)
    return book is not None and book.representation is not None


def representation_prompt(view: FormView) -> Html:
    """Ask whether it is to be a formal representation: what that adds, and what it asks for."""
    tr, book = view.tr, book_of(view)
    law = book.representation if book else None
    if law is None:
        return Html(tr("Quer fazer também uma representação formal?"))
    return Html(tr("Quer que valha também como representação formal ({cite})?", cite=law.cite))


def representation_hint(view: FormView) -> str:
    """Return what the representation adds and asks for, as the law has it."""
    tr, book = view.tr, book_of(view)
    law = book.representation if book else None
    if law is None:
        return ""
    asked = "; ".join(tr(requirement) for requirement in law.requires)
    return "\n".join(
        (
            tr("O que muda: {owed}", owed=Html(tr(law.owed))),
            tr("O que ela pede: {asked}.", asked=Html(asked)),
            tr("Sem ela, a ouvidoria responde do mesmo jeito."),
        )
    )


def requirements(requires: tuple[str, ...]) -> tuple[Question, ...]:
    """Return one question for each thing that the representation asks for."""
    return tuple(
        Question(
            key=f"{REQUIRED}{at}",
            prompt=requirement,
            label=requirement,
            accepts=(Kind.TEXT,),
            when=lambda view: view.value("formal") is True and represents(view),
            hint=N_("É para a representação. Se pular, a prefeitura pode pedir depois."),
            optional=True,
            max_length=400,
        )
        for at, requirement in enumerate(requires)
    )


def basis_line(view: FormView) -> str:
    """Return in one line as what the report will be dealt with."""
    tr, book = view.tr, book_of(view)
    if book is None:
        return ""
    law = book.representation
    if law is not None and view.value("formal") is True and represents(view):
        return tr("Segue como representação formal ({cite}).", cite=law.cite)
    term = book.federal.rules.get(OMBUDSMAN_TERM)
    line = ""
    if term is not None:
        line = tr("Segue como assunto de ouvidoria ({cite}), que a prefeitura deve responder.", cite=term.newest.cite)
    if law is not None and not represents(view):
        line += " " + tr("A representação formal ({cite}) só existe com identificação.", cite=law.cite)
    return line


def review_note(view: FormView) -> str:
    """Return who will see what, and what will be made of it."""
    return "\n".join((*who_sees(view), "", basis_line(view))).rstrip()


def intro(view: FormView) -> str:
    """Return what is said first: the exits, then what comes and where it goes."""
    tr = view.tr
    lines = [
        danger.exits(tr),
        "",
        tr("Aqui você conta o que houve em uns dois minutos. Quase tudo pode ser pulado."),
    ]
    if view.value("city") in view.laws and view.city is not None:
        city = view.laws.city(view.city)
        lines.append(tr("Vai para a prefeitura de {city}; dá para mudar no fim.", city=city.name))
    return "\n".join(lines)


def told_at_once(text: str, view: FormView) -> Understood | None:
    """Return what a text tells that was written where a button was awaited: the subject, the account, or both."""
    tr, chosen, book, words = view.tr, view.value("kind"), book_of(view), view.laws.words
    kind = chosen or words.kind_of(text)
    found = words.about(text, book.subjects(kind)[:-1] if book else ())[:1]
    answers = {} if kind in (None, chosen) else {"kind": kind}
    for subject in found:
        answers |= {"kind": subject.kind, "subject": subject.key}
    if is_story(text) and len(text) <= LONGEST and view.value("what") is None:
        answers["what"] = text
    if not answers:
        return None
    if found:
        about = bold(named(found[0].label, tr))
        return Understood(answers, tr("Entendi: {subject}. Dá para mudar no fim.", subject=about))
    return Understood(answers, tr("Guardei o que você escreveu. Agora escolha o mais próximo."))


def report_form(view: FormView) -> Form:
    """Build the report: what is asked depends on the city, its law and the kind."""
    book = book_of(view)
    law = book.representation if book else None
    return _form(len(view.laws) > 1, law.requires if law else ())


@lru_cache(maxsize=64)
def _form(several: bool, requires: tuple[str, ...]) -> Form:
    return Form(
        key=FORM,
        title=N_("Meu relato"),
        intro=intro,
        questions=(
            Question(
                key="kind",
                prompt=N_("O que você quer contar?"),
                label=N_("Tipo"),
                accepts=(Kind.CHOICE,),
                options=KINDS,
                hint=N_("Na dúvida, escolha o mais próximo: a equipe encaminha para quem cuida."),
                hears=told_at_once,
            ),
            Question(
                key="city",
                prompt=N_("Em qual cidade foi?"),
                label=N_("Cidade"),
                accepts=(Kind.CHOICE,),
                options=cities,
                when=lambda view: several,
            ),
            Question(
                key="service",
                prompt=N_("Foi em qual serviço?"),
                label=N_("Serviço"),
                accepts=(Kind.CHOICE,),
                options=services,
                when=lambda view: len(books_of(view)) > 1,
            ),
            Question(
                key="subject",
                prompt=N_("Qual destes é o assunto?"),
                label=N_("Assunto"),
                accepts=(Kind.CHOICE,),
                options=subjects,
                hears=told_at_once,
                pinned=OTHER_SUBJECT,
            ),
            Question(
                key="grounds",
                prompt=N_("Na sua opinião, qual foi o motivo?"),
                label=N_("Motivo da discriminação"),
                accepts=(Kind.CHOICE, Kind.TEXT),
                options=grounds,
                when=is_discrimination,
                hint=grounds_hint,
                max_length=300,
                optional=True,
            ),
            Question(
                key="what",
                prompt=N_("O que aconteceu?"),
                label=N_("O que aconteceu"),
                accepts=(Kind.TEXT, Kind.VOICE),
                hint=N_("Conte do seu jeito, por escrito ou em áudio."),
                max_length=LONGEST,
            ),
            Question(
                key="where",
                prompt=N_("Onde foi?"),
                label=N_("Onde"),
                accepts=(Kind.TEXT, Kind.LOCATION),
                hint=N_("Rua, ponto, bairro ou trajeto. Se ainda está no lugar, pode enviar o local."),
                max_length=300,
                optional=True,
            ),
            Question(
                key="when",
                prompt=N_("Quando foi?"),
                label=N_("Quando"),
                accepts=(Kind.MOMENT,),
                options=DAYS,
                tense="past",
                hint=N_("O dia e, se souber, a hora: “ontem às 14h30”, por exemplo."),
                optional=True,
            ),
            Question(
                key="vehicle",
                prompt=N_("Qual era o veículo, a linha ou a pessoa?"),
                label=N_("Veículo, linha ou pessoa"),
                accepts=(Kind.PLATE, Kind.TEXT),
                hint=N_("Placa, prefixo, número, linha, nome: o que você lembrar."),
                max_length=300,
                optional=True,
            ),
            Question(
                key="evidence",
                prompt=N_("Tem fotos, vídeos, áudios ou documentos?"),
                label=N_("Provas"),
                accepts=(Kind.PHOTO, Kind.VIDEO, Kind.VOICE, Kind.DOCUMENT),
                hint=evidence_hint,
                many=True,
                optional=True,
            ),
            Question(
                key="identity",
                prompt=N_("Como você quer se identificar?"),
                label=N_("Como você se identifica"),
                accepts=(Kind.CHOICE,),
                options=MODES,
                hint=identity_hint,
            ),
            Question(
                key="formal",
                prompt=representation_prompt,
                label=N_("Representação formal"),
                accepts=(Kind.YESNO,),
                when=represents,
                hint=representation_hint,
            ),
            *requirements(requires),
        ),
        review_title=N_("Confira o seu relato"),
        review_note=review_note,
        send_label=N_("Enviar para a prefeitura"),
        submit=file,
        asides=(danger.ASIDE,),
    )


async def begin(context: BotContext) -> None:
    """Open a report; the person's city is taken as given and can be corrected at the end."""
    context.conversation.said = ""
    city = context.person.city
    known = {"city": city} if city in context.laws and len(context.laws.cities()) > 1 else {}
    await engine.start(context, FORM, answers=known)


async def press_about(context: BotContext, press: Press) -> None:
    """Open a report at its subject, with what was written as the account of what happened."""
    kind, key, city = press.word(), press.word(1), context.person.city or ""
    books = context.laws.rulebooks(city) if city in context.laws else ()
    if kind not in {option.key for option in KINDS}:
        raise ForgedButton
    book = next((book for book in books if key in {subject.key for subject in book.subjects(kind)}), None)
    if book is None:
        raise ForgedButton
    said, context.conversation.said = context.conversation.said, ""
    answers = {"kind": kind, "subject": key} | ({"what": said} if is_story(said) else {})
    answers |= {"city": city} if len(context.laws.cities()) > 1 else {}
    answers |= {"service": book.service.key} if len(books) > 1 else {}
    kept = context.tr("Guardei o que você escreveu como o seu relato. No fim dá para completar.")
    note = kept if "what" in answers else ""
    await engine.start(
        context, FORM, params={"about": f"{kind}.{key}"}, answers=answers, note=note, told="what" in answers
    )


async def command(update: Update, context: BotContext) -> None:
    """``/reclamar``."""
    await begin(context)


def register(desk: Desk) -> None:
    """Bring the report to the desk."""
    desk.form(FORM, report_form)
    desk.press(OWN, "about", press_about)
    desk.entry(
        MenuEntry(
            key="report",
            label=N_("Quero reclamar ou denunciar"),
            action=begin,
            order=20,
            words=WORDS,
            about=ABOUT,
            hears=hear_report,
        )
    )
    desk.command(
        Command(
            handler=command,
            names={"pt_BR": "reclamar", "en": "report", "es": "reclamar"},
            description=N_("Reclamar ou denunciar"),
            aliases=("denunciar", "complain"),
            order=30,
        )
    )
