"""Options of `tablectl demo`, as its plan has them."""

from click.testing import CliRunner

from controller.cli import main
from controller.lab.commands import demo
from controller.lab.demo.plan import Plan


def test_every_option_of_a_demo_is_in_its_plan(monkeypatch):
    plans = []
    monkeypatch.setattr(demo, "show_studio", lambda plan, *_: plans.append(plan) or 0)
    options = ["--tables", "2", "--rounds", "3", "--speed", "4", "--seed", "5", "--faults", "--by-hand"]
    done = CliRunner().invoke(main, ["demo", "rhum32", *options])
    assert (done.exit_code, done.output) == (0, "")
    assert plans == [Plan(3, 4.0, 5, True, "rhum32", True)]
