"""Django's PostgreSQL, for connections that are kept between requests."""
