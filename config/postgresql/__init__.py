"""Django's PostgreSQL backend for persistent connections."""
