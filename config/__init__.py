"""Settings of the project, and the start of its processes."""

import gc

# Nearly all objects created while modules load stay. Scanning them for garbage takes a sixth of each start and a tenth
# of a large page by default.
gc.set_threshold(50_000, 20, 100)
