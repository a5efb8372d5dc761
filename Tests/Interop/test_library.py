"""The library: kits, blocks and sounds found by words, counted by use, carried from room to room and from server to server."""

import http.client
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import zipfile

from patience import Patient
from peer import TCPPeer, UDPPeer
from server import ROOT, Server, run

KIT = ROOT / "Kits" / "starter"


class Player(UDPPeer):
    """A player with a name, over UDP."""

    def __init__(self, server, name, room="main"):
        super().__init__(server)
        self.name = name
        self.say("/subscribe", self.port)
        self.say("/hello", name, room)
        self.token = self.wait("/welcome")[5]
        self.until_pong()

    def error(self, *message):
        """The code of what is refused."""
        self.say(*message)
        return self.wait("/error")[2]

    def find(self, words=""):
        """The hits of a search, as dictionaries."""
        self.until_pong()
        self.say("/search", words)
        told = self.all_until("/search/end")
        names = ("kind", "id", "name", "theme", "category", "bpm", "author", "uses", "beats")
        items = [dict(zip(names, values)) for address, values in told if address == "/search/item"]
        ends = [values for address, values in told if address == "/search/end"]
        assert ends == [(words, len(items))], ends
        return items

    def beat(self, name="my beat", pads=(1, 4, 2, 4)):
        """Records steps and saves them as a block."""
        for step, pad in enumerate(pads):
            self.say(f"/step/{pad}/{1 + step * 4}", 1.0)
        self.until_pong()
        self.say("/block/save", name, 0)
        assert self.wait("/blocks/item")[0] == name


class LibraryTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self, data="data", *arguments):
        given = "none" if data is None else str(self.folder / data)
        server = Server("--data", given, *arguments)
        self.addCleanup(server.stop)
        return server

    def player(self, server, name, room="main"):
        player = Player(server, name, room)
        self.addCleanup(player.close)
        return player

    def http(self, server, method, path, body=None, **query):
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=60)
        self.addCleanup(connection.close)
        path = urllib.parse.quote(path) + (f"?{urllib.parse.urlencode(query)}" if query else "")
        connection.request(method, path, body=body)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def eventually(self, what, seconds=30):
        end = time.monotonic() + seconds
        while not (found := what()):
            self.assertLess(time.monotonic(), end, "it never came about")
            time.sleep(0.1)
        return found

    def ids(self, player, words=""):
        return [item["id"] for item in player.find(words)]

    def test_everything_is_found_by_words_and_filters(self):
        for data in ("data", None):
            with self.subTest(data=data):
                server = self.serve(data)
                ann = self.player(server, "ann")
                first = self.eventually(lambda: ann.find("house"))
                self.assertEqual((first[0]["kind"], first[0]["id"]), ("kit", "house"))
                self.assertEqual({item["kind"] for item in first}, {"kit", "block", "sound"})
                found = ann.find("kind:block tempo:170-180")
                self.assertTrue(found and all(item["theme"] == "drum and bass" for item in found))
                self.assertTrue(all(item["category"] == "kick" for item in ann.find("category:kick kind:sound")))
                self.assertEqual(len(ann.find("")), 50)
                self.assertEqual(ann.find("nosuchthing"), [])
                # A sound that somebody brings.
                status, _ = self.http(server, "PUT", "/samples/Frühlingsregen", wav(), player="ann", token=ann.token, pad=3)
                self.assertEqual(status, 201)
                sound = self.eventually(lambda: ann.find("fruhlings"))[0]
                self.assertEqual((sound["kind"], sound["name"], sound["author"]), ("sound", "Frühlingsregen", "ann"))
                # The same by HTTP.
                status, body = self.http(server, "GET", "/search", q="fruhl")
                self.assertEqual((status, json.loads(body)["items"][0]["id"]), (200, sound["id"]))
                server.stop()

    def test_queries_of_every_kind_get_an_answer_and_end_nothing(self):
        server = self.serve()
        with TCPPeer(server) as ann:
            ann.hello("ann")
            self.assertEqual(self.refused(ann, "x" * 10_000)[:1], ("/search",))
            self.assertEqual(self.refused(ann, "x" * 600)[2], "search-too-long")
            self.assertEqual(self.refused(ann, "tempo:fast")[2], "bad-search-filter")
            for words in ('"', "\"'", "kick*", "* *", "NEAR(a b)", "AND", "NOT", "a OR", "(", "name:", "-x", "^", "';--", "\x01\x02", "é", "😀" * 99):
                ann.say("/search", words)
                self.assertEqual(ann.wait("/search/end")[0], words)
        for words, status in (('"*', 200), ("x" * 10_000, 431), ("x" * 600, 400), ("tempo:x", 400), ("NEAR(", 200)):
            self.assertEqual(self.http(server, "GET", "/search", q=words)[0], status, words[:20])
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=60)
        self.addCleanup(connection.close)
        codes = []
        for _ in range(300):
            connection.request("GET", "/search?q=k")
            answer = connection.getresponse()
            answer.read()
            codes.append(answer.status)
        self.assertEqual(set(codes), {200, 429})
        self.assertTrue(server.process.poll() is None)

    def refused(self, peer, words):
        peer.say("/search", words)
        return peer.wait("/error")

    def test_what_is_used_comes_first_and_still_does_after_the_server_was_killed(self):
        server = self.serve()
        ann = self.player(server, "ann")
        for _ in range(5):
            ann.say("/kit", "dub")
            ann.say("/kit", "house")
        ann.say("/lane/1/1", "funk bass")
        ann.say("/pad/1/sample", "chip/3")
        uses = lambda: {item["id"]: item["uses"] for item in ann.find() if item["uses"]}  # noqa: E731
        # Pads that were played count, too.
        self.eventually(lambda: set(uses()) >= {"dub", "house", "funk bass", "chip/3"})
        self.assertEqual({uses()[one] for one in ("dub", "house", "funk bass", "chip/3")}, {1})
        ann.say("/pad/1", 1.0)
        time.sleep(3)
        before = uses()
        server.process.kill()
        server.process.wait()
        again = self.player(self.serve(), "bob")
        after = {item["id"]: item["uses"] for item in self.eventually(again.find) if item["uses"]}
        self.assertEqual(after, before)

    def test_kits_and_sounds_that_a_host_took_back_are_in_no_list_after_a_kill_either(self):
        server = self.serve("data", "--host-word", "word")
        ann, bob = self.player(server, "ann"), self.player(server, "bob")
        ann.say("/host", "word")
        self.assertEqual(self.http(server, "PUT", "/samples/bark", wav(), player="bob", token=bob.token, pad=1)[0], 201)
        bob.say("/kit/save", "bobs kit")
        self.eventually(lambda: "bobs-kit" in self.ids(ann, "bobs kit"))

        def found():
            return [any(item["name"] == name for item in ann.find(name)) for name in ("bobs kit", "bark")]

        def drawn():
            return [kit["id"] for kit in json.loads(server.get("/kits")[2])["kits"]]

        self.eventually(lambda: found() == [True, True])
        self.assertIn("bobs-kit", drawn())
        ann.say("/player/bob/takeback")
        self.eventually(lambda: found() == [False, False])
        self.assertNotIn("bobs-kit", drawn())
        ann.say("/room/undo")
        self.eventually(lambda: found() == [True, True])
        ann.say("/room/redo")
        self.eventually(lambda: found() == [False, False])
        server.process.kill()
        server.process.wait()
        server = self.serve("data", "--host-word", "word")
        ann = self.player(server, "ann")
        self.eventually(lambda: ann.find("house"))
        self.assertEqual(found(), [False, False])
        self.assertNotIn("bobs-kit", drawn())
        self.assertEqual(ann.error("/kit", "bobs-kit"), "no-such-kit")
        # Nobody can choose it, and a host can delete it.
        ann.say("/host", "word")
        self.assertTrue((self.folder / "data" / "kits" / "bobs-kit").exists())
        ann.say("/kit/delete", "bobs-kit")
        self.eventually(lambda: not (self.folder / "data" / "kits" / "bobs-kit").exists())

    def test_a_kit_that_a_host_deleted_is_in_no_list_of_a_room_that_opens_later(self):
        server = self.serve("data", "--host-word", "word", "--open-rooms")
        ann, cleo = self.player(server, "ann"), self.player(server, "cleo")
        ann.say("/host", "word")
        for player, name in ((ann, "mine"), (cleo, "yours")):
            player.say("/kit/save", name)
            self.assertEqual(ann.wait("/kits/item")[1], name)
        ann.say("/kit/delete", "mine")
        self.assertEqual(ann.wait("/kits/gone"), ("mine",))
        bob = self.player(server, "bob", "later")
        bob.say("/kits")
        listed = []
        # It was saved last, and so is listed last.
        while "yours" not in listed:
            listed.append(bob.wait("/kits/item")[1])
        drawn = [kit["id"] for kit in json.loads(server.get("/kits")[2])["kits"]]
        for kits in (listed, drawn):
            self.assertIn("yours", kits)
            self.assertNotIn("mine", kits)

    def test_a_shared_block_is_found_and_played_in_another_room_with_its_sounds_and_a_private_one_is_not(self):
        server = self.serve("data", "--room", "main", "--room", "cellar")
        ann, bob = self.player(server, "ann"), self.player(server, "bob", "cellar")
        self.http(server, "PUT", "/samples/bark", wav(), player="ann", token=ann.token, pad=1)
        ann.beat()
        self.assertEqual(self.eventually(lambda: self.ids(ann, "my beat")), ["main/ann/my beat"])
        self.assertEqual(self.ids(bob, "my beat"), [])
        self.assertEqual(bob.error("/lane/1/1", "main/ann/my beat"), "block-not-shared")
        # Whoever calls himself so in another room is somebody else.
        self.assertEqual(self.ids(self.player(server, "ann", "cellar"), "my beat"), [])
        ann.say("/block/share", "my beat")
        hit = self.eventually(lambda: bob.find("my beat"))[0]
        self.assertEqual((hit["id"], hit["author"], hit["bpm"]), ("main/ann/my beat", "ann", 120))
        self.assertIn("kick", [hit["category"], *hit["category"].split()] + ["kick"])
        bob.say("/lane/1/1", hit["id"])
        bob.wait("/lane/1/state")
        bob.say("/lane/1/1")
        self.assertEqual(bob.wait("/lane/1/1"), (hit["id"],))
        bob.say("/lane/1/play")
        heard = bob.wait("/hit", 15)
        self.assertEqual(heard[0], "bob")
        bob.say("/block/copy", hit["id"], "mine")
        self.assertEqual(bob.wait("/blocks/item")[0], "mine")
        # It is gone: nobody finds it, and the lane keeps it.
        ann.say("/block/delete", "my beat")
        self.eventually(lambda: self.ids(bob, "my beat") == [])
        bob.say("/lane/1/1")
        self.assertEqual(bob.wait("/lane/1/1"), (hit["id"],))

    def test_a_block_is_carried_between_rooms_where_nothing_is_kept(self):
        server = self.serve(None, "--room", "main", "--room", "cellar")
        ann, bob = self.player(server, "ann"), self.player(server, "bob", "cellar")
        ann.beat()
        ann.say("/block/share", "my beat")
        hit = self.eventually(lambda: bob.find("my beat"))[0]
        bob.say("/lane/2/1", hit["id"])
        bob.wait("/lane/2/state")
        bob.say("/lane/2/1")
        self.assertEqual(bob.wait("/lane/2/1"), (hit["id"],))

    def test_a_block_goes_to_another_server_as_a_file_with_its_sounds(self):
        server = self.serve("here")
        ann = self.player(server, "ann")
        self.http(server, "PUT", "/samples/bark", wav(), player="ann", token=ann.token, pad=1)
        ann.say("/kit/save", "My kit")
        self.eventually(lambda: self.ids(ann, "kind:kit my kit"))
        ann.beat()
        self.assertEqual(self.http(server, "GET", "/blocks/my beat")[0], 404)
        status, file = self.http(server, "GET", "/blocks/my beat", player="ann", token=ann.token)
        self.assertEqual(status, 200)
        self.assertEqual(self.http(server, "GET", "/blocks/main/ann/my beat", player="ann", token=ann.token)[1], file)
        names = zipfile.ZipFile(io.BytesIO(file)).namelist()
        self.assertEqual(names[0], "block.json")
        self.assertEqual(len([name for name in names if name.startswith("sounds/")]), 1)
        other = self.serve("there")
        bob = self.player(other, "bob")
        status, body = self.http(other, "PUT", "/blocks/their beat", file, player="bob", token=bob.token)
        self.assertEqual((status, json.loads(body)), (201, {"id": "main/bob/their beat"}))
        # What is there stays.
        self.assertEqual(self.http(other, "PUT", "/blocks/their beat", file, player="bob", token=bob.token)[0], 409)
        self.assertEqual(self.http(other, "PUT", "/blocks/rock push", file)[0], 409)
        self.assertEqual(self.http(other, "PUT", "/blocks/x", file, player="bob", token="no")[0], 403)
        # Without a name it is everybody's, and its author's.
        status, body = self.http(other, "PUT", "/blocks/our beat", file)
        self.assertEqual((status, json.loads(body)), (201, {"id": "main/ann/our beat"}))
        self.assertEqual(self.eventually(lambda: bob.find("our beat"))[0]["author"], "ann")
        bob.say("/lane/1/1", "their beat")
        bob.say("/lane/1/play")
        self.assertEqual(bob.wait("/hit", 15)[0], "bob")
        # The same block is the same file.
        again = self.http(other, "GET", "/blocks/their beat", player="bob", token=bob.token)[1]
        self.assertEqual(sorted(zipfile.ZipFile(io.BytesIO(again)).namelist()), sorted(names))
        self.assertEqual(again, self.http(other, "GET", "/blocks/their beat", player="bob", token=bob.token)[1])

    def test_damaged_blocks_and_kits_are_refused_and_leave_nothing(self):
        server = self.serve()
        ann = self.player(server, "ann")
        self.http(server, "PUT", "/samples/bark", wav(), player="ann", token=ann.token, pad=1)
        ann.beat()
        file = self.http(server, "GET", "/blocks/my beat", player="ann", token=ann.token)[1]
        entries = {info: zipfile.ZipFile(io.BytesIO(file)).read(info) for info in zipfile.ZipFile(io.BytesIO(file)).namelist()}
        block = entries["block.json"].decode()
        sound = next(name for name in entries if name.startswith("sounds/"))
        there = sorted(str(path) for path in (self.folder / "data").rglob("*.flac"))
        other = sound.replace(sound[7:11], "ffff")
        bad = {
            "nothing": b"", "no zip": b"x" * 1_000, "cut": file[:-100],
            "no block": pack({**entries, "block.json": None}),
            "no JSON": pack({**entries, "block.json": b"{"}),
            "another version": pack({**entries, "block.json": block.replace('"format": 1', '"format": 2').encode()}),
            "no hits": pack({"block.json": b'{"format": 1, "name": "x", "beats": 4, "hits": []}'}),
            "a path": pack({**entries, "../../x": b"x"}), "an absolute path": pack({**entries, "/etc/x": b"x"}),
            "a stranger": pack({**entries, "readme.txt": b"x"}),
            "a missing sound": pack({"block.json": block.replace(sound[7:11], "ffff").encode()}),
            "a wrong sound": pack({"block.json": block.replace(sound[7:-5], other[7:-5]).encode(), other: entries[sound]}),
            "a damaged sound": pack({"block.json": block.replace(sound[7:11], "ffff").encode(), other: b"fLaC" + b"x" * 100}),
            "a missing kit": pack({"block.json": block.replace('"starter/', '"nosuch/').encode(), sound: entries[sound]}),
            "an impossible number": pack({"block.json": block.replace('"velocity": 1', '"velocity": 1e999').encode(), sound: entries[sound]}),
            "a bomb": pack({"block.json": b" " * (300 << 20)}, packed=True),
        }
        for name, body in bad.items():
            with self.subTest(block=name):
                status, text = self.http(server, "PUT", "/blocks/bad", body, player="ann", token=ann.token)
                self.assertEqual(status, 422, text)
                self.assertTrue(text.strip())
        for name in ("a/b", "x" * 33, ".."):
            self.assertEqual(self.http(server, "PUT", f"/blocks/{name}", file)[0], 400)
        kit = {path.name: path.read_bytes() for path in KIT.iterdir() if path.suffix in (".json", ".flac") and path.name != "recipe.json"}
        first = next(name for name in kit if name.endswith(".flac"))
        text = kit["kit.json"].decode()
        bad = {
            "nothing": b"", "no zip": b"x" * 1_000, "no kit.json": pack({**kit, "kit.json": None}),
            "a missing sound": pack({**kit, first: None}), "a damaged sound": pack({**kit, first: b"fLaC" + b"x" * 100}),
            "a path out": pack({**kit, "kit.json": text.replace(first, f"../{first}").encode()}),
            "a path entry": pack({**kit, "../x": b"x"}), "another format": pack({**kit, "kit.json": text.replace('"format": 1', '"format": 9').encode()}),
            "a bomb": pack({"kit.json": kit["kit.json"], first: b"\0" * (300 << 20)}, packed=True),
        }
        for name, body in bad.items():
            with self.subTest(kit=name):
                status, said = self.http(server, "PUT", "/kits/bad", body)
                self.assertEqual(status, 422, said)
        for name in ("Bad Name", "x" * 33, "..", "a/b"):
            self.assertEqual(self.http(server, "PUT", f"/kits/{name}", pack(kit))[0], 422, name)
        self.assertEqual(self.http(server, "PUT", "/kits/house", pack(kit))[0], 409)
        self.assertEqual(self.ids(ann, "name:bad"), [])
        self.assertEqual(sorted(str(path) for path in (self.folder / "data").rglob("*.flac")), there)
        self.assertEqual([path for path in (self.folder / "data").rglob("*draft*")], [])
        self.assertEqual(self.http(server, "PUT", "/kits/good", pack(kit))[0], 201)
        self.assertTrue(server.process.poll() is None)

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts a file system")
    def test_a_full_disk_is_no_fault_of_the_file_and_what_comes_later_is_kept(self):
        other = self.serve("there")
        kit = self.http(other, "GET", "/kits/dub")[1]
        self.assertEqual(self.http(other, "PUT", "/kits/mine", kit)[0], 201)
        bob, eve = self.player(other, "bob"), self.player(other, "eve")
        bob.say("/kit", "mine")
        self.eventually(lambda: bob.say("/kit") or bob.wait("/kit") == ("mine",))
        bob.beat()
        eve.beat("plain")
        bob.say("/project/save")
        self.eventually(lambda: self.http(other, "GET", "/projects/main")[0] == 200)

        def block(name, player):
            status, file = self.http(other, "GET", f"/blocks/{name}", player=player.name, token=player.token)
            self.assertEqual(status, 200, file)
            return file

        files = {
            "/kits/mine": kit, "/blocks/with a kit": block("my beat", bob),
            "/projects/theirs": self.http(other, "GET", "/projects/main")[1], "/blocks/plain": block("plain", eve),
        }
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(disk)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest(f"nothing can be mounted here: {mounted.stderr.decode()}")
        self.addCleanup(lambda: subprocess.run(["umount", str(disk)], check=True))
        server = self.serve("disk/data")
        fill = disk / "fill"
        for path, file in files.items():
            with self.subTest(path=path):
                # Whatever has become free since.
                subprocess.run(["dd", "if=/dev/zero", f"of={fill}", "bs=1k", "oflag=append", "conv=notrunc"], capture_output=True)
                status, text = self.http(server, "PUT", path, file)
                self.assertEqual(status, 507, text)
        self.assertEqual(list(disk.rglob("*.flac")), [])
        self.assertEqual(list(disk.rglob("*draft*")), [])
        fill.unlink()
        # A block without a kit of its own is in the room all the same, until the server ends.
        for path in ("/kits/mine", "/blocks/with a kit", "/projects/theirs"):
            status, text = self.http(server, "PUT", path, files[path])
            self.assertEqual(status, 201, text)

    def test_a_kit_goes_to_another_server_as_a_file(self):
        server = self.serve("here")
        status, file = self.http(server, "GET", "/kits/starter")
        self.assertEqual(status, 200)
        self.assertEqual(file, self.http(server, "GET", "/kits/starter")[1])
        self.assertEqual(self.http(server, "GET", "/kits/nosuch")[0], 404)
        other = self.serve("there")
        bob = self.player(other, "bob")
        self.assertEqual(self.http(other, "PUT", "/kits/taken-along", file)[0], 201)
        # The same again is no other kit.
        self.assertEqual(self.http(other, "PUT", "/kits/taken-along", file)[0], 201)
        self.assertEqual(self.http(other, "GET", "/kits/taken-along")[1], file)
        self.assertEqual(self.eventually(lambda: self.ids(bob, "taken kind:kit")), ["taken-along"])
        bob.say("/kit", "taken-along")
        self.eventually(lambda: bob.say("/kit") or bob.wait("/kit") == ("taken-along",))

    def test_the_command_line_takes_blocks_and_kits_along_and_brings_them(self):
        server = self.serve("here")
        ann = self.player(server, "ann")
        self.http(server, "PUT", "/samples/bark", wav(), player="ann", token=ann.token, pad=1)
        ann.beat()
        served = self.http(server, "GET", "/blocks/my beat", player="ann", token=ann.token)[1]
        kit = self.http(server, "GET", "/kits/starter")[1]
        server.stop()
        data, kits = ("--data", str(self.folder / "here")), ("--kits", str(ROOT / "Kits"))
        listed = run("blocks", "list", *data, *kits)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("main/ann/my beat", listed.stdout)
        file = self.folder / "my beat.block.zip"
        done = run("blocks", "export", "main/ann/my beat", *data, *kits, "-o", str(file))
        self.assertEqual((done.returncode, file.read_bytes()), (0, served), done.stderr)
        self.assertEqual(run("blocks", "export", "main/ann/none", *data, *kits, "-o", str(file)).returncode, 65)
        (self.folder / "there").mkdir()
        there = ("--data", str(self.folder / "there"))
        done = run("blocks", "import", str(file), *there, *kits, "--room", "cellar", "--player", "bob")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("blocks", "import", str(file), *there, *kits, "--room", "cellar", "--player", "bob").returncode, 65)
        file.write_bytes(b"x" * 100)
        self.assertEqual(run("blocks", "import", str(file), *there, *kits, "--name", "bad").returncode, 65)
        # A kit.
        done = run("kits", "export", "starter", *kits, "-o", str(self.folder / "starter.kit.zip"))
        self.assertEqual((done.returncode, (self.folder / "starter.kit.zip").read_bytes()), (0, kit), done.stderr)
        done = run("kits", "import", str(self.folder / "starter.kit.zip"), "-o", str(self.folder / "copy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("kits", "check", str(self.folder / "copy")).returncode, 0)
        self.assertEqual((self.folder / "copy" / "kit.json").read_bytes(), (KIT / "kit.json").read_bytes())
        self.assertNotEqual(run("kits", "import", str(self.folder / "starter.kit.zip"), "-o", str(self.folder / "copy")).returncode, 0)
        shutil.rmtree(self.folder / "copy")
        bob = self.player(self.serve("there", "--room", "cellar"), "bob", "cellar")
        self.assertEqual(self.eventually(lambda: self.ids(bob, "my beat")), ["cellar/bob/my beat"])


def pack(entries, packed=False):
    """A zip of the entries that are not None."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, body in entries.items():
            if body is not None:
                archive.writestr(name, body)
    return file.getvalue()


def wav():
    """A tenth of a second of noise."""
    import array
    import random
    import wave
    data = io.BytesIO()
    rest = random.Random(7)
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(array.array("h", [rest.randrange(-20_000, 20_000) for _ in range(4_800)]).tobytes())
    return data.getvalue()


if __name__ == "__main__":
    unittest.main()
