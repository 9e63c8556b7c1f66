#!/usr/bin/env python3
"""Sets names, wins or the scene of a match. Standard library only."""

import argparse
import urllib.request

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("token", help="what --token of the stream says")
arguments.add_argument("change", help="""JSON, as '{"wins": [1, 0]}'""")
arguments.add_argument("address", nargs="?", default="http://127.0.0.1:5050", help="of the stream [%(default)s]")
given = arguments.parse_args()
headers = {"Authorization": f"Bearer {given.token}"}
request = urllib.request.Request(f"{given.address}/match", given.change.encode(), headers)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
