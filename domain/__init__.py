"""The counter itself, without Telegram and without a database."""
