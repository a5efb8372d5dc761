"""Files that bring kits and sounds: their music's alone, by the sender's share, whole or not at all."""

import array
import hashlib
import http.client
import io
import json
import pathlib
import random
import tempfile
import unittest
import urllib.parse
import wave
import zipfile
import zlib

from patience import Patient
from server import Server
from test_projects import Player

MUSIC = "music.journal"


def noise(seed):
    """A fiftieth of a second."""
    data, rest = io.BytesIO(), random.Random(seed)
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(array.array("h", [rest.randrange(-9_000, 9_000) for _ in range(960)]).tobytes())
    return data.getvalue()


def marked(flac, mark):
    """The same sound as another file: with a block of four bytes behind its first one, which players skip."""
    end = 8 + int.from_bytes(flac[5:8], "big")
    block = bytes([2 | flac[4] & 0x80, 0, 0, 8]) + b"test" + mark.to_bytes(4, "big")
    return flac[:4] + bytes([flac[4] & 0x7F]) + flac[5:end] + block + flac[end:]


def name_of(flac):
    return hashlib.sha256(flac).hexdigest()


def frames(journal):
    """The bundles of a journal."""
    while journal:
        length = int.from_bytes(journal[:4], "big")
        yield journal[8:8 + length]
        journal = journal[8 + length:]


def renamed(journal, names):
    """The same music with other names of the same lengths."""
    new = b""
    for bundle in frames(journal):
        for before, after in names.items():
            assert len(before) == len(after)
            bundle = bundle.replace(before.encode(), after.encode())
        new += len(bundle).to_bytes(4, "big") + zlib.crc32(bundle).to_bytes(4, "big") + bundle
    return new


