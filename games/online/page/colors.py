"""The colours of cards as the style sheet names them."""

COLOR_CLASSES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
