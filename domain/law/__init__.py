"""The law as data: rulebooks, calendars and the pure functions that answer from them."""
