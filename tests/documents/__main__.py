"""Generate the generated parts of `docs/` again: `python -m tests.documents`."""

from .generated import made, renewed
from .pages import DOCS

for name in made():
    page = DOCS / name
    page.write_text(renewed(page.read_text(encoding="utf-8"), name), encoding="utf-8")
    print(page.relative_to(DOCS.parent))
