"""Who stands at the counter, and what a city lets them do."""
