"""The API's tables and hands: what of it shows or takes hands (docs/api.md)."""
