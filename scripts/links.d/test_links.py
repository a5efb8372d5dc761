"""Tests of scripts/links."""

import os
import pathlib
import tempfile
import unittest

import links
import main


class Reading(unittest.TestCase):
    def targets(self, text):
        return [link.target for link in links.links(text)]

    def test_links_images_definitions_and_html_are_found(self):
        text = 'a [b](c.md) ![d](e.png "f") <a href="g.md">h</a>\n\n[i]: j.md#k\n'
        self.assertEqual(sorted(self.targets(text)), ["c.md", "e.png", "g.md", "j.md#k"])

    def test_code_holds_no_links(self):
        self.assertEqual(self.targets("`[a](b)` ``[c](d)``\n```sh\n[e](f)\n```\n[g](h)"), ["h"])

    def test_a_fence_ends_with_its_own_sign(self):
        self.assertEqual(self.targets("````\n```\n[a](b)\n````\n[c](d)"), ["d"])

    def test_parentheses_and_the_next_line(self):
        self.assertEqual(self.targets("[a](b_(c).md) [d](\ne.md)"), ["b_(c).md", "e.md"])

    def test_other_sites_are_elsewhere(self):
        found = [link.is_elsewhere for link in links.links("[a](https://b) [c](mailto:d) [e](f.md) [g](#h)")]
        self.assertEqual(found, [True, True, False, False])


class Headings(unittest.TestCase):
    def test_slugs_are_those_of_github(self):
        for heading, wanted in (
                ("How it sounds", "how-it-sounds"), ("The room's undo", "the-rooms-undo"),
                ("RTP: `GET /listen.sdp?port=N`", "rtp-get-listensdpportn"), ("Who, where — and why", "who-where--and-why"),
                ("a_b [c](d.md)", "a_b-c"), ("Größe", "größe")):
            self.assertEqual(links.slug(heading), wanted)

    def test_a_heading_that_comes_again_is_numbered(self):
        self.assertEqual(links.anchors("# A\n## B\n## B\n<a id=\"c\"></a>\n```\n# D\n```\n"), {"a", "b", "b-1", "c"})


class Checking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def found(self, **texts):
        for name, text in texts.items():
            path = pathlib.Path(name.replace("_", "/") + ".md")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return main.check(sorted(pathlib.Path(".").rglob("*.md")))

    def test_files_folders_and_anchors_are_found(self):
        found, inside, outside = self.found(
            a="# A\n[b](docs/b.md) [c](docs/b.md#b-1) [d](docs) [e](#a) [f](https://g)", docs_b="## B\n## B\n[a](../a.md#A) [h](/a.md)")
        self.assertEqual((found, inside, outside), ([], 6, 1))

    def test_what_leads_nowhere_is_told_with_its_line(self):
        found, _, _ = self.found(a="# A\n\n[b](b.md)\n[c](#c)\n[d](../d.md)")
        self.assertEqual([text.split(": ")[0] for text in found], ["a.md:3", "a.md:4", "a.md:5"])


if __name__ == "__main__":
    unittest.main()
