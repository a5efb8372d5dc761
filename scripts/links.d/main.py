"""scripts/links: tells the links of the documents that lead nowhere."""

import argparse
import io
import pathlib
import subprocess
import sys
import unittest

import links


def documents():
    """Every Markdown file that git knows or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        capture_output=True, check=True).stdout.decode()
    return sorted(path for name in set(listed.split("\0")) if name and (path := pathlib.Path(name)).is_file())


def problem(document, link, anchors_of):
    """Why a link leads nowhere, or None."""
    root = pathlib.Path.cwd()
    target = root / link.path.lstrip("/") if link.path.startswith("/") else root / document.parent / link.path
    target = (target if link.path else root / document).resolve()
    if not target.is_relative_to(root):
        return "it leads out of the repository"
    if not target.exists():
        return "there is no such file"
    if link.anchor and target.suffix == ".md":
        known = anchors_of(target)
        if link.anchor.lower() not in {name.lower() for name in known}:
            near = sorted(name for name in known if name[:4] == link.anchor[:4])
            return f"there is no such heading{': is it #' + near[0] + '?' if near else ''}"
    return None


def check(paths):
    """What is wrong, and how many links there are within the repository and to other sites."""
    texts, found, inside, outside = {}, [], 0, 0

    def anchors_of(path):
        if path not in texts:
            texts[path] = links.anchors(path.read_text(encoding="utf-8"))
        return texts[path]

    for path in paths:
        for link in links.links(path.read_text(encoding="utf-8")):
            if link.is_elsewhere:
                outside += 1
                continue
            inside += 1
            reason = problem(path, link, anchors_of)
            if reason:
                found.append(f"{path}:{link.line}: {link.target}: {reason}")
    return found, inside, outside


def self_test():
    """The text of what failed; empty where nothing did."""
    output = io.StringIO()
    suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
    result = unittest.TextTestRunner(stream=output, verbosity=0).run(suite)
    return "" if result.wasSuccessful() and result.testsRun else output.getvalue()


def main():
    argparse.ArgumentParser(prog="scripts/links", description=__doc__).parse_args()
    paths = documents()
    found, inside, outside = check(paths)
    for text in found:
        print(text, file=sys.stderr)
    print(f"{inside} links in {len(paths)} documents, {len(found)} of them lead nowhere; "
          f"{outside} links to other sites are not followed")
    failed = self_test()
    if failed:
        print(f"the tests of scripts/links fail:\n{failed}", file=sys.stderr)
    return 1 if found or failed else 0


if __name__ == "__main__":
    sys.exit(main())
