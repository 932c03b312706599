"""Whatever waits for staff is a case, and a case is its timeline."""
