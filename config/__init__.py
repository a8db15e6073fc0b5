"""The project's settings, and how its processes start."""

import gc

# Nearly all objects that are made while modules load stay. By default Python looks through them for garbage again and
# again, which takes a sixth of each start and a tenth of a large page.
gc.set_threshold(50_000, 20, 100)
