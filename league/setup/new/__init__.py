"""The page on which a tournament is made: three questions, the names, and what follows from them."""
