"""Log of a demo in a terminal: kept from the screen, and as before once the demo has ended."""

import json
from contextlib import ExitStack
from io import StringIO

import structlog
from structlog.testing import capture_logs

from controller.lab.commands.demo import _quiet


def test_a_running_demo_writes_its_log_to_a_file():
    log, logger = StringIO(), structlog.get_logger()
    with ExitStack() as stack:
        _quiet(log, stack)
        logger.warning("shoe_lost", table="demo")
    with capture_logs() as later:
        logger.warning("shoe_found")
    assert [json.loads(line) for line in log.getvalue().splitlines()] == [
        {"event": "shoe_lost", "table": "demo", "level": "warning"}
    ]
    assert [one["event"] for one in later] == ["shoe_found"]
