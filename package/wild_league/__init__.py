"""The installed package. It adds one name to an environment: wild_league, with the whole project below `app`.

The project's own folders (config, engine, games, league) have names that other packages may use too. They are on the
path of the command `wild-league` alone.
"""
