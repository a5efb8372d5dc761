"""What the device takes part in: its screen stays on, and its lock screen has the room's name, play and pause."""

from case import BrowserCase

# A device whose screen and lock screen can be looked at.
DEVICE = """(() => {
  window.held = 0;
  window.deeds = {};
  const request = async () => {
    window.held += 1;
    const lock = new EventTarget();
    lock.release = async () => {
      window.held -= 1;
      lock.dispatchEvent(new Event('release'));
    };
    return lock;
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  navigator.mediaSession.setActionHandler = (deed, act) => { window.deeds[deed] = act; };
})();"""


class DeviceTests(BrowserCase):
    def device(self):
        page = self.open()
        page.add_init_script(DEVICE)
        self.reload(page)
        self.wait_connected(page)
        return page

    def test_the_screen_stays_on_while_the_room_is_heard_or_somebody_plays(self):
        page = self.device()
        page.evaluate("import('/device.js')")
        # Whoever has come plays.
        self.wait_until("the screen is held", lambda: page.evaluate("held") == 1)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="1"]')
        page.wait_for_selector("body[data-audio=playing]")
        self.assertEqual(page.evaluate("held"), 1, "one lock is enough")
        page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))")
        self.wait_until("a hidden page holds nothing", lambda: page.evaluate("held") == 0)
        page.evaluate("Object.defineProperty(document, 'hidden', { value: false, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))")
        self.wait_until("it is held again", lambda: page.evaluate("held") == 1)

    def test_the_lock_screen_has_the_rooms_name_and_its_pause_is_of_this_device_alone(self):
        page = self.device()
        page.evaluate("import('/device.js')")
        name = self.room(page, "room.name")
        self.wait_until("the name is told", lambda: page.evaluate("navigator.mediaSession.metadata?.title") == name)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="1"]')
        page.wait_for_selector("body[data-audio=playing]")
        self.wait_until("it plays", lambda: page.evaluate("navigator.mediaSession.playbackState") == "playing")
        page.evaluate("deeds.pause()")
        page.wait_for_selector("body[data-audio=off]")
        self.wait_until("it is paused", lambda: page.evaluate("navigator.mediaSession.playbackState") == "paused")
        self.assertTrue(self.room(page, "room.get('/play')"), "everybody else plays on")
        page.evaluate("deeds.play()")
        page.wait_for_selector("body[data-audio=playing]")
