"""Tests of how the runner of pages finds commands, shown output and orders in a page."""

import pytest

from controller.cli import main

from .blocks import Block, blocks_of
from .page_run import RUN, as_shown
from .pages import DOCS

PAGE = """# A page

<!-- run
on: pc2
at sudoedit: edit s|a|b|
fails: doctor
-->
```sh
# a remark
one \\
  two
cat <<'END'
three $
END
```

```console
$ four
4
$ five
```

```toml
[bus]
```
"""


@pytest.fixture
def blocks(tmp_path) -> list[Block]:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    return blocks_of(page)


def test_a_command_continues_on_the_next_line_until_complete(blocks):
    assert [(line.number, line.text) for line in blocks[0].lines()] == [
        (10, "one \\\n  two"),
        (12, "cat <<'END'\nthree $\nEND"),
    ]


def test_output_is_compared_where_a_block_shows_some(blocks):
    assert [(line.text, line.shown) for line in blocks[1].lines()] == [("four", "4"), ("five", "")]
    assert as_shown("a … c\n…\nd").fullmatch("a b c\n1\n2\nd\n")
    assert as_shown("a\n…").fullmatch("a\n")
    assert not as_shown("a … c\nd").fullmatch("a b c\n1\nd\n")


def test_orders_belong_to_the_block_below_them(blocks):
    shell, console, config = blocks
    assert (shell.pc, shell.ordered("fails")) == ("pc2", ["doctor"])
    assert shell.at("at", next(shell.lines())._replace(text="sudoedit it")) == ["edit s|a|b|"]
    assert (console.pc, console.orders) == ("pc1", ())
    assert [block.is_run for block in (shell, console, config)] == [True, True, False]


@pytest.mark.parametrize("page", RUN)
def test_orders_of_a_page_are_known_and_configs_written(page):
    blocks = blocks_of(DOCS / page)
    assert [block.number for block in blocks if block.language == "toml" and not block.is_run] == []
    assert sum(block.is_run for block in blocks) > 0
    keys = {"on", "after", "given", "beside", "then", "fill", "file", "at", "until", "prints", "fails", "not"}
    assert {order.key.partition(" ")[0] for block in blocks for order in block.orders} <= keys


def test_help_in_a_terminal_shows_no_orders(capsys):
    with pytest.raises(SystemExit):
        main(["help", "first-table"])
    output = capsys.readouterr().out
    assert "sudo tablectl doctor" in output
    assert "fails:" not in output
