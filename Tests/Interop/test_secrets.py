"""Words stay out of sight: of the list of processes, of other users of the machine, and of those who guess."""

import http.client
import os
import pathlib
import re
import shutil
import stat
import tempfile
import unittest
import unittest.mock

import osc
from case import ServerCase
from patience import Patient
from server import ROOT, Server, run
from test_web_socket import Player

KITS = str(ROOT / "Kits")


class Words(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def start(self, *arguments, **environment):
        with unittest.mock.patch.dict(os.environ, environment):
            server = Server(*arguments)
        self.addCleanup(server.stop)
        return server

    def status(self, server, path):
        return server.get(path)[0]

    def assert_words(self, server, password, host):
        self.assertEqual(self.status(server, f"/kits?password={password}"), 200)
        self.assertEqual(self.status(server, "/kits?password=wrong"), 401)
        shown = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        self.assertNotIn(password.encode(), shown)
        self.assertNotIn(host.encode(), shown)
        # What the operator chose is not printed where standard error is no terminal.
        self.assertNotIn(host, server.said())
        self.assertNotIn(password, server.said())

    def test_words_come_from_files(self):
        password, host = self.path / "password", self.path / "host"
        password.write_text("sesame\n")
        host.write_text("geheim\n")
        server = self.start("--password-file", str(password), "--host-word-file", str(host))
        self.assert_words(server, "sesame", "geheim")

    def test_words_come_from_the_environment(self):
        server = self.start(BANDSHELL_PASSWORD="sesame", BANDSHELL_HOST_WORD="geheim")
        self.assert_words(server, "sesame", "geheim")

    def test_words_of_the_command_line_are_covered_there(self):
        server = self.start("--password", "sesame", "--host-word=geheim")
        self.assert_words(server, "sesame", "geheim")
        self.assertIn(b"--host-word=xxxxxx", pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes())

    def test_files_that_hold_no_word_are_wrong_usage(self):
        empty = self.path / "empty"
        empty.write_text("\nsecond line\n")
        for arguments in (["--password-file", str(self.path / "none")], ["--password-file", str(empty)],
                          ["--password-file", str(empty), "--password", "x"], ["--behind", "proxy.example"]):
            result = run("serve", *arguments)
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertIn(arguments[0], result.stderr)

    def test_a_word_that_nobody_chose_is_long_and_printed_in_an_address(self):
        server = self.start()
        address = re.compile(r"http://\S+/#host=(\S+)")
        self.wait_until("the address is printed", lambda: address.search(server.said()))
        self.assertRegex(address.search(server.said())[1], r"^[a-z]{4}(-[a-z]{4}){3}$")

    def test_a_browser_is_opened_as_a_host_s_where_that_is_wanted(self):
        opener, opened = self.path / "xdg-open", self.path / "opened"
        opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
        opener.chmod(0o755)
        server = self.start("--open", "yes", PATH=f"{self.path}:{os.environ['PATH']}")
        self.wait_until("a browser is opened", opened.exists)
        address = opened.read_text()
        self.assertRegex(address, rf"^http://127\.0\.0\.1:{server.http}/#host=\S+$|^http://localhost:{server.http}/#host=\S+$")

    def test_what_a_server_keeps_is_its_own_user_s(self):
        data = self.path / "data"
        server = self.start("--data", str(data))
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=20)
        sound = next(pathlib.Path(KITS).glob("*/*.flac"), None) or next(pathlib.Path(KITS).glob("*/*.wav"))
        connection.request("PUT", "/samples/bark", body=sound.read_bytes())
        self.assertEqual(connection.getresponse().status, 201)
        connection.close()
        server.send(osc.message("/hello", "ann"))
        server.send(osc.message("/pad/1", 1.0))
        server.stop()
        paths = [data, *data.rglob("*")]
        self.assertGreater(len(paths), 2)
        for path in paths:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)

    def test_a_folder_that_others_can_look_into_is_warned_of(self):
        data = self.path / "data"
        data.mkdir(mode=0o755)
        data.chmod(0o755)
        server = self.start("--data", str(data))
        self.wait_until("it is warned of", lambda: "chmod -R go-rwx" in server.said())

    def test_no_answer_tells_a_path_of_the_server(self):
        data = self.path / "data"
        server = self.start("--data", str(data))
        (data / "sounds").write_text("no folder: nothing can be kept")
        sound = next(pathlib.Path(KITS).glob("*/*.flac"), None) or next(pathlib.Path(KITS).glob("*/*.wav"))
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=20)
        connection.request("PUT", "/samples/bark", body=sound.read_bytes())
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        self.assertGreaterEqual(answer.status, 400, text)
        self.assertNotIn(str(self.path), text)


    def test_a_kit_that_cannot_be_read_is_told_without_the_way_to_it(self):
        kit = self.path / "kits" / "broken"
        shutil.copytree(ROOT / "Kits" / "house", kit)
        server = self.start("--kits", str(self.path / "kits"))
        for file in kit.iterdir():
            if file.suffix != ".json":
                file.unlink()
        with Player(server) as player:
            player.send("/hello", "ann")
            player.wait("/welcome")
            player.send("/kit", "broken")
            reason = player.wait("/error")[1]
        self.assertIn("no such file", reason)
        self.assertNotIn(str(self.path), reason)
        # Whoever runs the server is told where.
        self.wait_until("the log has it", lambda: str(kit) in server.said())


class Guesses(ServerCase):
    arguments = ("--password", "sesame")

    def test_a_guesser_is_answered_slowly_and_the_right_word_passes_from_the_same_address(self):
        codes = [self.server.get(f"/kits?password=guess{i}")[0] for i in range(12)]
        self.assertEqual(codes, [401] * 12)
        self.assertEqual(self.server.get("/kits?password=sesame")[0], 200)


if __name__ == "__main__":
    unittest.main()
