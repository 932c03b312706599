"""What people type, understood: pure parsers that accept, ask or refuse, and never raise."""
