"""The version of the product. pyproject.toml, pages, /readyz, /metrics, the API and backups read it here."""

VERSION = "1.0.0.dev0"
