"""Complaints, discrimination and other irregularities."""
