"""What drivers, auxiliaries, crews and operators do: documents, registration, deadlines."""
