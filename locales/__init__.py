"""Catalogues: Portuguese sentences are the message ids, English and Spanish stand beside them."""
