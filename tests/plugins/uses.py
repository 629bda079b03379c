"""Run a list of tablectl's commands, read as JSON, in one process; write their outputs as JSON."""

import json
import os
import shlex
import sys

from click.testing import CliRunner

from controller.cli import main


def main_of_tests() -> None:
    """Run the commands; a function, as worker processes of `rtp` import this module and must run none."""
    os.chdir(sys.argv[1])
    outputs = []
    for command in json.load(sys.stdin):
        ended = CliRunner().invoke(main, shlex.split(command))
        assert ended.exit_code == 0, (command, ended.output)
        outputs.append(ended.stdout)
    json.dump(outputs, sys.stdout)


if __name__ == "__main__":
    main_of_tests()
