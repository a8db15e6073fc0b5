"""The pages that only one format has, a module each. Whoever adds one says so in the format (`Format.race_page`)."""
