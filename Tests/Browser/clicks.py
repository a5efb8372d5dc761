"""A page that hears its click through a network as long as a test wants."""

from case import BrowserCase
from probes import PEERS
from relay import Relay


class ClickCase(BrowserCase):
    def setUp(self):
        super().setUp()
        self.relay = Relay()
        self.addCleanup(self.relay.close)

    def hears_clicks(self, milliseconds, fresh=False):
        """A page that hears its click by a network so long; a fresh one is a beginner's, with More open."""
        self.relay.delay = milliseconds / 1_000
        page = self.open(fresh=fresh)
        page.context.add_init_script(PEERS)
        self.relay.stand_before(page)
        self.reload(page)
        self.wait_connected(page)
        page.wait_for_selector("body[data-audio=ready]")
        if fresh:
            page.click('[data-action="more"]')
        page.click('[data-action="metronome"]')
        page.wait_for_selector('[data-action="metronome"][aria-pressed=true]')
        page.wait_for_selector("body[data-audio=playing]")
        return page
