"""What somebody must do by a date, and when they are told."""
