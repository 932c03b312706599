"""Who somebody is lives apart from what they came for."""
