"""The five cities as their people know them: who registers, what they answer, what is complained of, what falls due.

The dates are read off the laws by hand for somebody who hands in and is approved on 30 November 2026, a Monday, so that
the tests do not believe the rulebooks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

Answers = tuple[tuple[str, str], ...]
"""Words of each question and what is pressed or written, in the order in which they are asked."""


@dataclass(frozen=True)
class Town:
    """One city; ``works`` is its menu's entry and ``told`` what somebody is told on which days."""

    slug: str
    name: str
    uf: str
    service: str
    works: str
    applicant: str
    applicant_label: str | None  # None where only one kind registers
    answers: Answers
    refused: str
    complaint: str
    discrimination: str
    told: Mapping[str, tuple[date, ...]] = field(default_factory=dict)

    @property
    def button(self) -> str:
        """What one presses to choose it."""
        return f"{self.name} ({self.uf})"


def year_before() -> tuple[date, ...]:
    """Return the days on which somebody is told of the 30th of November 2027, a Tuesday.

    Thirty days before is Sunday the 31st of October, fifteen days before is the holiday of the 15th of November, a
    Monday: both are told on the Saturday before.
    """
    return (date(2027, 10, 30), date(2027, 11, 13), date(2027, 11, 23), date(2027, 11, 29), date(2027, 11, 30))


PLATE = ("placa do veículo", "ABC1D23")
CATEGORY_B = ("categoria da sua CNH", "B")
EAR = ("observação EAR", "Sim")
OWN_CAR = ("Em nome de quem está o veículo?", "No meu nome")
DOORS = ("Quantas portas", "4")
AIR = ("tem ar-condicionado?", "Sim")
SEATS = ("Quantos lugares", "5")
HERE = ("emplacado neste município?", "Sim")
LIVES_HERE = ("Você mora neste município?", "Sim")
NO_OTHER = ("Você já tem uma autorização", "Não")

CACERES = Town(
    slug="caceres-mt",
    name="Cáceres",
    uf="MT",
    service="app",
    works="Sou motorista de aplicativo: meus documentos",
    applicant="driver",
    applicant_label="Motorista de aplicativo",
    answers=(
        *(PLATE, CATEGORY_B, EAR),
        ("concessão de outro serviço público?", "Não"),
        ("emplacado pela primeira vez?", "20/08/2021"),
        *(SEATS, HERE),
    ),
    refused="CNH com EAR",
    complaint="Não recebi o recibo da viagem",
    discrimination="Recusaram a viagem",
    # art. 12, III: the certificate is yearly
    # art. 25: the permit holds for thirty-six months at most; the 15th of November 2029 is a holiday
    told={
        "Certidão negativa criminal": year_before(),
        "Alvará de funcionamento": (
            date(2029, 10, 31),
            date(2029, 11, 14),
            date(2029, 11, 23),
            date(2029, 11, 29),
            date(2029, 11, 30),
        ),
    },
)
OPERATOR = Town(
    slug="caceres-mt",
    name="Cáceres",
    uf="MT",
    service="app",
    works="Sou motorista de aplicativo: meus documentos",
    applicant="operator",
    applicant_label="Operadora de aplicativo",
    answers=(),
    refused="Canal de atendimento",
    complaint="A operadora não atende o usuário",
    discrimination="Fui ofendido ou humilhado",
    told={
        # art. 6º, § 1º: the fifteenth business day of January, Friday the 22nd, for the 1st is a holiday
        "Taxa de Operação": (
            date(2026, 12, 23),
            date(2027, 1, 7),
            date(2027, 1, 15),
            date(2027, 1, 21),
            date(2027, 1, 22),
        ),
    },
)
CHAPADA = Town(
    slug="chapada-dos-guimaraes-mt",
    name="Chapada dos Guimarães",
    uf="MT",
    service="app",
    works="Sou motorista de aplicativo: meus documentos",
    applicant="driver",
    applicant_label=None,
    answers=(
        *(PLATE, CATEGORY_B, EAR, LIVES_HERE, NO_OTHER),
        ("infração de trânsito gravíssima", "Não"),
        ("algum destes crimes?", "Não"),
        ("lesão culposa no trânsito", "Não"),
        OWN_CAR,
        ("vai substituir outro", "Não"),
        ("ano de fabricação do veículo?", "2023"),
        ("ano do modelo do veículo?", "2024"),
        *(DOORS, AIR, SEATS, HERE),
    ),
    refused="Certidão",
    complaint="Carro sujo",
    discrimination="Recusaram a viagem por outro motivo",
    # art. 3º, §§ 1º and 2º: twelve months; asked for fifteen business days before the 30th of November 2027, which is
    # Monday the 8th, for the 15th is a holiday
    told={
        "Renovação da autorização": (
            date(2027, 10, 9),
            date(2027, 10, 23),
            date(2027, 11, 1),
            date(2027, 11, 6),
            date(2027, 11, 8),
        ),
    },
)
PRIMAVERA = Town(
    slug="primavera-do-leste-mt",
    name="Primavera do Leste",
    uf="MT",
    service="app",
    works="Trabalho no transporte: meus documentos",
    applicant="driver",
    applicant_label="Prestador (motorista de aplicativo)",
    answers=(
        *(PLATE, CATEGORY_B, EAR, OWN_CAR),
        ("ano de fabricação do veículo?", "2023"),
        ("O veículo é híbrido?", "Não"),
        *(DOORS, AIR, SEATS),
    ),
    refused="CNH",
    complaint="Carro sujo",
    discrimination="Recusaram a viagem",
    # art. 17: one year; asked for thirty days before the 30th of November 2027, a Sunday, of which one is told that day
    told={
        "Renovação do CAA": (
            date(2027, 10, 1),
            date(2027, 10, 16),
            date(2027, 10, 23),
            date(2027, 10, 30),
            date(2027, 10, 31),
        ),
    },
)
ROLIM = Town(
    slug="rolim-de-moura-ro",
    name="Rolim de Moura",
    uf="RO",
    service="mototaxi",
    works="Sou mototaxista: meus documentos",
    applicant="driver",
    applicant_label="Mototaxista",
    answers=(
        PLATE,
        ("data de nascimento?", "05/03/1990"),
        ("categoria da sua CNH", "A"),
        ("habilitado na categoria A?", "10/02/2015"),
        LIVES_HERE,
        ("trabalhar como autônomo", "Sim"),
        ("cargo ou emprego público", "Não"),
        *(NO_OTHER, OWN_CAR),
        ("vai substituir outro", "Não"),
        ("ano de fabricação do veículo?", "2024"),
        ("Quantas cilindradas", "150"),
        ("veículo de aluguel?", "Sim"),
    ),
    refused="CNH",
    complaint="Cobraram fora da tabela",
    discrimination="Recusaram a viagem",
    # the two criminal records are renewed each year
    told={"Certidão criminal estadual": year_before(), "Certidão criminal federal": year_before()},
)
PELOTAS = Town(
    slug="pelotas-rs",
    name="Pelotas",
    uf="RS",
    service="onibus",
    works="Trabalho no transporte: meus documentos",
    applicant="employee",
    applicant_label="Motorista, cobrador ou outro empregado de ônibus",
    answers=(),
    refused="Boa conduta",
    complaint="Não deram o troco certo",
    discrimination="Não me deixaram embarcar",
    told={},  # this law fixes no day for any fee or renewal, and nobody is told of one
)
TOWNS = (CACERES, CHAPADA, PELOTAS, PRIMAVERA, ROLIM)
