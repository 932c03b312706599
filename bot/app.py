"""The counter as one thing that opens and closes: database, application, intake, delivery and clockwork."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, Protocol, Self

from sqlalchemy.engine import make_url
from telegram.error import InvalidToken, TelegramError
from telegram.ext import ApplicationBuilder, ContextTypes, ExtBot

from bot.answers import Answers
from bot.clock import Clock
from bot.clockwork import Clockwork
from bot.delivery import Delivery
from bot.dispatch import Dispatcher
from bot.files import Files, FolderStore
from bot.intake import Inlet, Poller, TokenRefused
from bot.logs import get_logger
from bot.outage import Outage
from bot.pace import Pace
from bot.ports import Binder
from bot.request import AiohttpRequest
from bot.settings import SANDBOX_TOKEN, Settings, SettingsError
from bot.storage.engine import Storage, is_trouble
from bot.storage.journal import Journal
from bot.storage.lead import Lead
from bot.storage.migrate import MigrationFailed, migrate, migrate_apart
from bot.storage.repositories.sealing import Seal
from bot.sweeps import Sweeps
from bot.wiring import CounterApplication, Wiring, note_error
from domain.law.loader import Laws, load_laws
from domain.law.reading import RulebookError
from handlers.registry import register_all
from handlers.shared.context import BotContext
from handlers.shared.desk import Desk
from handlers.shared.listing import set_listing

log = get_logger(__name__)
POSTGRESQL_PORT = 5432

Register = Callable[[CounterApplication], Desk | None]
"""Registers PTB handlers; a desk that it returns is listed with Telegram."""


class Intake(Protocol):
    """Where updates come from."""

    async def start(self) -> None:
        """Begin to take updates."""

    async def stop(self) -> None:
        """Take no more."""


class Counter:
    """A running counter: ``async with Counter(settings) as counter``.

    Args:
        settings: Where the database and Telegram are.
        clock: The one source of now.
        register: Registers the handlers; the product's own when not given.
        laws: The rulebooks; those that the settings name when not given.
        pace: How fast Telegram lets the bot speak.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        register: Register | None = None,
        laws: Laws | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.settings, self.clock, self._pace = settings, clock or Clock(), pace
        self._register = register or register_all
        self.storage = Storage(settings.database)
        self.journal = Journal(self.storage, Seal(settings.key, *settings.earlier_keys))
        self.bot: ExtBot[None] = ExtBot(
            settings.token or SANDBOX_TOKEN,
            base_url=f"{settings.api_url}/bot",
            base_file_url=f"{settings.api_url}/file/bot",
            request=AiohttpRequest(),
            get_updates_request=AiohttpRequest(connections=1),
        )
        self._given_laws = laws
        self._listing: asyncio.Task[None] | None = None
        self._parts = AsyncExitStack()
        self.laws: Laws
        self.binder: Binder
        self.application: CounterApplication
        self.answers: Answers
        self.delivery: Delivery
        self.dispatcher: Dispatcher
        self.clockwork: Clockwork
        self.inlet: Inlet
        self.intake: Intake

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the counter.

        Raises:
            SettingsError: A setting does not hold against the world; one sentence names it.
        """
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise
        log.info("open", bot=self.bot.username, cities=len(self.laws), database=self.storage.engine.dialect.name)

    async def stop(self) -> None:
        """Close it: what is under way ends, what waits stays stored."""
        if self._listing is not None:
            self._listing.cancel()
            await asyncio.gather(self._listing, return_exceptions=True)
        await self._parts.aclose()
        await self.bot.shutdown()
        await self.storage.close()

    async def _start(self) -> None:
        settings = self.settings
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.laws = self._given_laws or read_laws(settings)
        self.binder = Binder(self.laws, settings.key, *settings.earlier_keys)
        await prepare(self.storage)
        self.application, desk = build_application(self.bot, self._register)
        await self._greet()
        await self._open()
        if desk is not None:
            self._listing = asyncio.create_task(self._list(desk))

    async def wait(self) -> None:
        """Wait for as long as the counter can go on.

        Raises:
            SettingsError: Telegram does not accept the token any more.
        """
        refused = self.intake.refused if isinstance(self.intake, Poller) else None
        try:
            await (refused or asyncio.get_running_loop().create_future())
        except TokenRefused as error:
            raise _token_refused() from error

    async def idle(self) -> None:
        """Wait until everything received is handled and everything said is sent."""
        await self.dispatcher.idle()
        await self.delivery.sweep()
        await self.delivery.idle()
        await self.answers.idle()

    async def clear(self) -> None:
        """Forget everything and begin anew: the sandbox's "recomeçar"."""
        await self._parts.aclose()
        await migrate(self.storage, "base")  # a timeline cannot be deleted row by row
        await migrate(self.storage)
        await self._open()

    async def _greet(self) -> None:
        """Ask Telegram who this bot is, until it answers."""
        failures = 0
        while True:
            try:
                await self.application.initialize()
            except InvalidToken as error:
                raise _token_refused() from error
            except TelegramError as error:
                failures += 1
                log.warning("telegram_unreachable", code=type(error).__name__, tries=failures)
                await asyncio.sleep(min(0.2 * 2.0 ** min(failures, 10), 20.0))
            else:
                return

    async def _list(self, desk: Desk) -> None:
        """Tell Telegram what to list; nobody waits for it, so it may take its time."""
        for tries in range(10):
            try:
                await set_listing(self.bot, desk)
            except TelegramError as error:
                log.warning("not_listed", code=type(error).__name__, tries=tries + 1)
                await asyncio.sleep(2.0**tries)
            else:
                return

    async def _open(self) -> None:
        settings, clock, journal = self.settings, self.clock, self.journal
        outage = Outage(self.bot)
        store = FolderStore(settings.files_dir)
        files = Files(store, self.bot)
        wiring = Wiring(self.application, self.laws, self.binder.for_visit)
        self.answers = Answers(self.bot)
        self.delivery = Delivery(self.bot, journal, Lead(self.storage), clock, store, pace=self._pace)
        self.dispatcher = Dispatcher(journal, wiring, files, self.answers, self.delivery, outage, clock)
        self.inlet = Inlet(journal, self.dispatcher, outage, clock)
        self.clockwork = Clockwork(clock, journal, self.delivery)
        Sweeps(self.binder, journal, self.delivery, self.laws).register(self.clockwork)
        if settings.webhook_url is None:
            self.intake = Poller(self.bot, self.inlet)
        else:
            from bot.webhook import Webhook  # a server's worth of memory, only where one is needed

            self.intake = Webhook(
                self.bot,
                self.inlet,
                outage,
                url=settings.webhook_url,
                secret=settings.webhook_secret,
                port=settings.port,
            )
        parts = self._parts  # closed in the opposite order
        parts.push_async_callback(self.answers.stop)
        parts.push_async_callback(self.delivery.stop)
        await self.delivery.start()
        parts.push_async_callback(self.dispatcher.stop)
        await self.dispatcher.start()
        parts.push_async_callback(self.clockwork.stop)
        self.clockwork.start()
        parts.push_async_callback(self.inlet.stop)
        parts.push_async_callback(self.intake.stop)
        try:
            await self.intake.start()
        except TokenRefused as error:
            raise _token_refused() from error
        except OSError as error:
            raise SettingsError(f"PORT {settings.port} cannot be listened on: {error.strerror}.") from error


