"""The domain's ports on the database. Each repository writes through its unit and never commits."""
