"""The project's settings, and how its processes start."""

import gc

# Nearly all that is made while modules are loaded stays. By default Python looks through it for garbage again and
# again, which is a sixth of each start, and a tenth of a large page.
gc.set_threshold(50_000, 20, 100)
