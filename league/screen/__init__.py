"""The hall screen: panels that follow the tournament at a secret address.

Begin with `panels.py`. It imports public and the packages below.
"""
