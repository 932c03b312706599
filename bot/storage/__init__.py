"""Where everything is kept: SQLAlchemy Core on SQLite or PostgreSQL."""
