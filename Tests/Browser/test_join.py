"""The code to join by: the modules that another encoder makes, of an address that others can reach."""

import json
import pathlib
import re
import unittest
import urllib.parse
import zlib

from case import BrowserCase

try:
    import qrcode
    from qrcode.util import MODE_8BIT_BYTE, QRData
except ImportError:
    qrcode = None


class JoinTests(BrowserCase):
    @unittest.skipIf(qrcode is None, "not installed: qrcode (Tests/Browser/requirements.txt)")
    def test_the_code_is_what_another_encoder_makes(self):
        # One for each version; which mask is best is a matter of taste.
        for text in ("http://a.b/cde", "http://192.168.1.20:8088/", "http://10.0.0.5:8088/rooms/kéller/",
                     *("http://h/" + "x" * (length - 9) for length in (60, 80, 100, 120, 150, 180, 210))):
            with self.subTest(text=text):
                status, headers, drawing = self.server.get("/qr.svg?text=" + urllib.parse.quote(text, safe=""))
                self.assertEqual((status, headers["content-type"]), (200, "image/svg+xml"))
                self.assertIn(self.modules(drawing.decode()), [self.encoded(text, mask) for mask in range(8)])

    @staticmethod
    def modules(drawing):
        """The modules of a drawing, row by row; four light ones stand around them."""
        size = int(re.search(r'viewBox="0 0 (\d+) ', drawing)[1]) - 8
        rows = [[0] * size for _ in range(size)]
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1H", drawing):
            for i in range(int(length)):
                rows[int(y) - 4][int(x) - 4 + i] = 1
        return rows

    @staticmethod
    def encoded(text, mask):
        code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, mask_pattern=mask, border=0)
        code.add_data(QRData(text.encode(), mode=MODE_8BIT_BYTE))
        code.make(fit=True)
        return [[int(module) for module in row] for row in code.get_matrix()]

    def test_a_server_on_loopback_alone_offers_no_code_that_leads_nowhere(self):
        page = self.connected()
        page.click('[data-action="people"]')
        page.click("#panel-tabs >> text=Join")
        page.wait_for_selector("text=on this machine alone")
        self.assertEqual(page.locator("#panel .qr img").count(), 0)

    def test_an_invitation_into_a_server_on_loopback_says_that_nobody_can_come(self):
        page = self.connected()
        page.evaluate("import('/invite.js').then(({ invite }) => invite())")
        page.wait_for_selector("dialog.invite >> text=on this machine alone")
        self.assertEqual(page.locator(".invite img").count(), 0)
        self.assertFalse(page.is_visible(".invite >> text=Copy the address"))
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.invite", state="detached")

    def test_a_link_into_a_room_that_has_closed_says_so_and_leads_to_the_first(self):
        page = self.open("/rooms/cellar/?name=Ann")
        self.wait_text(page, "#lost-text", lambda text: text == "There is no room “cellar” here.")
        page.click("#lost a")
        self.wait_connected(page)


class OpenRoomTests(BrowserCase):
    arguments = ("--open-rooms",)

    def test_a_link_into_a_room_that_has_closed_opens_it_again(self):
        page = self.connected("/rooms/cellar/?name=Ann")
        self.assertEqual(page.text_content("#room-name"), "cellar")
        self.assertEqual(json.loads(self.server.get("/rooms/cellar/health")[2])["room"], "cellar")


