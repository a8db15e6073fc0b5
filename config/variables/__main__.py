"""`python -m config.variables` prints the table of docs/operations.md."""

import sys

from config.variables.declared import table

sys.stdout.write(table())
