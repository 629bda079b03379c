"""An example's module, to plant mistakes in, and the sentence that a check tells one by."""

import importlib.util
import sys

import pytest

from controller.testing import Broken
from tests.plugins.site import ROOT


def loaded(name: str):
    """The module of an example, without its package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / name / f"{name}.py")
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sentence(check, *what, **how) -> str:
    with pytest.raises(Broken) as broken:
        check(*what, **how)
    return str(broken.value)


STRIP = loaded("key_strip")
