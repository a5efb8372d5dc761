"""The command line from outside: exit codes, one-line errors, rendering, the start and the end."""

import json
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import mido

import osc
from case import RIM, Drummer, FileListener, ServerCase, needs
from patience import Patient
from server import BINARY, ROOT, Server, run
from sound import Sound

KITS = str(ROOT / "Kits")
# A server that is in nobody's way; what follows on the command line counts.
FREE = ("--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none", "--data", "none")


class Folder(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def assert_fails(self, result, code, *words):
        """Ends with `code`, and says one line that holds `words`."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        lines = [line for line in result.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if not line.startswith("warning:")]
        self.assertEqual(len(errors), 1, result.stderr)
        for word in words:
            self.assertIn(word, errors[0])

    def assert_warned(self, result, *words):
        """One warning for each of `words`, and no other."""
        warnings = [line for line in result.stderr.splitlines() if line.startswith("warning:")]
        self.assertEqual(len(warnings), len(words), result.stderr)
        for word, line in zip(words, warnings):
            self.assertIn(word, line)


class Usage(Folder):
    def test_help_names_every_command(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for command in ("serve", "listen", "render", "kits", "bench", "doctor", "monitor", "jam"):
            self.assertIn(command, result.stdout)
            self.assertEqual(run(command, "--help").returncode, 0)

    def test_the_version_is_the_newest_of_the_changelog(self):
        newest = re.search(r"^## \[([\d.]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
        # The commit and its date stand behind it where the build named them.
        self.assertRegex(run("--version").stdout, rf"^bandshell {re.escape(newest)}( \([0-9a-f]+, \d{{4}}-\d\d-\d\d\))?\n$")

    def test_wrong_usage_is_64(self):
        for arguments in (["sing"], ["serve", "--osc", "nonsense"], ["render"], ["serve", "--bpm", "1000"]):
            self.assertEqual(run(*arguments).returncode, 64, arguments)

    def test_a_wrong_address_is_named_with_the_usage_of_serve(self):
        for option in ("--osc", "--http", "--media"):
            with self.subTest(option=option):
                result = run("serve", option, "nonsense")
                self.assertEqual(result.returncode, 64)
                errors = [line for line in result.stderr.splitlines() if line.startswith("Error:")]
                self.assertEqual(len(errors), 1, result.stderr)
                for word in (option, "nonsense", "write HOST:PORT"):
                    self.assertIn(word, errors[0])
                self.assertIn("Usage: bandshell serve", result.stderr)


    def test_one_number_for_three_ports_is_64_and_says_which_collide(self):
        result = run("serve", *FREE, "--osc", "*:9000", "--http", "*:9000", "--media", "*:9000")
        self.assertEqual(result.returncode, 64)
        for words in ("--osc and --http both take TCP port 9000", "--osc and --media both take UDP port 9000",
                      "as --http *:9001 --media *:9002"):
            self.assertIn(words, result.stderr)
        self.assertNotIn("in use", result.stderr)


class Refusals(Folder):
    def test_an_unknown_alsa_device_is_69_with_the_list_of_devices(self):
        result = run("serve", *FREE, "--alsa", "kazoo")
        self.assert_fails(result, 69, "kazoo", "null")

    def test_a_port_in_use_is_69_and_named(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, socket.socket() as tcp:
            udp.bind(("127.0.0.1", 0))
            tcp.bind(("127.0.0.1", 0))
            tcp.listen()
            for option, port in (("--osc", udp.getsockname()[1]), ("--media", udp.getsockname()[1]),
                                 ("--http", tcp.getsockname()[1])):
                with self.subTest(option=option):
                    result = run("serve", *FREE, option, f"127.0.0.1:{port}")
                    self.assert_fails(result, 69, str(port), f"choose another with {option} HOST:PORT")
                    self.assertEqual(result.stderr.count("choose"), 1, result.stderr)

    def test_a_folder_without_kits_is_65(self):
        self.assert_fails(run("serve", *FREE, "--kits", str(self.path)), 65, str(self.path))

    def test_a_broken_kit_is_told_and_the_others_play(self):
        kits = self.path / "kits"
        shutil.copytree(KITS, kits)
        (kits / "broken").mkdir()
        (kits / "broken" / "kit.json").write_text('{"id": ')
        shutil.copytree(kits / "starter", kits / "damaged")
        description = json.loads((kits / "damaged" / "kit.json").read_text())
        if "id" in description:
            description["id"] = "damaged"
            (kits / "damaged" / "kit.json").write_text(json.dumps(description))
        (kits / "damaged" / "kick.flac").write_bytes(b"this is no sound")
        with Server("--kits", str(kits)) as server:
            self.assertIn("broken", server.said())
            # The kit whose sound is damaged is refused when it is asked for.
            server.send(osc.message("/kit", "damaged"))
            time.sleep(0.5)
            with Drummer(server, 0.3, count=2) as drummer:
                drummer.finish()
            self.wait_until("both hits are in the mix", lambda: len(
                Sound.from_wav(server.get("/last.wav?seconds=20")[2]).onsets(rest=0.05)) == 2)

    def test_kits_check_names_the_damaged_file(self):
        shutil.copytree(pathlib.Path(KITS) / "starter", self.path / "starter")
        (self.path / "starter" / "kick.flac").write_bytes(b"this is no sound")
        result = run("kits", "check", str(self.path / "starter"))
        self.assertEqual(result.returncode, 65, result.stdout + result.stderr)
        self.assertIn("kick.flac", result.stdout + result.stderr)

    def test_kits_check_tells_each_kit_once_however_often_and_however_it_is_named(self):
        kit = pathlib.Path(KITS) / "starter"
        result = run("kits", "check", str(kit), f"{kit}/", str(kit / "kit.json"), "--kits", str(kit))
        self.assertEqual((result.returncode, result.stdout.count("fine")), (0, 1), result.stdout + result.stderr)
        shutil.copytree(kit, self.path / "starter")
        (self.path / "starter" / "kick.flac").unlink()
        result = run("kits", "check", str(self.path), str(self.path / "starter"))
        self.assertEqual(result.returncode, 65)
        self.assertEqual(result.stderr.count("kick.flac"), 1, result.stderr)
        # One kit by two ways is no kit that is there twice.
        result = run("kits", "list", str(kit), f"{kit}/")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stderr)

    def test_kits_import_names_each_damaged_file_and_makes_the_kit_of_the_others(self):
        sounds = self.path / "sounds"
        sounds.mkdir()
        shutil.copy(pathlib.Path(KITS) / "starter" / "kick.flac", sounds)
        for name in ("hat.wav", "snare.flac"):
            (sounds / name).write_bytes(b"this is no sound")
        result = run("kits", "import", str(sounds), "-o", str(self.path / "mine"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_warned(result, "hat.wav", "snare.flac", "all pads were turned down by")
        self.assertEqual(run("kits", "check", str(self.path / "mine")).returncode, 0)
        (sounds / "kick.flac").unlink()
        result = run("kits", "import", str(sounds), "-o", str(self.path / "none"))
        self.assert_fails(result, 65, str(sounds), "nothing was imported", "WAV")
        self.assert_warned(result, "hat.wav", "snare.flac")

    def test_a_data_folder_that_cannot_be_made_or_written_is_69_before_the_start(self):
        file = self.path / "file"
        file.write_bytes(b"")
        # The last is a folder that even root cannot write into.
        for folder in (str(file), str(file / "scores"), "/proc/self"):
            with self.subTest(folder=folder):
                result = run("serve", *FREE, "--data", folder)
                self.assert_fails(result, 69, folder, "--data DIR")
                self.assertEqual(result.stdout, "")


class Life(Folder):
    def test_it_ends_by_itself_at_sigterm_and_at_sigint(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = Server("--alsa", "null")
            with Drummer(server, 0.1, count=5) as drummer:
                drummer.finish()
            server.process.send_signal(number)
            # An end that takes too long is another one: 70, by the server's own clock.
            self.assertEqual(server.process.wait(30), 0, server.said())
            self.assertNotIn("ended at once", server.said())
            server.stop()

    def test_a_broken_pipe_on_standard_output_is_no_reason_to_die(self):
        with Server() as server:
            server.process.stdout.close()
            self.assertEqual(server.get("/health")[0], 200)
            server.process.stdout = open(os.devnull)

    @needs("zbarimg")
    def test_the_qr_code_leads_to_the_page(self):
        with Server() as server:
            # It comes after the ready line.
            end = time.monotonic() + 60
            while "Ctrl-C" not in server.said() and time.monotonic() < end:
                time.sleep(0.05)
            rows = [line for line in server.said().splitlines() if set(line) <= set("█▀▄ ") and "█" in line]
            self.assertGreater(len(rows), 10, server.said())
            pixels = []
            for row in rows:
                pixels.append([c in "█▀" for c in row])
                pixels.append([c in "█▄" for c in row])
            width = max(len(row) for row in pixels)
            scale = 6
            image = self.path / "code.pbm"
            with open(image, "w") as file:
                file.write(f"P1\n{width * scale} {len(pixels) * scale}\n")
                for row in pixels:
                    line = " ".join("0" if i < len(row) and row[i] else "1" for i in range(width) for _ in range(scale))
                    file.write((line + "\n") * scale)
            result = subprocess.run(["zbarimg", "-q", "--raw", str(image)], capture_output=True, text=True, timeout=20)
            self.assertEqual(result.stdout.strip(), server.url("/"), result.stderr)

    def test_the_page_health_and_metrics_answer(self):
        with Server() as server:
            status, headers, body = server.get("/")
            self.assertEqual((status, headers["content-type"].split(";")[0]), (200, "text/html"))
            self.assertIn(b"<html", body.lower())
            self.assertEqual(json.loads(server.get("/health")[2])["status"], "ok")
            metrics = server.get("/metrics")[2].decode()
            for name in ("hits_total", "rtcp_reports_total", "rtp_worst_loss_ratio", "ogg_bytes_total"):
                self.assertIn(f"# HELP bandshell_{name} ", metrics)
                self.assertIn(f"# TYPE bandshell_{name} ", metrics)


class Rendering(Folder):
    def render(self, score: bytes, *arguments):
        path = self.path / "song.score"
        path.write_bytes(score)
        return run("render", str(path), "-o", str(self.path / "mix.wav"), "--kits", KITS, *arguments)

    def test_a_score_is_rendered_frame_exact_with_stems_and_midi(self):
        score = osc.score(*[(i * 0.5, [osc.message(f"/player/{('anna', 'ben')[i % 2]}{RIM}", 1.0)]) for i in range(8)])
        result = self.render(score, "--stems", str(self.path / "stems"), "--midi", str(self.path / "song.mid"))
        self.assertEqual(result.returncode, 0, result.stderr)
        mix = Sound.from_file(self.path / "mix.wav")
        onsets = mix.onsets()
        self.assertEqual(len(onsets), 8)
        for i, onset in enumerate(onsets):
            # All eight are the same sound at the same distance.
            self.assertAlmostEqual(onset - onsets[0], i * 0.5, delta=1.5 / 48_000)
        self.assertLess(mix.seconds, 5)
        anna = Sound.from_file(self.path / "stems" / "anna.wav")
        ben = Sound.from_file(self.path / "stems" / "ben.wav")
        self.assertEqual((len(anna.onsets()), len(ben.onsets())), (4, 4))
        for at in range(0, len(mix.left), 997):
            self.assertAlmostEqual(mix.left[at], anna.left[at] + ben.left[at], delta=1e-4)
        notes = [m for track in mido.MidiFile(self.path / "song.mid").tracks for m in track if m.type == "note_on" and m.velocity]
        # General MIDI's side stick.
        self.assertEqual([note.note for note in notes], [37] * 8)

    def test_the_same_score_gives_the_same_bytes(self):
        score = osc.score(*[(i * 0.01, [osc.message(f"/pad/{1 + i % 16}", 0.7)]) for i in range(300)])
        self.assertEqual(self.render(score).returncode, 0)
        first = (self.path / "mix.wav").read_bytes()
        self.assertEqual(self.render(score).returncode, 0)
        self.assertEqual(first, (self.path / "mix.wav").read_bytes())

    def test_a_broken_score_is_65_and_the_place_is_named(self):
        good = osc.score((0, [osc.message(RIM, 1.0)]))
        for score, word in ((b"\0\0\0", "byte 0"), (good[:-2], "byte 0"), (good + b"\0\0\0\x07abcdefg", f"byte {len(good)}"),
                            (osc.score((1, [osc.message("/pad/99", 1.0)])), "/pad/99"),
                            (osc.score((12, [osc.message(RIM, 1.0)]), (1, [osc.message(RIM, 1.0)])), "earlier")):
            with self.subTest(word=word):
                self.assert_fails(self.render(score), 65, word)

    def test_a_score_whose_end_was_torn_is_rendered_up_to_there(self):
        whole = osc.score((0, [osc.message(RIM, 1.0)]), (1, [osc.message(RIM, 1.0)]))
        first = osc.score((0, [osc.message(RIM, 1.0)]))
        for name, torn in (("cut", whole[:-5]), ("zeros", first + bytes(4_096))):
            with self.subTest(name=name):
                (self.path / "s").write_bytes(torn)
                (self.path / "good").write_bytes(first)
                result = run("render", str(self.path / "s"), "-o", str(self.path / "torn.wav"), "--kits", KITS)
                self.assertEqual(result.returncode, 65, result.stderr)
                self.assertIn(f"byte {len(first)}", result.stderr)
                run("render", str(self.path / "good"), "-o", str(self.path / "good.wav"), "--kits", KITS)
                self.assertEqual((self.path / "torn.wav").read_bytes(), (self.path / "good.wav").read_bytes())

    def test_a_script_is_rendered_as_a_live_room_would_play_it(self):
        script = self.path / "song.txt"
        script.write_text("""# two bars of a kick on each beat, and a recorded clap
0    /tempo 120
0    /player/ann/loop/bars 1
0.1  /player/ann/step/1/1 1.0
     /player/ann/step/1/9 1.0
3:1  /player/bob/kit "house"
4:2  /player/bob/pad/2 1.0
5:1  end
""")
        mixes = []
        for name in ("a.wav", "b.wav"):
            done = run("render", "--live", str(script), "-o", str(self.path / name), "--stems", str(self.path / "stems"),
                       "--midi", str(self.path / "song.mid"))
            self.assertEqual(done.returncode, 0, done.stderr)
            mixes.append((self.path / name).read_bytes())
        self.assertEqual(mixes[0], mixes[1])
        mix = Sound.from_file(self.path / "a.wav")
        self.assertAlmostEqual(mix.seconds, 8, places=2)
        ann = Sound.from_file(self.path / "stems" / "ann.wav")
        # From the second half of the first bar on, each second, to the frame.
        onsets = ann.onsets()
        for i, onset in enumerate(onsets[:7]):
            self.assertAlmostEqual(onset - onsets[0], i, delta=1.5 / 48_000)
        self.assertAlmostEqual(onsets[0], 1, delta=0.005)
        bob = Sound.from_file(self.path / "stems" / "bob.wav")
        self.assertAlmostEqual(bob.onsets()[0], 6.5, delta=0.02)
        midi = (self.path / "song.mid").read_bytes()
        self.assertEqual((midi.count(b"MTrk"), b"ann" in midi, b"bob" in midi), (3, True, True))
        wrong = self.path / "wrong.txt"
        wrong.write_text("0 /pad/1 1\n1 /pad/99 1\n")
        done = run("render", "--live", str(wrong), "-o", str(self.path / "c.wav"))
        self.assertEqual(done.returncode, 65)
        self.assertIn("wrong.txt:2: /pad/99", done.stderr)

    def test_a_score_by_hand_names_what_it_leaves_out(self):
        path = self.path / "hand.score"
        path.write_bytes(osc.score((0, [osc.message("/player/ann/step/1/1", 1.0), osc.message("/player/ann/step/1/5", 1.0),
                                        osc.message("/player/ann/pad/3", 1.0)]),
                                   (1, [osc.message("/player/ann/loop/play"), osc.message("/player/ann/buildup", 150.0, 4)])))
        done = run("render", str(path), "-o", str(self.path / "hand.wav"))
        self.assertEqual(done.returncode, 65)
        for address in ("/step/1/1", "/step/1/5", "/loop/play", "/buildup"):
            self.assertEqual(done.stderr.count(f"{address}: left out"), 1, done.stderr)
        self.assertIn("render --live", done.stderr)
        self.assertNotIn("/pad/3: left", done.stderr)
        # As commands the same file is music.
        live = run("render", "--live", str(path), "-o", str(self.path / "live.wav"))
        self.assertEqual(live.returncode, 0, live.stderr)
        self.assertIn("goes round without end", live.stderr)

    def test_a_score_that_is_not_there_is_65_and_a_place_that_cannot_be_written_69(self):
        self.assert_fails(run("render", str(self.path / "none"), "-o", str(self.path / "x.wav")), 65, "none")
        (self.path / "s").write_bytes(osc.score((0, [osc.message(RIM, 1.0)])))
        self.assert_fails(run("render", str(self.path / "s"), "-o", "/nowhere/x.wav", "--kits", KITS), 69, "/nowhere/x.wav")


class LiveAndAgain(Folder):
    def test_what_was_played_live_renders_again_bit_for_bit(self):
        with Server("--data", str(self.path / "data")) as server:
            players = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
            for i, player in enumerate(players):
                player.sendto(osc.message("/hello", f"p{i}"), ("127.0.0.1", server.osc))
            time.sleep(0.2)
            for i in range(60):
                players[i % 3].sendto(osc.message(f"/pad/{1 + i * 7 % 16}", 0.3 + i % 5 / 8), ("127.0.0.1", server.osc))
                if i % 20 == 10:
                    players[0].sendto(osc.message("/pad/2/gain", float(-i)), ("127.0.0.1", server.osc))
                    players[1].sendto(osc.message("/gain", -3.0), ("127.0.0.1", server.osc))
                time.sleep(0.02)
            time.sleep(4)
            live = Sound.from_wav(server.get("/last.wav?seconds=30")[2])
            for player in players:
                player.close()
        scores = list((self.path / "data").rglob("*.score"))
        self.assertEqual(len(scores), 1)
        result = run("render", str(scores[0]), "-o", str(self.path / "again.wav"), "--kits", KITS)
        self.assertEqual(result.returncode, 0, result.stderr)
        again = Sound.from_file(self.path / "again.wav")
        # /last.wav has 24 bits (read as the upper ones of 32), the rendering floats: round these as it does, halves away from 0.
        rounded = [int(math.copysign(math.floor(abs(v) * 8_388_608 + 0.5), v)) for v in again.left]
        first = next(i for i, v in enumerate(live.left) if v)
        start = next(i for i, v in enumerate(rounded) if v)
        count = min(len(live.left) - first, len(rounded) - start)
        self.assertGreater(count, 48_000)
        different = [i for i in range(count) if live.left[first + i] >> 8 != rounded[start + i]]
        self.assertEqual(different[:5], [], f"{len(different)} of {count} frames differ")


class Rooms(Folder):
    def test_a_room_with_a_slash_says_which_name_it_has(self):
        with Server("--room", "a/b", "--room", "garden") as server:
            self.wait_until("it is told", lambda: "Ctrl-C ends it" in server.said())
            said = server.said()
            self.assertEqual(server.get("/rooms/a_b/health")[0], 200)
        warnings = [line for line in said.splitlines() if "server.warning" in line and "--room" in line]
        self.assertEqual(len(warnings), 1, said)
        self.assertIn("“a/b” is served as “a_b”", warnings[0])
        self.assertIn("  Room   --room “a/b” is served as “a_b”", said)


class Doctor(Folder):
    def test_it_looks_at_everything_and_plays_a_test_hit(self):
        result = run("doctor", timeout=60)
        self.assertIn(result.returncode, (0, 69), result.stderr)
        for word in ("port 8000/udp", "firewall", "kit", "test hit", "real-time"):
            self.assertIn(word, result.stdout)
        hit = next(line for line in result.stdout.splitlines() if "test hit" in line)
        self.assertTrue(hit.startswith("✓"), result.stdout)

    def test_a_port_in_use_is_found_with_a_remedy(self):
        with socket.socket() as taken:
            try:
                taken.bind(("0.0.0.0", 8088))
                taken.listen()
            except OSError:
                self.skipTest("port 8088 is taken by something else already")
            result = run("doctor", timeout=60)
        self.assertEqual(result.returncode, 69)
        self.assertIn("✗ port 8088/tcp", result.stdout)
        self.assertIn("→", result.stdout)


    def test_a_server_that_runs_is_looked_at_by_its_ports(self):
        with Server() as server:
            server.send(osc.message("/hello", "ada"))
            self.wait_until("ada is there", lambda: server.figure('players{room="main"}') == 1)
            ports = ("--osc", f"127.0.0.1:{server.osc}", "--http", f"127.0.0.1:{server.http}",
                     "--media", f"127.0.0.1:{server.media}")
            result = run("doctor", *ports, timeout=60)
            self.assertIn("server: a Bandshell server is running on this machine: room main", result.stdout)
            self.assertIn("1 player,", result.stdout)
            self.assertIn("late commands", result.stdout)
            self.assertIn("firewall: no port is meant for other machines", result.stdout)
            self.assertNotIn("is taken by another program", result.stdout)
            # Its ports are those that were given, and not those of a server without options.
            self.assertNotIn("port 8000", result.stdout)
            # The OSC port alone tells whose it is.
            alone = run("doctor", *ports[:2], timeout=60)
            self.assertIn(f"port {server.osc}/udp (OSC) is that of a Bandshell server", alone.stdout)
            self.assertNotIn(f"port {server.osc}/tcp (OSC) is taken by another program", alone.stdout)
        result = run("doctor", *ports, timeout=60)
        self.assertIn(f"✓ port {server.osc}/udp (OSC) is free", result.stdout)


class Listening(ServerCase):
    def test_bandshell_listen_writes_what_is_played(self):
        output = self.server.path / "heard.wav"
        # 24 bits; the header counts nothing before the end.
        listener = FileListener(
            [BINARY, "listen", self.server.url("/"), "--out", str(output)], output,
            lambda path: max(0, path.stat().st_size - 44) / (6 * 48_000), Sound.from_file)
        sound = self.play_to(listener)
        self.assertEqual(listener.code, 0, listener.said)
        self.assert_rim_shots(sound)

    def test_bandshell_listen_stops_after_so_much_sound(self):
        output = self.server.path / "short.wav"
        result = run("listen", self.server.url("/"), "--out", str(output), "--seconds", "1.5", timeout=30)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(Sound.from_file(output).seconds, 1.5)


if __name__ == "__main__":
    unittest.main()
