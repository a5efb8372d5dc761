"""Runs every interop test in this folder: real clients, nobody's of this project, against the built server."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent


def main() -> int:
    sys.path.insert(0, str(HERE))
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py", top_level_dir=str(HERE))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
