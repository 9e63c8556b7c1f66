#!/usr/bin/env python3
"""Sets names, wins or scene of a match: match.py TOKEN '{"wins": [1, 0]}' [ADDRESS]."""

import sys
import urllib.request

token, change = sys.argv[1:3]
address = sys.argv[3] if len(sys.argv) > 3 else "http://127.0.0.1:5050"
headers = {"Authorization": f"Bearer {token}"}
request = urllib.request.Request(f"{address}/match", change.encode(), headers)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
