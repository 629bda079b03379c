"""Import structlog without rich, which saves 8 MB of memory; import this module before structlog.

structlog imports rich for coloured errors. A service writes JSON; at a terminal errors have no colours.
"""

import importlib
import sys

if "structlog" not in sys.modules and "rich" not in sys.modules:
    sys.modules["rich"] = None  # type: ignore[assignment] # the import system's sign for a module that is not there
    try:
        importlib.import_module("structlog")
    finally:
        del sys.modules["rich"]
