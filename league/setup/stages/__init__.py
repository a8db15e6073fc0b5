"""The stage plan of a tournament: the stages after the first, and who advances to each."""
