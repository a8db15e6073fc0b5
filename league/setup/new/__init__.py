"""The page that creates a tournament: three questions, the names, and a plan that follows from them."""
