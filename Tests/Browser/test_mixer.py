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

    def test_each_strip_shows_the_seat_that_a_mixer_knows(self):
        page = self.connected()
        page.click('[data-action="mixer"]')
        self.wait_until("the own strip shows the own seat", lambda: self.room(page, """
            [...document.querySelectorAll(".channel:not(.master)")].some((strip) => {
              const number = strip.querySelector("small");
              return strip.querySelector("b").textContent.includes(room.player) && !number.hidden
                && number.title === `Seat ${room.get(`/player/${room.player}/seat`)}`
                && number.textContent === String(room.get(`/player/${room.player}/seat`));
            })"""))

    def test_music_that_somebody_left_has_a_level_for_hosts_and_in_a_mix_of_ones_own(self):
        left = self.listener("carl")
        left.send("/step/1/1", 1)
        self.assertIsNotNone(left.wait_for("/loop/state"))
        left.send("/bye")
        page, host = self.connected(), self.connected(f"/?name={self.other}#host={WORD}")
        strip = ".mixer:visible .channel:has-text('carl')"
        for one in (page, host):
            one.click('[data-action="mixer"]')
            one.wait_for_selector(f"{strip} >> text=has left")
            self.assertFalse(one.is_visible(f"{strip} >> text=Solo"))
        host.click(f"{strip} >> text=Mute")
        page.wait_for_selector(f"{strip} >> [aria-label='Mute carl'][aria-pressed=true]")
        page.click("text=My mix")
        page.click(f"{strip} >> text=Mute for me")
        page.wait_for_selector(f"{strip} >> [aria-label='Mute carl for me'][aria-pressed=true]")
        self.wait_until("it is muted for this player", lambda: self.room(page, "room.get('/mix/carl/mute')") == 1)
        host.click(f"{strip} >> text=Mute")
        self.room(host, "room.send('/player/carl/kick')")
        page.wait_for_selector(strip, state="hidden")


if __name__ == "__main__":
    unittest.main()
