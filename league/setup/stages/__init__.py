"""The way of a tournament: the stages after the first, and who goes on to each."""
