#!/usr/bin/env python
"""Django's command line for Wild League."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        from config.verbs import stop_while_loading

        stop_while_loading()
    from league.lib.command_line import CommandLine

    CommandLine(sys.argv).execute()


if __name__ == "__main__":
    main()
