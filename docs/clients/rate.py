#!/usr/bin/env python3
"""Prints the tetris rate after each piece. Standard library only."""

import argparse
import json
import urllib.request

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("address", nargs="?", default="http://127.0.0.1:5050", help="of the stream [%(default)s]")
address = arguments.parse_args().address
with urllib.request.urlopen(f"{address}/events?only=statistics,end") as stream:
    for line in stream:
        if not line.startswith(b"data: "):
            continue
        event = json.loads(line[len(b"data: ") :])
        if event["event"] == "end":
            break
        if event["event"] == "statistics" and event["tetris_rate"] is not None:
            rate, pieces = event["tetris_rate"], event["pieces"]
            print(f"player {event['player']}, piece {pieces}: {rate:.0f} %", flush=True)
