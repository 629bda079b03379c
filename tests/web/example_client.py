"""A game server's side of a baccarat table: hears every event once and in order, and bets 10.00 when a round opens.

Usage: TABLECTL_TOKEN=... python example_client.py http://127.0.0.1:8032 SEQ     (the last event it is done with, or 0)
"""

import json
import os
import sys
import time
from contextlib import suppress
from http.client import HTTPException
from urllib.request import HTTPError, Request, urlopen

BETS = [{"command": "bet", "player": name, "market": "banker", "stake": 1000} for name in ("ann", "bob", "cyd")]
EVENTS = "/api/events?after={}"  # all that is the game server's; what players may see: /api/events?role=player&after={}
BROKEN = (OSError, HTTPException, ValueError)  # the line; half an answer is no JSON
PAUSE, TOKEN = 0.5, os.environ.get("TABLECTL_TOKEN", "")  # seconds; made by `tablectl token`


def ask(url, body=None):
    """The answer, which may be a stream. Asked for until one comes, with longer and longer pauses in between."""
    content, headers, pause = body and json.dumps(body).encode(), {"Authorization": f"Bearer {TOKEN}"}, PAUSE
    while True:
        try:
            return urlopen(Request(url, content, headers), timeout=30)  # a stream that lives says so every 15 s
        except BROKEN as error:
            if isinstance(error, HTTPError) and error.code < 500:  # asking again would not help
                sys.exit(f"{error.code}: {json.load(error)['detail']}")
        time.sleep(pause)
        pause = min(2 * pause, 30)


def events(table, after):
    """Every event behind that one: when the line breaks it goes on after the last that came whole."""
    while True:
        with suppress(*BROKEN), ask(table + EVENTS.format(after)) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    yield (event := json.loads(line[6:]))
                    after = event["seq"]
        time.sleep(PAUSE)


def send(table, commands):
    """The verdict on each. What is sent again under its id is done once, and answered as the first time."""
    while True:
        with suppress(*BROKEN), ask(f"{table}/api/commands", commands) as answer:
            return json.load(answer)["verdicts"]
        time.sleep(PAUSE)


if __name__ == "__main__":
    if len(sys.argv) != 3 or not (sys.argv[1].startswith("http") and sys.argv[2].isdecimal()):
        sys.exit(__doc__)
    for event in events(sys.argv[1], int(sys.argv[2])):
        print(event["seq"], event["kind"], flush=True)  # do with it what is to be done, then keep its seq
        if event["kind"] == "opened":
            bets = [{"id": f"{event['round']}-{bet['player']}", "round": event["round"], **bet} for bet in BETS]
            for verdict in send(sys.argv[1], bets):
                print(verdict["id"], verdict["verdict"], verdict.get("says", ""), flush=True)
