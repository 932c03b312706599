"""Forms declared as data, and the engine that runs them."""
