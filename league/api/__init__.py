"""The API under /api/v1/: thin views of league/access/, the services and league/public/tables.py (docs/api.md)."""
