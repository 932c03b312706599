"""A person with no plan: presses, writes and sends whatever comes to hand."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from itertools import islice

from bot.sandbox.refusals import ControlError
from bot.sandbox.world import World
from tests.support.papers import PDF, photograph
from tests.support.phone import SHOWN, Json, Phone, Refused, Screen

COMMANDS = (
    *("/start", "/inicio", "/menu", "/ajuda", "/cancelar", "/idioma", "/documentos", "/prazos", "/reclamar", "/meus"),
    *("/recibo", "/perigo", "/fila", "/minhas", "/caso", "/caso x", "/nada", "/help", "/queue", "/cola", "/start x"),
)
WORDS = (
    *("oi", "sim", "não", "confirmo", "voltar", "pular", "pronto", "enviar", "cancelar", "corrigir", "obrigada", "?"),
    *("ABC1D23", "abc-1234", "ABC12", "529.982.247-25", "111.111.111-11", "5/3", "31/02/2027", "amanhã", "ontem 14h"),
    *("20/08/2021", "05/03/1990", "2023", "1850", "150", "5", "-1", "3,5", "14h30", "B", "AE", "Hoje", "Cáceres"),
    *("1234 5678 9012 3456", "/", "//", "<b>&", "</i>", "'; DROP TABLE person;--", "😀" * 40, "\u202eabc\u202c", "ß"),
    *("Cobrou o dobro e foi embora.", "The driver was rude.", "El conductor no paró.", "documentos", "reclamação"),
)
VERBS = (
    "take",
    "free",
    "docs",
    "ok",
    "no",
    "approve",
    "approved",
    "see",
    "send",
    "files",
    "list",
    "open",
    "yes",
    "log",
)


class Monkey:
    """One person's random acts, the same for the same seed and the same answers.

    What is pressed and written goes straight into the sandbox's world, which is faster than over its control API.
    """

    def __init__(self, phone: Phone, world: World, seed: str, *, others: Sequence[Phone]) -> None:
        self.phone, self.dice, self.others = phone, random.Random(seed), others
        self._world, self._chat = world, world.chats[phone.id]
        self.acts = 0

    async def acts_once(self) -> None:
        """Do something, sometimes twice in a hurry; what a phone does not let a person do is left undone."""
        self.acts += 1
        with contextlib.suppress(Refused, ControlError):
            await self._act()

    def newest(self) -> Json:
        """The newest message of the bot."""
        return next(message for message in reversed(self._chat.messages.values()) if message["from"]["is_bot"])

    def story(self) -> str:
        """What the chat's last messages say, for who looks for a fault."""
        return "\n".join(str(Screen(message, 0)) for message in list(self._chat.messages.values())[-SHOWN:])

    async def _act(self) -> None:
        phone, dice = self.phone, self.dice
        recent = islice(reversed(self._chat.messages.values()), RECENT)
        screens = [message for message in recent if buttons_of(message)]
        match dice.choices(("new", "old", "twice", "forge", "word", "command", "file", "odd", "edit", "long"), WEIGHTS)[
            0
        ]:
            case "new" if screens:
                self._presses(screens[0])
            case "old" if screens:
                self._presses(dice.choice(screens))
            case "twice" if screens:
                button = self._presses(screens[0])
                self._presses(screens[0], button)
            case "forge" if screens:
                self._world.press(phone.id, dice.choice(screens)["message_id"], self._forged(), forge=True)
            case "command":
                self._writes(dice.choice(COMMANDS))
            case "file":
                await self._sends_file()
            case "odd":
                await dice.choice((phone.sends_sticker, phone.sends_poll, phone.sends_location, phone.sends_contact))()
            case "edit":
                self._edits()
            case "long":
                self._writes(dice.choice("x&<😀") * dice.choice((300, 2000, 4096)))
            case _:
                self._writes(dice.choice(WORDS))

    def _writes(self, text: str) -> None:
        self._world.send_text(self.phone.id, text)

    def _presses(self, screen: Json, button: Json | None = None) -> Json:
        button = button or self.dice.choice(buttons_of(screen))
        self._world.press(self.phone.id, screen["message_id"], button["callback_data"])
        return button

    def _forged(self) -> str:
        """Data that no button of this person carries: another's, made up, or noise."""
        dice = self.dice
        match dice.randrange(4):
            case 0:
                return "".join(dice.choice("s:09abmenu_go-/ç") for _ in range(dice.randrange(1, 30)))
            case 1:
                return f"s:{dice.randrange(60)}:{dice.choice(('send', 'pick:0', 'skip', 'back', 'page:2', 'x'))}"
            case 2:
                number = dice.choice((0, 1, 2, 3, 9, 10**17))
                return f"{dice.choice('rpacq')}:{dice.choice(VERBS)}:{number}:{dice.choice(('cnh', '1', 'x'))}"
            case _:
                other = self._world.chats[dice.choice(self.others).id]
                theirs = [button for message in other.messages.values() for button in buttons_of(message)]
                return str(dice.choice(theirs)["callback_data"]) if theirs else "menu:home"

    async def _sends_file(self) -> None:
        phone, dice = self.phone, self.dice
        caption = dice.choice(("", "", "x < y & z"))
        match dice.randrange(5):
            case 0:
                await phone.sends_photo(photograph(dice.randrange(200)), caption=caption)
            case 1:
                await phone.sends_document(PDF, caption=caption)
            case 2:
                await phone.sends_document(b"PK\x03\x04 no document", "planilha.xlsx", caption=caption)
            case 3:
                await phone.sends_voice()
            case _:
                await phone.sends_album([photograph(dice.randrange(200)) for _ in range(dice.randrange(2, 5))])

    def _edits(self) -> None:
        own = [number for number, message in self._chat.messages.items() if not message["from"]["is_bot"]]
        self._world.edit_text(self.phone.id, self.dice.choice(own), self.dice.choice(WORDS))


def buttons_of(message: Json) -> list[Json]:
    """Return the buttons of a bot's message that can be pressed."""
    rows = (message.get("reply_markup") or {}).get("inline_keyboard", ())
    return [button for row in rows for button in row if "callback_data" in button]


RECENT = 60  # messages: nobody scrolls further up
WEIGHTS = (48, 7, 4, 6, 15, 6, 6, 4, 2, 2)
