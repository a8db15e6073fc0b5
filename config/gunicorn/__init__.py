"""The settings of gunicorn, and its worker."""
