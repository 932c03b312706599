"""Passengers: complaints, reports of discrimination and of other irregularities, and what becomes of them."""
