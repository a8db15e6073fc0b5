"""Small tools for every room; they know no subject. What is here imports nothing of the league but its models."""
