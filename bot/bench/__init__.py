"""Measures the counter: the product itself, over HTTP, beside bare bots on the same invented Telegram."""