def packed(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return data.getvalue()


class BroughtFileTests(Patient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A project whose music has a kit that was saved, and sixteen sounds that somebody brought."""
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        with Server("--data", folder.name) as server:
            ann, bob = Player(server, "ann"), Player(server, "bob")
            for pad in range(1, 17):
                status = server.put(f"/samples/n{pad}?pad={pad}&player=ann&token={ann.welcome[5]}", noise(pad))
                assert status == 201, status
            ann.until_pong()
            ann.say("/kit/save", "My kit")
            bob.wait("/kits/item")
            bob.say("/kit", "my-kit")
            # The pads are told once the kit is there.
            bob.wait("/pad/16/solo")
            bob.say("/step/1/1", 1.0)
            ann.say("/step/1/1", 1.0)
            ann.until_pong()
            ann.say("/project/copy", "song")
            ann.project("copy")
            cls.file = server.get("/projects/song")[2]
            ann.close()
            bob.close()
        archive = zipfile.ZipFile(io.BytesIO(cls.file))
        cls.files = {name: archive.read(name) for name in archive.namelist()}
        cls.sounds = [name for name in cls.files if name.startswith("sounds/")]
        assert len(cls.sounds) == 16 and "kits/my-kit/kit.json" in cls.files, list(cls.files)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name)

    def serve(self):
        server = Server("--data", str(self.data))
        self.addCleanup(server.stop)
        return server

    def put(self, server, path, body, sender="127.0.0.2"):
        connection = http.client.HTTPConnection(
            "127.0.0.1", server.http, timeout=60, source_address=(sender, 0))
        self.addCleanup(connection.close)
        connection.request("PUT", urllib.parse.quote(path), body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers

    def kept(self):
        """The kits and sounds on the disk, and whatever else lies beside them."""
        names = {path.name for place in ("kits", "sounds") if (self.data / place).exists()
                 for path in (self.data / place).iterdir()}
        return names - {"names.json"}

    def others(self, number):
        """The project with other sounds and another kit, which is in its music, too."""
        files, names = dict(self.files), {"my-kit": f"kit-{number:02}"}
        for place in self.sounds:
            sound = marked(files.pop(place), number)
            names[place[7:-5]] = name_of(sound)
            files[f"sounds/{name_of(sound)}.flac"] = sound
        for place in [name for name in files if name.startswith("kits/")]:
            files[place.replace("my-kit", f"kit-{number:02}")] = files.pop(place)
        kit = f"kits/kit-{number:02}/kit.json"
        files[kit] = files[kit].replace(b"My kit", f"Kit {number:02}".encode())
        files[MUSIC] = renamed(files[MUSIC], names)
        return files

    def test_what_no_music_names_is_left_out_and_told_and_others_save_theirs(self):
        server = self.serve()
        kit = json.loads(self.files["kits/my-kit/kit.json"])
        kit["pads"] = kit["pads"][:1]
        sound = next(name for name in self.files if name.startswith("kits/") and name.endswith(".flac")
                     and name.split("/")[-1] in json.dumps(kit))
        flac = self.files[self.sounds[0]]
        for number in range(5):
            more = dict(self.files)
            for extra in range(45):
                place = f"kits/extra-{number}-{extra}"
                more[f"{place}/kit.json"] = json.dumps({**kit, "name": f"Extra {number} {extra}"})
                more[f"{place}/{sound.split('/')[-1]}"] = self.files[sound]
            for extra in range(717):
                other = marked(flac, 1_000 * (number + 1) + extra)
                more[f"sounds/{name_of(other)}.flac"] = other
            status, text, _ = self.put(server, f"/projects/song {number}", packed(more))
            self.assertEqual(status, 201, text)
            told = json.loads(text)
            self.assertEqual((told.get("unneededKits"), told.get("unneededSounds")), (45, 717))
        everything = {"my-kit"} | {name[7:] for name in self.sounds}
        self.assertEqual(self.kept(), everything)
        # Somebody else saves a kit and a sound.
        cyd = Player(server, "cyd")
        self.addCleanup(cyd.close)
        cyd.say("/kit/save", "Mine")
        self.assertEqual(cyd.wait("/kits/item")[1], "mine")
        self.assertEqual(server.put("/samples/mine", noise(99)), 201)
        before = self.kept()
        self.assertEqual(len(before), len(everything) + 2)
        server.stop()
        again = self.serve()
        self.assertEqual(self.kept(), before)
        self.assertEqual(len(json.loads(again.get("/projects")[2])["projects"]), 5)

    def test_a_file_takes_from_the_senders_share_and_beyond_it_leaves_nothing(self):
        server = self.serve()
        for number in range(4):
            status, text, _ = self.put(server, f"/projects/song {number}", packed(self.others(number)))
            self.assertEqual(status, 201, text)
        before = self.kept()
        self.assertEqual(len(before), 4 * 17)
        status, text, headers = self.put(server, "/projects/song 4", packed(self.others(4)))
        self.assertEqual(status, 429, text)
        self.assertIn("sounds", text)
        self.assertGreater(int(headers["Retry-After"]), 60)
        self.assertEqual(self.kept(), before)
        # The same once more costs nothing, and neither is anybody else's share gone.
        status, text, _ = self.put(server, "/projects/again", packed(self.others(3)))
        self.assertEqual(status, 201, text)
        status, text, _ = self.put(server, "/projects/song 4", packed(self.others(4)), sender="127.0.0.3")
        self.assertEqual(status, 201, text)

    def test_a_file_with_a_bad_sound_in_its_midst_leaves_nothing(self):
        server = self.serve()
        bad = b"fLaC" + bytes(range(100))
        files = dict(self.files)
        # The one that would be written last.
        last = max(self.sounds)
        del files[last]
        files[f"sounds/{name_of(bad)}.flac"] = bad
        files[MUSIC] = renamed(files[MUSIC], {last[7:-5]: name_of(bad)})
        status, text, _ = self.put(server, "/projects/bad", packed(files))
        self.assertEqual(status, 422, text)
        self.assertEqual(self.kept(), set())
        # A sound in a folder of a kit's, too: a draft of it stayed for ever.
        kit = json.loads(files["kits/my-kit/kit.json"])
        kit["pads"] = kit["pads"][:1]
        text = json.dumps(kit)
        sound = next(name.split("/")[-1] for name in files if name.startswith("kits/") and name.split("/")[-1] in text)
        deep = {"kit.json": text.replace(sound, f"deep/{sound}"), f"deep/{sound}": bad}
        status, text, _ = self.put(server, "/kits/deep", packed(deep))
        self.assertEqual(status, 422, text)
        self.assertEqual(self.kept(), set())
        status, text, _ = self.put(server, "/projects/good", self.file)
        self.assertEqual(status, 201, text)

    def test_a_page_of_another_site_begins_no_export(self):
        server = self.serve()
        self.assertEqual(self.put(server, "/projects/song", self.file)[0], 201)

        def ask(**headers):
            connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=60)
            self.addCleanup(connection.close)
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("GET", "/projects/song/loops.wav", headers=names)
            answer = connection.getresponse()
            return answer.status, answer.read()

        elsewhere = {"Sec_Fetch_Site": "cross-site"}
        for headers in (elsewhere, {**elsewhere, "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
                        {"Origin": "http://evil.example"}):
            self.assertEqual(ask(**headers)[0], 403)
        made = self.data / "takes" / "made"
        # `made-of` says what the files are made of.
        files = [path.name for path in made.iterdir() if path.name != "made-of"] if made.exists() else []
        self.assertEqual(files, [])
        # A link that somebody follows, and a program.
        followed = {"Sec_Fetch_Mode": "navigate", "Sec_Fetch_User": "?1", "Sec_Fetch_Dest": "document"}
        self.assertEqual(ask(**elsewhere, **followed)[0], 200)
        self.assertEqual(ask()[0], 200)
        # It is there: nothing begins.
        self.assertEqual(ask(**elsewhere)[0], 200)


if __name__ == "__main__":
    unittest.main()
