"""Pages of tournaments. A view loads through `league.access`, uses one form, one service or read, and one template."""
