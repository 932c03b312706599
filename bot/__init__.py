"""The running process: everything that talks to Telegram, to the database or to the clock."""
