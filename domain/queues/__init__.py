"""Which cases wait for whom."""
