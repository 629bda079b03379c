"""Commands of tablectl in one process: a list of them comes as JSON, and so goes what each has printed."""

import json
import os
import shlex
import sys

from click.testing import CliRunner

from controller.cli import main

os.chdir(sys.argv[1])
told = []
for command in json.load(sys.stdin):
    ended = CliRunner().invoke(main, shlex.split(command))
    assert ended.exit_code == 0, (command, ended.output)
    told.append(ended.stdout)
json.dump(told, sys.stdout)
