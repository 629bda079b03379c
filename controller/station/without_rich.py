"""structlog for a service, without rich: imported before structlog, this leaves 8 MB of coloured errors unloaded.

structlog looks for rich as it is imported. A service writes JSON; a person at a terminal has errors without colours.
"""

import importlib
import sys

if "structlog" not in sys.modules and "rich" not in sys.modules:
    sys.modules["rich"] = None  # type: ignore[assignment] # the import system's sign for a module that is not there
    try:
        importlib.import_module("structlog")
    finally:
        del sys.modules["rich"]
