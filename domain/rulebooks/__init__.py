"""The rulebooks: a folder per city, a file per law, and what all cities share."""
