"""What drivers', passengers' and staff's conversations have in common."""
