"""The sounds of a player's own pads, as its client gets them to sound its hits itself: GET /play and /play/<sound>."""

import io
import json
import unittest

import soundfile

from case import ServerCase
from test_cue import Player


class PlayTests(ServerCase):
    def described(self, player, condition=lambda told: True):
        """What is told of the player's pads, once it is so."""
        answers = []

        def is_so():
            status, headers, body = self.server.get(f"/play?{player.cue}")
            self.assertEqual((status, headers["content-type"], headers["cache-control"]), (200, "application/json", "no-store"))
            answers[:] = [json.loads(body)]
            return condition(answers[0])

        self.wait_until("the pads are told so", is_so)
        return answers[0]

    def hashes(self, told, place):
        return [[told["sounds"][number]["hash"] for number in layer["sounds"]] for layer in told["pads"][place]["layers"]]

    def sound(self, name, form):
        status, headers, body = self.server.get(f"/play/{name}.{form}")
        self.assertEqual(status, 200, body)
        self.assertEqual(headers["cache-control"], "private, max-age=31536000, immutable")
        return headers["content-type"], soundfile.read(io.BytesIO(body), always_2d=True)

    def test_every_sound_of_a_kit_comes_in_both_forms_with_its_frames(self):
        ann = Player(self, "ann")
        told = self.described(ann)
        self.assertEqual(told["kit"], "starter")
        self.assertEqual([place["pad"] for place in told["pads"]], list(range(1, 17)))
        used = {number for place in told["pads"] for layer in place["layers"] for number in layer["sounds"]}
        self.assertEqual(used, set(range(len(told["sounds"]))))
        for number, part in enumerate(told["sounds"][:12]):
            with self.subTest(number=number):
                for form, kind in (("opus", "audio/ogg"), ("flac", "audio/flac")):
                    told_kind, (values, rate) = self.sound(part["hash"], form)
                    self.assertEqual((told_kind, rate, values.shape), (kind, 48_000, (part["frames"], part["channels"])))

    def test_pads_are_told_as_they_are_now(self):
        bob = Player(self, "bob")
        before = self.described(bob)
        bob.send("/pad/1/sample", "dub/3")
        other = self.described(bob, lambda told: told["pads"][0]["sample"] == "dub/3")
        # The first pad has other sounds, so that those of the second have other numbers.
        self.assertEqual(self.hashes(other, 1), self.hashes(before, 1))
        self.assertNotEqual(self.hashes(other, 0), self.hashes(before, 0))
        # It is made anew, and has another content.
        bob.send("/pad/2/stretch", 1.5)
        stretched = self.described(bob, lambda told: told["pads"][1]["stretch"] == 1.5)
        new, = (stretched["sounds"][number] for number in stretched["pads"][1]["layers"][-1]["sounds"][:1])
        old, = (before["sounds"][number] for number in before["pads"][1]["layers"][-1]["sounds"][:1])
        self.assertNotEqual(new["hash"], old["hash"])
        self.assertEqual(new["frames"], round(old["frames"] * 1.5))
        self.assertEqual(len(self.sound(new["hash"], "flac")[1][0]), new["frames"])
        # It follows the tempo: only the room can sound it.
        bob.send("/pad/3/beats", 2.0)
        self.described(bob, lambda told: 3 not in [place["pad"] for place in told["pads"]])

    def test_a_sampled_instrument_has_zones(self):
        cat = Player(self, "cat")
        self.assertEqual(self.described(cat)["zones"], [])
        cat.send("/instrument", "marimba")
        told = self.described(cat, lambda told: told["instrument"] == "marimba" and told["zones"])
        for zone in told["zones"]:
            self.assertTrue(zone["low"] <= zone["high"] and zone["layers"], zone)

    def test_what_is_not_there(self):
        dan = Player(self, "dan")
        for path, status in ((f"/play?player=dan&token=x{dan.token}", 403), ("/play?player=nobody&token=x", 404), ("/play", 400),
                             ("/play?player=dan", 400), ("/play/" + "0" * 64 + ".opus", 404), ("/play/x.flac", 404),
                             ("/play/" + "a" * 1500, 404), ("/play/..%2f..%2fetc%2fpasswd.opus", 404), ("/play/.opus", 404)):
            with self.subTest(path=path):
                self.assertEqual(self.server.get(path)[0], status)


if __name__ == "__main__":
    unittest.main()