def build_application(bot: ExtBot[None], register: Register) -> tuple[CounterApplication, Desk | None]:
    """Return PTB's application with all handlers, and their desk; fetching and sending are the counter's own."""
    builder: Any = ApplicationBuilder()
    application: CounterApplication = (
        builder.bot(bot).updater(None).job_queue(None).context_types(ContextTypes(context=BotContext)).build()
    )
    application.add_error_handler(note_error)
    return application, register(application)


async def prepare(storage: Storage) -> bool:
    """Bring the schema up to date; say whether anything moved.

    Raises:
        SettingsError: The database cannot be reached.
    """
    with database_named(storage):
        return await migrate_apart(storage)


@contextmanager
def database_named(storage: Storage) -> Iterator[None]:
    """Name the database, never its user or password, where it is what stops the start or a command.

    Raises:
        SettingsError: The database cannot be used.
    """
    try:
        yield
    except Exception as error:
        if not is_trouble(error) and not isinstance(error, MigrationFailed):
            raise
        cause = (
            str(error) if isinstance(error, MigrationFailed) else type(getattr(error, "orig", None) or error).__name__
        )
        url = make_url(storage.url)
        where = f" at {url.host}:{url.port or POSTGRESQL_PORT}" if url.host else ""
        raise SettingsError(f"DATABASE_URL names a database{where} that cannot be used: {cause}.") from error


def read_laws(settings: Settings) -> Laws:
    """Read the rulebooks of the cities that this bot serves.

    Raises:
        SettingsError: A rulebook is broken (file, key and reason are named) or a city has none.
    """
    try:
        return load_laws(settings.rulebooks_dir, settings.cities or None, settings=settings.settings_dir)
    except RulebookError as error:
        raise SettingsError(_unserved(settings) or str(error)) from error


def _unserved(settings: Settings) -> str | None:
    """Return the sentence for a city that was asked for and has no rulebook: those that are nearest."""
    from bot.law_cli import unknown_city

    try:
        laws = load_laws(settings.rulebooks_dir)
    except RulebookError:
        return None  # what is broken comes first
    return next((f"BALCAO_CITIES: {unknown_city(slug, laws)}" for slug in settings.cities if slug not in laws), None)


def _token_refused() -> SettingsError:
    return SettingsError("TELEGRAM_BOT_TOKEN is not the token of any bot: Telegram refused it.")
