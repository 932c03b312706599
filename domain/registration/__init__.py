"""From the first document to the approval."""
