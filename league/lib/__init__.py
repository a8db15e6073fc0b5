"""Small tools for every room; they know no subject and import nothing of the league but its models."""
