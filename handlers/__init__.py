"""What people see and press: parse, call one use case, render."""
