"""A local Bot API server and the page with the phones: the whole counter without Telegram."""
