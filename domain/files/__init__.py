"""Evidence: what people send as proof."""