class NetworkTests(BrowserCase):
    arguments = ("--http", "0.0.0.0:0", "--osc", "0.0.0.0:0")

    def test_the_address_is_one_of_the_network_and_never_localhost(self):
        page = self.connected()
        hosts = self.health()["osc"]["hosts"]
        if not any(not host.startswith(("127.", "::1")) for host in hosts):
            self.skipTest("this machine has no network")
        page.click('[data-action="people"]')
        page.click("#panel-tabs >> text=Join")
        page.wait_for_selector("#panel .qr img")
        address = page.text_content("#panel code >> nth=0")
        self.assertIn(address, page.get_attribute("#panel .qr img", "alt"))
        self.wait_until("the code is drawn", lambda: page.locator("#panel .qr img").evaluate("code => code.complete && code.naturalWidth > 0"))
        self.assertNotRegex(address, r"localhost|//127\.|//\[::1\]")
        self.assertIn(f":{self.server.http}/", address)

    def test_an_invitation_has_the_code_and_the_address_and_shares_where_the_system_does(self):
        page = self.connected()
        if not any(not host.startswith(("127.", "::1")) for host in self.health()["osc"]["hosts"]):
            self.skipTest("this machine has no network")
        page.evaluate("import('/invite.js').then(({ invite }) => invite())")
        page.wait_for_selector("dialog.invite[open] .code img")
        address = page.text_content(".invite .address")
        self.assertNotRegex(address, r"localhost|//127\.|//\[::1\]")
        self.assertIn(address, page.get_attribute(".invite .code img", "alt"))
        self.assertFalse(page.is_visible(".invite .primary"), "this system has no share sheet")
        page.click(".invite >> text=Copy the address")
        self.wait_until("it tells that", lambda: page.locator(".invite button").all_text_contents()[1] in ("Copied.", "Copy it by hand: it is selected."))
        page.click(".invite >> text=Close")
        page.wait_for_selector("dialog.invite", state="detached")
        page.evaluate("""() => {
          window.shared = [];
          navigator.share = async (what) => { shared.push(what); };
          return import('/invite.js').then(({ invite }) => invite());
        }""")
        page.click(".invite .primary")
        self.assertEqual(page.evaluate("shared"), [{"title": "Play with me in main", "url": address}])
        page.go_back()
        page.wait_for_selector("dialog.invite", state="detached")

    def test_a_layout_is_a_link_here_and_a_code_for_another_device(self):
        page = self.connected()
        page.click('[data-action="people"]')
        page.click("#panel-tabs >> text=Join")
        page.click("#panel summary >> text=With an OSC app")
        names = ["touchosc-phone.tosc", "touchosc-tablet.tosc", "open-stage-control.json"]
        self.assertEqual(page.locator("#panel [data-layout]").evaluate_all("all => all.map((each) => each.dataset.layout)"), names)
        with page.expect_download() as download:
            page.click("#panel [data-layout='touchosc-tablet.tosc'] a")
        self.assertEqual(download.value.suggested_filename, names[1])
        layout = zlib.decompress(pathlib.Path(download.value.path()).read_bytes()).decode()
        # It is the player's own.
        self.assertIn(f"{self.me}-tablet", layout)
        self.assertIn("<![CDATA[Kick]]>", layout)
        if not any(not host.startswith(("127.", "::1")) for host in self.health()["osc"]["hosts"]):
            self.skipTest("this machine has no network")
        page.click("#panel [data-layout='touchosc-phone.tosc'] button")
        code = page.wait_for_selector("#panel [data-layout] ~ .qr img")
        address = code.get_attribute("alt")
        self.assertIn("/layouts/touchosc-phone.tosc?kit=starter", address)
        self.assertNotIn("token", address)
        self.wait_until("the code is drawn", lambda: code.evaluate("code => code.complete && code.naturalWidth > 0"))


    def test_a_long_name_of_a_layout_leaves_the_button_beside_it_in_the_card(self):
        page = self.connected(None, (390, 844), has_touch=True, locale="de-DE")
        page.evaluate("import('/panel.js').then(({ open }) => open('people'))")
        page.click("#panel-tabs >> text=Beitreten")
        page.click("#panel summary >> text=Mit einer OSC-App")
        inside = """() => [...document.querySelectorAll('#panel [data-layout] > *')].map((each) => {
          const card = each.closest('.group');
          return card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight) - each.getBoundingClientRect().right;
        })"""
        for width in (390, 320):
            with self.subTest(width=width):
                page.set_viewport_size({"width": width, "height": 844})
                self.wait_until("the padding is free", lambda: len(free := page.evaluate(inside)) == 6 and min(free) > -0.5)
                # The buttons stand below each other.
                self.assertEqual(len({round(left) for left in page.locator("#panel [data-layout] button").evaluate_all(
                    "all => all.map((each) => each.getBoundingClientRect().left)")}), 1)


class LockedTests(BrowserCase):
    arguments = ("--http", "0.0.0.0:0", "--osc", "0.0.0.0:0", "--password", "open sesame")

    def test_before_the_password_nothing_is_said_that_is_not_known(self):
        page = self.open()
        page.wait_for_selector("#entry:not([hidden])")
        page.evaluate("import('/panel.js').then(({ open }) => open('people'))")
        page.click("#panel-tabs >> text=Join")
        page.wait_for_selector("#panel >> text=once you are in the room")
        said = page.inner_text("#panel")
        self.assertNotIn("on this machine alone", said)
        self.assertNotIn("8000", said)
        self.assertFalse(page.is_visible("#panel summary >> text=With an OSC app"))
        page.fill("#password", "open sesame")
        page.press("#password", "Enter")
        self.wait_connected(page)
        page.click("#panel summary >> text=With an OSC app")
        self.wait_until("the port is the server's", lambda: f"port {self.server.osc}." in page.inner_text("#panel"))
        if not any(not host.startswith(("127.", "::1")) for host in self.hosts()):
            return page.wait_for_selector("#panel >> text=on this machine alone")
        page.wait_for_selector("#panel .qr img")
        page.wait_for_selector("#panel >> text=The room has a password: tell it")

    def hosts(self):
        return json.loads(self.server.get("/health?password=open%20sesame")[2])["osc"]["hosts"]

    def test_no_code_of_a_layout_holds_the_password(self):
        page = self.connected(f"/?name={self.me}&password=open%20sesame")
        page.click('[data-action="people"]')
        page.click("#panel-tabs >> text=Join")
        page.click("#panel summary >> text=With an OSC app")
        page.click("#panel [data-layout='touchosc-phone.tosc'] button")
        page.wait_for_selector("#panel >> text=/which is in no code|on this machine alone/")
        self.assertEqual(page.locator("#panel [data-layout] ~ .qr img").count(), 0)
        with page.expect_download() as download:
            page.click("#panel [data-layout='touchosc-phone.tosc'] a")
        self.assertIn(b"open sesame", zlib.decompress(pathlib.Path(download.value.path()).read_bytes()))


if __name__ == "__main__":
    unittest.main()
