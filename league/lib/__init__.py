"""Provide small tools for every package; they may import nothing of the league but its models."""
