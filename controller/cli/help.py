"""`tablectl help`: show the documents in the terminal, for a PC without a browser."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable

import click
from rich.markdown import Markdown

from ..text.errors import did_you_mean
from .packaged_files import folder
from .pipe_console import PipeConsole


@click.command("help")
@click.argument("topic", required=False)
def help_(topic: str | None) -> None:
    """Show the document about TOPIC; without TOPIC, list all topics."""
    pages = _pages()
    if topic is None:
        width = max(map(len, pages))
        for name, page in sorted(pages.items()):
            click.echo(f"{name:{width}}  {_title(page)}")
        return
    if topic not in pages:
        raise click.UsageError(f"no such topic {topic!r}{did_you_mean(topic, pages)}; `tablectl help` lists them")
    console = PipeConsole()
    with console.pager(styles=True) if console.is_terminal else console:
        console.print(Markdown(pages[topic].read_text(encoding="utf-8")))


def _pages() -> Mapping[str, Traversable]:
    """Help pages by topic, without the index of the folder."""
    pages = (page for page in folder("docs", "docs").iterdir() if page.name.endswith(".md"))
    return {page.name.removesuffix(".md"): page for page in pages if page.name != "README.md"}


def _title(page: Traversable) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
