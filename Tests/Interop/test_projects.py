"""Projects: a room's music with a name, kept, opened again, and taken to another server."""

import http.client
import io
import json
import pathlib
import tempfile
import time
import unittest
import urllib.parse
import zipfile

from patience import Patient
from peer import UDPPeer
from server import Server, run


class Player(UDPPeer):
    """A player with a name, over UDP."""

    def __init__(self, server, name):
        super().__init__(server)
        self.say("/subscribe", self.port)
        self.say("/hello", name)
        self.welcome = self.wait("/welcome")
        self.until_pong()

    def project(self, deed):
        """What is told of the room's project after `deed`."""
        while True:
            state = list(self.wait("/project/state"))
            if state[4] == deed:
                return state

    def error(self, *message):
        """The code of what is refused."""
        self.say(*message)
        return self.wait("/error")[2]

    def list(self, ask, item, *arguments):
        self.until_pong()
        self.say(ask, *arguments)
        time.sleep(0.3)
        return [list(values) for address, values in self.until_pong() if address == item]

    def loop(self):
        """What is known of the own loop, pads and lanes."""
        self.until_pong()
        self.say("/sync")
        wanted = ("/loop/layers", "/loop/bars", "/tempo", "/signature", "/swing", "/pad/3/gain",
                  "/kit", "/lane/1/1", "/gain")
        return {a: list(v) for a, v in self.until_pong() if a in wanted}


class ProjectTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self, data="data", *arguments):
        server = Server("--data", str(self.folder / data), *arguments)
        self.addCleanup(server.stop)
        return server

    def player(self, server, name):
        player = Player(server, name)
        self.addCleanup(player.close)
        return player

    def put(self, server, name, body):
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=20)
        self.addCleanup(connection.close)
        connection.request("PUT", f"/projects/{urllib.parse.quote(name)}", body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def get(self, server, name, query=""):
        status, headers, body = server.get(f"/projects/{urllib.parse.quote(name)}{query}")
        self.assertEqual(status, 200, body)
        self.assertEqual(headers["content-type"], "application/zip")
        return body

    def music(self, player):
        player.say("/tempo", 96.0)
        player.say("/swing", 0.25)
        player.say("/pad/3/gain", -7.5)
        for step in (1, 5, 9, 13):
            player.say(f"/step/1/{step}", 0.8)
        player.say("/lane/1/1", "house four on the floor")
        player.until_pong()
        player.say("/loop/play")
        player.say("/lane/1/loop")
        player.until_pong()

    def test_what_is_saved_is_opened_again_and_what_was_played_before_is_kept(self):
        server = self.serve()
        ann = self.player(server, "ann")
        self.music(ann)
        before = ann.loop()
        ann.say("/project/save", "first")
        self.assertEqual(ann.project("save"), ["main", 4, 1, "first", "save", "ann"])
        ann.say("/step/2/3", 1.0)
        ann.say("/tempo", 140.0)
        ann.say("/project/new", "Harbour", 8)
        self.assertEqual(ann.project("new"), ["Harbour", 8, 0, "", "new", "ann"])
        fresh = ann.loop()
        self.assertEqual((fresh["/loop/layers"], fresh["/loop/bars"], fresh["/tempo"]), ([0], [8], [140.0]))
        # As it was left, not as it was saved.
        ann.say("/project/open", "main")
        ann.project("open")
        self.assertEqual(ann.loop()["/tempo"], [140.0])
        # Of the one that is open, the last version is meant.
        ann.say("/project/open", "MAIN")
        self.assertEqual(ann.project("open"), ["main", 4, 1, "first", "open", "ann"])
        after = ann.loop()
        self.assertEqual(after, before)
        self.assertEqual(sorted(item[0] for item in ann.list("/projects", "/projects/item")), ["Harbour", "main"])
        versions = ann.list("/project/versions", "/project/version", "main")
        # What was not saved, as it went back to the first, is a version, too.
        self.assertEqual([v[:3] for v in versions], [["main", 2, ""], ["main", 1, "first"]])
        self.assertAlmostEqual(versions[0][3], time.time(), delta=60)

    def test_a_project_goes_to_another_server_with_its_sounds_and_kits(self):
        server = self.serve()
        ann = self.player(server, "ann")
        self.music(ann)
        sound = (pathlib.Path(__file__).parents[2] / "Kits" / "starter").glob("*.flac").__next__().read_bytes()
        status = server.put(f"/samples/bark?pad=5&player=ann&token={ann.welcome[5]}", sound)
        self.assertEqual(status, 201)
        ann.until_pong()
        ann.say("/kit/save", "My kit")
        ann.wait("/kits/item")
        ann.say("/kit", "my-kit")
        time.sleep(0.5)
        ann.until_pong()
        ann.say("/step/5/7", 1.0)
        ann.say("/project/copy", "Süd 1")
        ann.project("copy")
        ann.say("/project/save")
        ann.project("save")
        file = self.get(server, "Süd 1")
        self.assertEqual(file, self.get(server, "süd 1"))
        names = zipfile.ZipFile(io.BytesIO(file)).namelist()
        self.assertIn("kits/my-kit/kit.json", names)
        about = json.loads(zipfile.ZipFile(io.BytesIO(file)).read("project.json"))
        self.assertEqual((about["name"], about["players"], about["bpm"]), ("Süd 1", ["ann"], 96))
        other = self.serve("other")
        self.assertEqual(self.put(other, "Süd 1", file)[0], 201)
        bob, ann2 = self.player(other, "bob"), self.player(other, "ann")
        bob.say("/project/open", "süd 1")
        self.assertEqual(bob.project("open")[:2], ["Süd 1", 4])
        loops = [player.loop() for player in (ann, ann2)]
        self.assertEqual(loops[0], loops[1])
        self.assertEqual(loops[1]["/kit"], ["my-kit"])
        bob.say("/project/save")
        bob.project("save")
        # The same project is the same file, on any server.
        self.assertEqual(self.get(other, "Süd 1"), file)
        self.assertEqual(self.put(other, "Süd 1", file)[0], 409)
        # A zip that somebody has packed anew is the same project.
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as copy:
            for name in names:
                copy.writestr(name, zipfile.ZipFile(io.BytesIO(file)).read(name))
        self.assertEqual(self.put(other, "Again", packed.getvalue())[0], 201)

    def test_a_part_plays_on_until_its_player_comes_or_somebody_takes_it(self):
        server = self.serve()
        ann, bob = self.player(server, "ann"), self.player(server, "bob")
        for player in (ann, bob):
            self.music(player)
        ann.say("/project/copy", "two")
        ann.project("copy")
        other = self.serve("other")
        self.assertEqual(self.put(other, "two", self.get(server, "two"))[0], 201)
        cyd = self.player(other, "cyd")
        cyd.say("/project/open", "two")
        cyd.project("open")
        self.assertEqual(cyd.loop()["/loop/layers"], [0])
        parts = {values[0]: list(values[1:]) for address, values in self.told(cyd) if address == "/player/loop"}
        self.assertEqual({name: part[1] for name, part in parts.items() if name != "cyd"}, {"ann": 1, "bob": 1})
        self.assertEqual(cyd.error("/part/take", "dan"), "no-such-part")
        cyd.say("/part/take", "ann")
        cyd.until_pong()
        self.assertEqual(cyd.loop()["/loop/layers"], [1])
        self.assertEqual(self.player(other, "bob").loop()["/pad/3/gain"], [-7.5])

    def test_what_is_heard_on_the_other_server_is_the_same_bit_for_bit(self):
        server = self.serve()
        ann = self.player(server, "ann")
        for address, value in (("/tempo", 120.0), ("/swing", 0.4), ("/pad/2/transpose", 3.0), ("/pad/3/pan", -0.5),
                               ("/pad/1/gain/random", 6.0)):
            ann.say(address, value)
        for pad, steps in ((1, (1, 5, 9, 13)), (2, (5, 13)), (3, (3, 4, 8))):
            for step in steps:
                ann.say(f"/step/{pad}/{step}", 0.7)
        ann.say("/loop/play")
        ann.say("/project/copy", "song")
        ann.project("copy")
        ann.say("/project/save")
        ann.project("save")
        other = self.serve("other")
        self.assertEqual(self.put(other, "song", self.get(server, "song"))[0], 201)
        bob = self.player(other, "bob")
        bob.say("/project/open", "song")
        bob.project("open")
        for host in (server, other):
            self.wait_until("three bars went by", lambda: host.figure('hits_total{room="main"}') > 30, seconds=30)
        # A machine that is held up plays a hit late, and right again a bar later.
        self.wait_until("both servers play the same", lambda: self.play_the_same(server, other), seconds=30)

    def play_the_same(self, server, other):
        # A bar has two seconds: a whole one lies within five, wherever these begin.
        mixes = [host.get("/last.wav?seconds=5")[2][44:] for host in (server, other)]
        chunk = self.bar(mixes[0])
        self.assertGreater(len(set(chunk)), 200, "it is silent")
        return chunk in mixes[1]

    def bar(self, mix):
        """The last second and a half of a mix of 24 bits and two channels, whole frames."""
        count = 72_000 * 6
        return mix[len(mix) // 6 * 6 - count:len(mix) // 6 * 6]

    def told(self, player):
        player.until_pong()
        player.say("/sync")
        return player.until_pong()

    def test_projects_and_the_one_that_is_played_outlive_the_process(self):
        server = self.serve()
        ann = self.player(server, "ann")
        self.music(ann)
        ann.say("/project/copy", "song")
        ann.project("copy")
        ann.say("/project/save", "a")
        ann.project("save")
        time.sleep(0.3)
        self.wait_until("nothing waits to be written", lambda: server.figure("journal_waiting_seconds") == 0)
        server.process.kill()
        server.process.wait()
        server.stop()
        again = self.serve()
        bob = self.player(again, "bob")
        states = []
        self.wait_until("the project is told", lambda: states.extend(
            list(v) for a, v in self.told(bob) if a == "/project/state") or states)
        self.assertEqual(states[-1][:4], ["song", 4, 1, "a"])
        self.assertEqual(bob.list("/projects", "/projects/item")[0][7], "main")

    def test_bad_input_is_refused_with_a_word_and_changes_nothing(self):
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("music.journal", b"\0" * (600 << 20))
        self.bomb = bomb.getvalue()
        server = self.serve("data", "--room", "main", "--room", "dub")
        ann = self.player(server, "ann")
        self.music(ann)
        before = ann.loop()
        self.assertEqual(ann.error("/project/open", "nothing"), "no-such-project")
        self.assertEqual(ann.error("/project/new", "a/b"), "bad-project-name")
        self.assertEqual(ann.error("/project/new", "x" * 33), "bad-project-name")
        self.assertEqual(ann.error("/project/copy", ".."), "bad-project-name")
        self.assertEqual(ann.error("/project/versions", "nothing"), "no-such-project")
        ann.say("/project/copy", "song")
        ann.project("copy")
        self.assertEqual(ann.error("/project/copy", "SONG"), "project-name-taken")
        self.assertEqual(ann.error("/project/new", "Song"), "project-name-taken")
        self.assertEqual(ann.error("/project/open", "song", 3), "no-such-project-version")
        dub = UDPPeer(server)
        self.addCleanup(dub.close)
        dub.say("/subscribe", dub.port)
        dub.say("/hello", "dan", "dub")
        dub.wait("/welcome")
        dub.say("/project/open", "song")
        error = dub.wait("/error")
        self.assertEqual(error[2], "project-open-in")
        self.assertIn("main", error[1])
        good = self.get(server, "song")
        for name, body, status in [
            ("empty", b"", 422), ("text", b"hello", 422), ("cut", good[:-40], 422), ("song", good, 409),
            ("a%2Fb", good, 400), ("x" * 33, good, 400),
        ]:
            with self.subTest(name):
                got, text = self.put(server, urllib.parse.unquote(name), body)
                self.assertEqual(got, status, text)
                self.assertGreater(len(text), 10)
        for name, change in self.bad_files(good).items():
            with self.subTest(name):
                got, text = self.put(server, "bad", change)
                self.assertEqual(got, 422, text)
        self.assertEqual(sorted(i[0] for i in ann.list("/projects", "/projects/item")), ["song"])
        self.assertEqual(server.get("/projects/none")[0], 404)
        self.assertEqual(server.get("/projects/song?version=x")[0], 400)
        status, _, text = server.get("/projects/song?version=9")
        self.assertEqual((status, "no version 9" in str(text)), (404, True), text)
        self.assertEqual(ann.loop(), before)
        self.assertTrue(server.is_alive)

    def bad_files(self, good):
        """Project files that hold what they may not."""
        files = {name: zipfile.ZipFile(io.BytesIO(good)).read(name)
                 for name in zipfile.ZipFile(io.BytesIO(good)).namelist()}
        music = bytearray(files["music.journal"])

        def packed(changes, leave_out=()):
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w") as archive:
                for name, body in {**files, **changes}.items():
                    if name not in leave_out:
                        archive.writestr(name, bytes(body))
            return data.getvalue()

        flipped = bytearray(music)
        flipped[len(flipped) // 2] ^= 1
        return {
            "no music": packed({}, ["music.journal"]),
            "a way out": packed({"../../etc/passwd": b"x"}),
            "a way out in a kit": packed({"kits/../../x/kit.json": b"{}"}),
            "a stranger": packed({"run.sh": b"rm"}),
            "damaged music": packed({"music.journal": flipped}),
            "music of nothing": packed({"music.journal": b""}),
            "a bomb": self.bomb,
        }

    def test_projects_of_a_server_that_does_not_run_are_listed_and_carried_by_the_command_line(self):
        server = self.serve()
        ann = self.player(server, "ann")
        self.music(ann)
        ann.say("/project/copy", "song")
        ann.project("copy")
        file = self.get(server, "song")
        data, out = str(self.folder / "data"), str(self.folder / "song.bandshell.zip")
        taken = run("project", "list", "--data", data)
        self.assertEqual(taken.returncode, 69)
        self.assertIn("end that server", taken.stderr)
        server.stop()
        listed = run("project", "list", "--data", data)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertRegex(listed.stdout, r"song +4 +96 +4/4 +0 +ann")
        self.assertEqual(run("project", "export", "song", "-o", out, "--data", data).returncode, 0)
        self.assertEqual(pathlib.Path(out).read_bytes(), file)
        other = str(self.folder / "other")
        pathlib.Path(other).mkdir()
        self.assertEqual(run("project", "import", out, "--data", other).returncode, 0)
        self.assertIn("song", run("project", "list", "--data", other).stdout)
        for words, status in [
            (["project", "import", out, "--data", other], 65),
            (["project", "import", str(self.folder / "none"), "--data", other], 65),
            (["project", "export", "none", "-o", out, "--data", other], 65),
            (["project", "export", "song", "--version", "7", "-o", out, "--data", other], 65),
            (["project", "list", "--data", str(self.folder / "nowhere")], 65),
            (["project", "export", "song"], 64),
        ]:
            with self.subTest(words):
                wrong = run(*words)
                self.assertEqual(wrong.returncode, status, wrong.stderr)
                self.assertGreater(len(wrong.stderr), 10)

    def test_a_catalogue_that_cannot_be_read_is_set_aside_and_another_begun(self):
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        (data / "projects.db").write_bytes(b"no database at all" * 100)
        server = self.serve()
        self.assertIn("projects.db.damaged", server.said())
        self.assertEqual((data / "projects.db.damaged").read_bytes(), b"no database at all" * 100)
        ann = self.player(server, "ann")
        ann.say("/project/name", "song")
        self.assertEqual(ann.project("name")[0], "song")
        self.assertEqual([item[0] for item in ann.list("/projects", "/projects/item")], ["song"])

    def test_without_a_data_folder_projects_are_refused_with_a_word(self):
        server = Server()
        self.addCleanup(server.stop)
        ann = self.player(server, "ann")
        for message in (["/project/save"], ["/project/new", "song"], ["/projects"]):
            self.assertEqual(ann.error(*message), "projects-not-kept")
        self.assertEqual(server.get("/projects")[0], 404)
        # And nothing keeps others from being tried.
        self.assertEqual(ann.error("/project/open", "song"), "projects-not-kept")

    def test_a_host_deletes_projects_and_the_room_plays_on(self):
        server = self.serve("data", "--host-word", "secret-of-the-house")
        ann = self.player(server, "ann")
        self.music(ann)
        # The first name that it gets is a name, not a copy.
        ann.say("/project/name", "song")
        self.assertEqual(ann.project("name")[0], "song")
        self.assertEqual(ann.error("/project/delete", "song"), "host-only")
        ann.say("/host", "secret-of-the-house")
        ann.say("/project/delete", "SONG")
        told = ann.project("delete")
        self.assertEqual((told[0], told[5]), ("", "ann"))
        self.assertEqual(ann.list("/projects", "/projects/item"), [])
        self.assertEqual(ann.loop()["/loop/layers"], [1])
