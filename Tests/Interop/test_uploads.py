"""Sounds that are brought along to do harm: packed tightly, claimed and never sent, refused, too many."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import unittest

from case import ServerCase, needs
from patience import Patient
from server import Server
from test_own_sounds import Player

MIB = 1 << 20


def put(server, name, data, query="", timeout=120):
    """Status and text."""
    connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=timeout)
    try:
        connection.request("PUT", f"/samples/{name}{query}", data)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def most_resident(server):
    """The most memory that the server ever had, in bytes."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) << 10


def encoded(path, source, *options):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, *options, str(path)], check=True, timeout=120)
    return path.read_bytes()


class Uploads(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    @needs("ffmpeg")
    def test_what_is_packed_tightly_takes_no_more_memory_than_its_sound_ten_times_at_once(self):
        # Ten seconds of 655,340 frames a second, stereo: 52 MB of samples in some kilobytes.
        bomb = encoded(
            self.path / "bomb.flac", "sine=frequency=440:duration=0.2,apad=whole_dur=10", "-ar", "655340", "-ac", "2",
            "-c:a", "flac")
        self.assertLess(len(bomb), 2 * MIB)
        with Server() as server:
            before = most_resident(server)

            def bring(number):
                while True:
                    status, text = put(server, f"bomb-{number}", bomb)
                    if status != 503:
                        return status, text
                    time.sleep(0.2)

            with concurrent.futures.ThreadPoolExecutor(10) as pool:
                answers = list(pool.map(bring, range(10)))
            self.assertEqual([status for status, _ in answers], [201] * 10, answers[0][1])
            # One sound is made at a time, at 48 kHz.
            self.assertLess(most_resident(server) - before, 200 * MIB)

    @needs("ffmpeg")
    def test_what_is_refused_leaves_nothing_on_the_disk(self):
        tone = encoded(self.path / "tone.wav", "sine=frequency=440:duration=0.5")
        data = self.path / "data"
        with Server("--data", str(data), "--host-word", "geheim") as server:
            anna, host = Player(server, "anna"), Player(server, "hanna")
            self.addCleanup(anna.close)
            self.addCleanup(host.close)
            host.send("/host", "geheim")
            host.send("/lock", "kits")
            self.wait_until("kits are locked", lambda: anna.last("/lock") == ("kits",))
            self.assertEqual(put(server, "mine", tone, "?player=anna&token=guessed&pad=1")[0], 403)
            self.assertEqual(put(server, "mine", tone, f"?player=anna&token={anna.token}&pad=1")[0], 423)
            self.assertFalse(list((data / "sounds").glob("*")) if (data / "sounds").exists() else [])
            status, text = put(server, "taken", tone)
            self.assertEqual(status, 201, text)
            kept = {path.name for path in (data / "sounds").iterdir()}
            self.assertEqual(kept, {json.loads(text)["id"].removeprefix("own/") + ".flac", "names.json"})

    @needs("ffmpeg")
    def test_one_stranger_does_not_fill_what_everybody_may_save_and_a_host_makes_room(self):
        with Server("--data", str(self.path / "data"), "--host-word", "geheim") as server:
            anna, host = Player(server, "anna"), Player(server, "hanna")
            self.addCleanup(anna.close)
            self.addCleanup(host.close)
            host.send("/host", "geheim")
            # The inbox may turn round what comes at the same time: asked again, the last answer is how it is.
            self.wait_until("she is host", lambda: host.asked("/role") == ("host",))
            statuses = []
            for number in range(70):
                tone = encoded(
                    self.path / "tone.wav", f"sine=frequency={100 + number}:duration=0.05") if number < 3 else tone
                # The same sound by another name counts as well.
                statuses.append(put(server, f"tone-{number}", tone)[0])
            self.assertEqual(set(statuses[:60]), {201})
            self.assertEqual(statuses[-1], 429)
            status, text = put(server, "the-hosts", tone, f"?player=hanna&token={host.token}&pad=1")
            self.assertEqual(status, 201, text)
            for number in range(30):
                anna.send("/kit/save", f"kit {number}")
                self.wait_until("it is saved or refused", lambda: anna.count("/kits/item") + anna.count("/error") > number)
            self.wait_until("there is an end to it", lambda: "saved much" in str(anna.last("/error")))
            self.assertLess(anna.count("/kits/item"), 20)
            kit = anna.last("/kits/item")[1]
            anna.send("/kit/delete", kit)
            self.wait_until("that is for hosts", lambda: "only a host" in str(anna.last("/error")))
            host.send("/kit/delete", kit)
            self.wait_until("it is gone", lambda: anna.last("/kits/gone") == (kit,))
            self.assertFalse((self.path / "data" / "kits" / kit).exists())
            host.send("/sample/delete", "tone-2")
            self.wait_until("the sound is gone", lambda: (anna.last("/samples/gone") or ("", ""))[1] == "tone-2")

    def test_claims_that_nothing_comes_for_keep_nobody_out(self):
        with Server() as server:
            silent = []
            for _ in range(3):
                client = socket.create_connection(("127.0.0.1", server.http))
                client.sendall(b"PUT /samples/x HTTP/1.1\r\nHost: t\r\nContent-Length: 67108864\r\n\r\nx")
                silent.append(client)
            # Refused for what it is, not for want of room.
            self.assertEqual(put(server, "text", b"no sound")[0], 415)
            for client in silent:
                client.close()

    def test_what_a_killed_server_left_half_written_is_gone_after_the_next_start(self):
        data = self.path / "data"
        for name in ("sounds/.draft-names.json.Ab12Cd", "sounds/" + "a" * 64 + ".flac.x9Yz01", "blocks/main-0/.draft-a.json.Ab12Cd"):
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            (data / name).write_bytes(b"x")
        for name in ("kits/.draft-mine.Ab12Cd", "kits/.mine.x9Yz01"):
            (data / name).mkdir(parents=True)
            (data / name / "01.flac").write_bytes(b"x")
        with Server("--data", str(data)):
            pass
        own, named = (".score", ".journal", ".db"), ("lock", "made-of")
        left = [path for path in data.rglob("*") if path.is_file() and path.suffix not in own and path.name not in named]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
