"""The schema's history. Each migration works beside the code before it and has a way back."""
