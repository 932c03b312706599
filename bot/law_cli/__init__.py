"""``balcao law``: what the rulebooks say, for jurists and for staff, without the bot."""

from bot.law_cli.inputs import unknown_city
from bot.law_cli.parser import add_law_commands

__all__ = ["add_law_commands", "unknown_city"]
