"""Three ways to be known, and who sees what in each: said before anything is sent."""

from __future__ import annotations

from domain.privacy.model import IdentityMode
from handlers.shared.forms.model import FormView
from handlers.shared.texts import N_

ATTACHED = ("what", "evidence")
FILES_AS_SENT = N_(
    "Se o relato não leva o seu nome, tiro o nome do arquivo e, das fotos, o lugar e o aparelho. O resto vai como "
    "está: um PDF pode dizer quem o fez."
)
FILES_OF_A_NAME = N_("Um cadastro leva o seu nome: os arquivos seguem como você os enviar.")


def identity_hint(view: FormView) -> str:
    """Return one line for each way to be known."""
    tr = view.tr
    return "\n".join(
        (
            tr("• <b>Com o meu nome</b>: quem atende vê o nome do seu Telegram ({name}).", name=view.person.name),
            tr("• <b>Identidade protegida</b>: quem atende não vê o seu nome, e as respostas chegam aqui."),
            tr(
                "• <b>Anônimo</b>: o caso não fica ligado a você. Um recibo de 16 números é o único jeito de ler "
                "a resposta."
            ),
        )
    )


def who_sees(view: FormView) -> tuple[str, ...]:
    """Return one line per role: who will see what."""
    tr, mode = view.tr, view.value("identity")
    staff = {
        IdentityMode.IDENTIFIED.value: tr("• Quem atende e a gestão: o seu nome, o relato e os arquivos."),
        IdentityMode.PROTECTED.value: tr("• Quem atende e a gestão: o relato e os arquivos, sem o seu nome."),
        IdentityMode.ANONYMOUS.value: tr("• Quem atende e a gestão: o relato e os arquivos, sem nome nenhum."),
    }.get(str(mode), "")
    you = (
        tr("• Você: protocolo e um recibo. As respostas só aparecem para quem tem o recibo.")
        if mode == IdentityMode.ANONYMOUS
        else tr("• Você: protocolo, e cada resposta chega nesta conversa.")
    )
    lines = [
        tr("<b>Quem vê o quê</b>"),
        staff,
        tr("• Motorista e empresa: nada, por este balcão."),
        you,
        tr("• O Telegram: sabe de qual conta saiu a mensagem."),
    ]
    if mode != IdentityMode.IDENTIFIED:
        lines.append(clues(view))
    return tuple(line for line in lines if line)


def clues(view: FormView) -> str:
    """Return what can still tell who somebody is."""
    if any(view.files(key) for key in ATTACHED if view.kind(key) is not None and isinstance(view.value(key), list)):
        return view.tr(
            "Voz, rosto, sotaque e o que está escrito em um documento também identificam. Tiro o nome de cada arquivo "
            "e, das fotos, o lugar e o aparelho; o resto quem atende recebe como você enviou. Confira tudo antes de "
            "enviar."
        )
    return view.tr("Confira se o texto não conta, sem querer, quem você é.")
