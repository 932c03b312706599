"""One module per migration: ``v<number>_<name>.py``."""
