"""The test classes of one part of the suite, as its modules define them."""

import importlib
import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
PARTS = ("Interop", "Browser")


def enter(part):
    """Makes the modules of a part importable. Both parts have modules of the same names: one process knows one part."""
    sys.path.insert(0, str(TESTS / part))


def all_of(part) -> dict:
    """Every test class of a part, by a name such as `Interop.test_projects.ProjectTests`. `enter` comes first."""
    found = {}
    for path in sorted((TESTS / part).glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, value in vars(module).items():
            # A class that is only imported belongs to the module that defines it.
            if isinstance(value, type) and issubclass(value, unittest.TestCase) and value.__module__ == path.stem and tests_of(value):
                found[f"{part}.{path.stem}.{name}"] = value
    return found


def tests_of(kind) -> list:
    return unittest.defaultTestLoader.getTestCaseNames(kind)
