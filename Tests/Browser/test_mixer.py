"""How loud the mix is, and who keeps it so."""

import unittest

from case import BrowserCase

WORD = "geheim"


class MixerTests(BrowserCase):
    arguments = ("--host-word", WORD)

    def test_the_loudness_of_the_mix_is_told_and_a_host_switches_the_leveller(self):
        page, host = self.connected(), self.connected(f"/?name={self.other}#host={WORD}")
        for one in (page, host):
            one.click('[data-action="mixer"]')
        self.wait_text(page, ".loudness", lambda text: text == "Loudness of the mix: silent")
        self.room(page, "{ for (const step of [1, 5, 9, 13]) room.set(`/step/1/${step}`, 1); }")
        self.wait_text(page, ".loudness", lambda text: text.startswith("Loudness of the mix: −") and "LUFS" in text)
        self.room(page, "room.send('/loop/clear')")
        self.wait_text(page, ".loudness", lambda text: text == "Loudness of the mix: silent")
        switch = "text=Keep the mix at one loudness"
        host.wait_for_selector(switch)
        self.assertFalse(page.is_visible(switch))
        self.assertTrue(host.is_checked(".switch:has-text('Keep the mix') input"))
        host.click(switch)
        self.wait_until("everybody is told", lambda: self.room(page, "room.get('/master/leveller')") == 0)


if __name__ == "__main__":
    unittest.main()
