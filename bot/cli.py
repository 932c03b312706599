"""The command ``balcao``."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

from bot.logs import configure_logs
from bot.settings import Settings, SettingsError, load_settings
from domain.errors import DomainError
from domain.people.model import Role

if TYPE_CHECKING:
    from bot.storage.engine import Storage
    from handlers.shared.services import Services

WRONG = 2

ENVIRONMENT = """\
environment:
  TELEGRAM_BOT_TOKEN   token from BotFather; without one Telegram is played on this machine (the sandbox)
  TELEGRAM_API_URL     Bot API server (default https://api.telegram.org)
  DATABASE_URL         sqlite:///path or postgresql://user:password@host/name (default: a file in the data folder);
                       the sandbox keeps its own and forgets it at every start
  BALCAO_DATA_DIR      folder for database and evidence (default ./var)
  BALCAO_FILES_URL     folder of the evidence, as file:///path (default: in the data folder)
  BALCAO_RULEBOOKS_DIR folder of rulebooks, one folder per city (default: the counter's own)
  BALCAO_SETTINGS_DIR  folder of what cities entered: decrees, values of units, special days (default: nothing)
  BALCAO_CITIES        slugs of the cities served, with commas (default: all that have a rulebook)
  BALCAO_SECRET_KEY    secret of at least 32 characters that seals identities; required with a token
  BALCAO_EARLIER_KEYS  its earlier values, with commas or spaces; they read what was sealed with them
  WEBHOOK_URL          https address at which Telegram reaches this process (default: it asks Telegram)
  WEBHOOK_SECRET       letters, digits, _ and -; required with WEBHOOK_URL
  PORT                 of the sandbox's page, or of the webhook (default 8080)
  LOG_LEVEL            DEBUG, INFO, WARNING or ERROR (default INFO)
"""
EXITS = """\
exit status:
  0  done
  1  the command could not do what was asked; one sentence says why
  2  an argument or a setting is wrong; one sentence names it
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit status."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    args = build_parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = args.run
    configure_logs("WARNING")
    try:
        return command(args)
    except SettingsError as error:
        print(f"balcao: {error}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 0


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="balcao",
        description="The counter of a city hall for its regulated passenger transport, as a Telegram bot.",
        epilog=f"{ENVIRONMENT}\n{EXITS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"balcao {version('balcao')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    add = _adder(commands)
    add(
        "run",
        run_counter,
        "open the counter",
        "Opens the counter and serves until it is interrupted. With TELEGRAM_BOT_TOKEN it serves on Telegram: by "
        "asking, or, with WEBHOOK_URL, by being told. Without a token it opens the sandbox, as `balcao sandbox` does.",
        "balcao run",
        "TELEGRAM_BOT_TOKEN=... BALCAO_SECRET_KEY=... balcao run",
    )
    add(
        "sandbox",
        run_sandbox,
        "open the counter with Telegram played on this machine",
        "Opens the counter together with a local Bot API server and a page with phones and a clock to move; prints the "
        "page's address. Nothing leaves this machine and no token is needed.",
        "balcao sandbox",
        "PORT=9000 balcao sandbox",
    )
    add(
        "migrate",
        run_migrate,
        "bring the database's schema up to date",
        "Moves the schema to the newest version, or to the one named. `run` does the former by itself.",
        "balcao migrate",
        "balcao migrate --to 0001",
    ).add_argument("--to", default="head", metavar="VERSION", help="a migration's number, or `base` for none of them")

    add(
        "audit",
        run_audit,
        "check that nobody changed the past",
        "Reads every case's timeline again: each event must carry the hash of the one before it, and the stored case "
        "must be what its timeline says. Prints one line for each case that does not hold. The counter may be open "
        "meanwhile; nothing is changed.",
        "balcao audit",
    )

    staff = commands.add_parser(
        "staff", help="invite, list and dismiss staff", description="Says who works at the counter."
    )
    people = _adder(staff.add_subparsers(title="commands", metavar="COMMAND", required=True))
    invite = people(
        "invite",
        run_invite,
        "write a one-time invitation",
        "Prints a link that gives whoever opens it first the role, and its code. It lasts seven days. The counter may "
        "be open meanwhile.",
        "balcao staff invite --city SLUG --role manager",
    )
    listing = people(
        "list",
        run_list,
        "show who works for a city",
        "Lists a city's staff: number, role and name.",
        "balcao staff list --city SLUG",
    )
    revoke = people(
        "revoke",
        run_revoke,
        "take a role away",
        "Takes a role from the person with this number (see `staff list`). Cases that they hold and may no longer work "
        "on go back to their queues.",
        "balcao staff revoke --city SLUG --role registry --person 12",
    )
    for command in (invite, listing, revoke):
        command.add_argument("--city", required=True, metavar="SLUG", help="of the city, as `law list` shows it")
    for command in (invite, revoke):
        roles = [role.value for role in Role]
        command.add_argument("--role", required=True, choices=roles, help=f"one of {', '.join(roles)}", metavar="ROLE")
    revoke.add_argument("--person", required=True, type=int, metavar="NUMBER", help="as `staff list` shows it")

    from bot.bench.cli import add_bench_commands
    from bot.law_cli import add_law_commands

    add_law_commands(commands)
    bench = commands.add_parser(
        "bench",
        help="measure the counter",
        description="Measures the counter on this machine with invented data; without a name, everything.",
    )
    add_bench_commands(bench, _adder(bench.add_subparsers(title="commands", metavar="COMMAND")))
    return parser


AddCommand = Callable[..., argparse.ArgumentParser]


def _adder(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> AddCommand:
    def add(
        name: str, function: Callable[[argparse.Namespace], int], summary: str, description: str, *examples: str
    ) -> argparse.ArgumentParser:
        lines = "".join(f"  {example}\n" for example in examples)
        parser = commands.add_parser(
            name,
            help=summary,
            description=description,
            epilog=f"examples:\n{lines}\n{ENVIRONMENT}\n{EXITS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=function)
        return parser

    return add


def run_counter(args: argparse.Namespace) -> int:
    """``balcao run``."""
    settings = load_settings()
    if settings.is_sandbox:
        return run_sandbox(args)
    configure_logs(settings.log_level)
    from bot.loop import run as run_loop
    from bot.serve import serve

    run_loop(serve(settings))
    return 0


def run_sandbox(_args: argparse.Namespace) -> int:
    """``balcao sandbox``."""
    settings = load_settings().model_copy(update={"token": None, "webhook_url": None})
    configure_logs(settings.log_level)
    from bot.loop import run as run_loop
    from bot.serve import serve_sandbox

    run_loop(serve_sandbox(settings))
    return 0


def run_migrate(args: argparse.Namespace) -> int:
    """``balcao migrate``."""
    from bot.storage.migrate import current, migrate

    async def move(storage: Storage, _settings: Settings) -> int:
        moved = await migrate(storage, args.to)
        print(f"the schema {'is now' if moved else 'was already'} at {await current(storage) or 'none'}")
        return 0

    settings = load_settings()
    return asyncio.run(_with_storage(settings, move, ready=False))


def run_audit(_args: argparse.Namespace) -> int:
    """``balcao audit``."""
    from bot.audit import audited

    async def check(storage: Storage, _settings: Settings) -> int:
        read = wrong = 0
        async for _, fault in audited(storage):
            read += 1
            if fault is not None:
                wrong += 1
                print(fault)
        print(f"{read} timelines read, {wrong} do not hold")
        return 1 if wrong else 0

    return asyncio.run(_with_storage(load_settings(), check))


def run_invite(args: argparse.Namespace) -> int:
    """``balcao staff invite``."""
    from domain.people.service import InviteStaff

    async def invite(services: Services, settings: Settings) -> int:
        invited = await services.invite_staff(InviteStaff(city=args.city, role=Role(args.role)))
        username = await _username(settings)
        if username:
            print(f"https://t.me/{username}?start={invited.payload}")
        print(f"code: {invited.code}  (send the bot: /start {invited.payload})")
        print(f"good until {invited.invite.expires_at:%Y-%m-%d %H:%M} UTC, for one person")
        if settings.is_sandbox:
            print("for the sandbox: with TELEGRAM_BOT_TOKEN set as for `run`, it would be for that bot")
        return 0

    return _with_services(args, invite)


def run_list(args: argparse.Namespace) -> int:
    """``balcao staff list``."""

    async def show(services: Services, _settings: Settings) -> int:
        members = await services.list_staff(args.city)
        for member in members:
            print(f"{member.person_id:>6}  {member.role.value:<10}  {member.name}")
        if not members:
            print(f"nobody works for {args.city} yet; `balcao staff invite` writes an invitation", file=sys.stderr)
        return 0

    return _with_services(args, show)


def run_revoke(args: argparse.Namespace) -> int:
    """``balcao staff revoke``."""
    from domain.people.service import RevokeRole

    async def revoke(services: Services, _settings: Settings) -> int:
        left = await services.revoke_role(RevokeRole(person_id=args.person, city=args.city, role=Role(args.role)))
        back = f"{len(left.cases)} case(s) went back to the queues"
        print(f"person {args.person} is no longer {args.role} in {args.city}; {back}")
        return 0

    return _with_services(args, revoke)


def _with_services(args: argparse.Namespace, command: Callable[[Services, Settings], Awaitable[int]]) -> int:
    """Run ``command`` with the use cases on one transaction, which commits unless it refuses."""
    from bot.app import read_laws
    from bot.clock import Clock
    from bot.law_cli import unknown_city
    from bot.ports import Binder

    settings = load_settings()
    laws = read_laws(settings)
    if args.city not in laws:
        print(f"balcao: {unknown_city(args.city, laws)}", file=sys.stderr)
        return WRONG
    binder = Binder(laws, settings.key, *settings.earlier_keys)

    async def within(storage: Storage, settings: Settings) -> int:
        try:
            async with storage.transaction() as connection:
                return await command(binder.for_unit(connection, now=Clock().now()), settings)
        except DomainError as refusal:
            print(f"balcao: {refusal}.", file=sys.stderr)
            return 1

    return asyncio.run(_with_storage(settings, within))


async def _with_storage(
    settings: Settings, command: Callable[[Storage, Settings], Awaitable[int]], *, ready: bool = True
) -> int:
    from bot.app import database_named, prepare
    from bot.storage.engine import Storage

    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    storage = Storage(settings.database)
    try:
        if ready:
            await prepare(storage)
        with database_named(storage):
            return await command(storage, settings)
    finally:
        await storage.close()


async def _username(settings: Settings) -> str:
    """Return the bot's name for the link; empty when Telegram cannot be asked now."""
    if settings.token is None:
        return ""
    from telegram import Bot
    from telegram.error import TelegramError

    from bot.request import AiohttpRequest

    bot = Bot(settings.token, base_url=f"{settings.api_url}/bot", request=AiohttpRequest())
    try:
        async with bot:
            return bot.username
    except TelegramError:
        return ""
