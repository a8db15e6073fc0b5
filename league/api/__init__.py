"""The API under /api/v1/: thin views over league/access/, the services and league/exports.py (docs/api.md)."""
