"""Layouts for controller apps, fetched from a server: other programs read them, each message in them does what its
label says, and what the server sends moves and lights their controls.

TouchOSC and Open Stage Control cannot run here: `layouts.py` says what their controls send and hear.
"""

import collections
import importlib.machinery
import importlib.util
import json
import tempfile
import unittest
import zlib

from case import ServerCase
from peer import TCPPeer, UDPPeer
from server import ROOT

try:
    import layouts
    import py2tosc
except ImportError:
    layouts = None
try:
    import tosclib
except ImportError:
    tosclib = None

PHONE, TABLET, STAGE = "touchosc-phone.tosc", "touchosc-tablet.tosc", "open-stage-control.json"
# A bar is a second.
TEMPO = 240.0
# What comes all the time, or as something plays, and answers nothing.
NOISE = ("/position", "/beat", "/loop/position", "/hit", "/note", "/pad/", "/key/")


@unittest.skipIf(layouts is None, "not installed: py2tosc (Tests/Interop/requirements.txt)")
class LayoutCase(ServerCase):
    def fetch(self, name, query="", status=200):
        answer, headers, body = self.server.get(f"/layouts/{name}{query}")
        self.assertEqual(answer, status, body[:200])
        return (headers, body) if status == 200 else body.decode()

    def document(self, name, query=""):
        return py2tosc.loads(zlib.decompress(self.fetch(name, query)[1]))

    def texts(self, document):
        """What stands on the controls."""
        return {str(value.default) for node in document.walk() for value in node.values if value.key == "text"}


class Files(LayoutCase):
    def test_the_list_names_files_that_are_there(self):
        status, headers, body = self.server.get("/layouts/")
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        self.assertEqual([each["name"] for each in json.loads(body)["layouts"]], [PHONE, TABLET, STAGE])
        for name in (PHONE, TABLET, STAGE):
            headers, _ = self.fetch(name)
            self.assertEqual(headers["content-disposition"], f'attachment; filename="{name}"')
            self.assertEqual(headers["cache-control"], "no-store")

    def test_touchosc_files_are_what_its_editor_writes_and_have_no_fault(self):
        for name in (PHONE, TABLET):
            _, data = self.fetch(name)
            self.assertEqual(data[:2], b"\x78\x9c")
            text = zlib.decompress(data).decode()
            document = py2tosc.loads(text)
            self.assertEqual([str(issue) for issue in document.validate()], [])
            self.assertEqual(document.version, "6")
            # py2tosc writes what the editor writes, byte for byte.
            self.assertEqual(document.dumps(), text)
            self.assertIn("<svg", py2tosc.to_svg(document))

    @unittest.skipIf(tosclib is None, "not installed: tosclib (Tests/Interop/requirements.txt)")
    def test_tosclib_reads_them(self):
        for name in (PHONE, TABLET):
            with tempfile.NamedTemporaryFile(suffix=".tosc") as file:
                file.write(self.fetch(name)[1])
                file.flush()
                root = tosclib.ElementTOSC.fromFile(file.name)
            pages = root[0]
            self.assertEqual(pages.node.get("type"), "PAGER")
            names = [tosclib.ElementTOSC(page).getPropertyValue("tabLabel").text for page in pages.children]
            self.assertIn("Keys", names)

    def test_no_two_fingers_meet_and_each_finds_its_control(self):
        """12 mm on a phone that is 64 mm wide, and on a tablet that is 197 mm wide."""
        for name, unit in ((PHONE, 64 / 400), (TABLET, 197 / 1024)):
            for node in self.document(name).walk():
                if node.get("interactive") and str(node.control_type) in ("BUTTON", "FADER"):
                    _, _, width, height = node.frame
                    self.assertGreaterEqual(min(width, height) * unit, 11.9, f"{name} {node.get('name')}")

    def test_pads_have_the_names_of_the_kit(self):
        for kit in ("starter", "house"):
            pads = [pad["name"] for pad in json.loads((ROOT / "Kits" / kit / "kit.json").read_text())["pads"]]
            self.assertLessEqual(set(pads), self.texts(self.document(PHONE, f"?kit={kit}")))
            self.assertLessEqual(set(pads), set(self.stage_texts(f"?kit={kit}")))

    def test_the_strips_of_a_mixer_have_them_too_before_the_device_is_connected(self):
        pads = [pad["name"] for pad in json.loads((ROOT / "Kits" / "house" / "kit.json").read_text())["pads"]]
        shown = {node.get("name"): value.default for node in self.document(TABLET, "?kit=house").walk()
                 for value in node.values if value.key == "text"}
        self.assertEqual([shown[f"/pad/{pad}/gain text"] for pad in range(1, len(pads) + 1)], pads)
        stage = {widget["id"]: widget.get("default") for tab in json.loads(self.fetch(STAGE, "?kit=house")[1])["content"]["tabs"]
                 for widget in tab["widgets"]}
        self.assertEqual([stage[f"/pad/{pad}/gain text"] for pad in range(1, len(pads) + 1)], pads)

    def stage_texts(self, query):
        return [widget.get("default") for tab in json.loads(self.fetch(STAGE, query)[1])["content"]["tabs"]
                for widget in tab["widgets"]]

    def test_a_player_gets_its_own_pads(self):
        with TCPPeer(self.server) as ann:
            ann.say("/hello", "ann")
            token = ann.wait("/welcome")[5]
            ann.say("/kit", "house")
            self.wait_until("the kit is there", lambda: self.asked(ann, "/kit") == "house")
            ann.say("/pad/3/sample", "starter/9")
            self.wait_until("the sound is there", lambda: self.asked(ann, "/pad/3/name") == "Rim")
            document = self.document(TABLET, f"?player=ann&token={token}")
            self.assertIn("Rim", self.texts(document))
            connect = next(node for node in document.walk() if node.get("name") == "/hello")
            self.assertEqual([part.value for part in connect.messages[0].arguments], ["ann-tablet", "main"])
            self.assertIn("/kit/house", [node.get("name") for node in document.walk()])
            for query in ("?player=ann", f"?token={token}"):
                self.assertIn("player=", self.fetch(TABLET, query, status=400))
            self.fetch(TABLET, "?player=ann&token=wrong", status=403)
            self.fetch(TABLET, "?player=nobody&token=wrong", status=404)

    @staticmethod
    def asked(peer, address):
        peer.say("/sync", address)
        return peer.wait(address)[0]

    def test_what_is_no_layout_is_refused(self):
        for name in ("touchosc-phone", "..%2f..%2fetc%2fpasswd", "x" * 1_500, "TOUCHOSC-PHONE.TOSC"):
            said = self.fetch(name, status=404)
            self.assertIn(PHONE, said)
            self.assertLess(len(said), 300)
        self.assertIn(self.server.get("/layouts/" + "x" * 10_240)[0], (414, 431))
        self.fetch(PHONE, "?kit=nothing", status=404)
        self.fetch(PHONE, "?kit=" + "x" * 1_000, status=404)

    def test_the_files_in_the_repository_are_what_the_server_makes(self):
        path = str(ROOT / "scripts" / "layouts")
        loader = importlib.machinery.SourceFileLoader("made_layouts", path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("made_layouts", loader))
        loader.exec_module(module)
        self.assertEqual(module.stale(self.server), [], "run scripts/layouts and commit Layouts/")


class Locked(LayoutCase):
    arguments = ("--password", "open sesame")

    def test_a_room_with_a_password_wants_it_and_the_device_says_it(self):
        self.fetch(PHONE, status=401)
        self.fetch(PHONE, "?password=wrong", status=401)
        document = self.document(PHONE, "?password=open+sesame")
        connect = next(node for node in document.walk() if node.get("name") == "/hello")
        self.assertEqual([part.value for part in connect.messages[0].arguments], ["phone", "main", "open sesame"])
        with UDPPeer(self.server) as device:
            for control in layouts.touchosc(self.fetch(PHONE, "?password=open+sesame")[1], device.port):
                if control.name == "/hello":
                    for address, [values] in control.sends:
                        device.say(address, *values)
            self.assertEqual(device.wait("/welcome")[:2], ("main", "phone"))


class Device(UDPPeer):
    """A controller with a layout: it sends what its controls send, and each control shows what comes to it."""

    def __init__(self, server, make):
        super().__init__(server)
        self.controls = make(self.port)
        self.shown = {}
        # All that was shown at an address, however short.
        self.history = collections.defaultdict(list)

    def control(self, address):
        return next(each for each in self.controls if any(address == sent for sent, _ in each.sends))

    def press(self, address):
        for where, [values] in self.control(address).sends:
            self.say(where, *values)

    def look(self):
        """Takes in what has come. A number moves a control to a place from 0 to 1, or it does not reach it."""
        while self._take(0.01):
            pass
        came, self.inbox = self.inbox, []
        heard = [(address, ends) for control in self.controls for address, ends in control.hears.items()]
        places = dict(heard)
        for address, values in came:
            if address not in places or len(values) != 1:
                continue
            ends = places[address]
            if ends is None:
                self.shown[address] = str(values[0])
            elif not isinstance(values[0], str):
                place = (values[0] - ends[0]) / (ends[1] - ends[0])
                assert -1e-6 <= place <= 1 + 1e-6, (address, values, ends)
                self.shown[address] = place
                self.history[address].append(place)


class Messages(LayoutCase):
    arguments = ("--host-word", "sesame", "--kits", str(ROOT / "Kits"))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Somebody sits in each seat that a mixer has a strip for.
        cls.others = [TCPPeer(cls.server) for _ in range(8)]
        for number, other in enumerate(cls.others):
            other.hello(f"p{number}")
        for other in cls.others:
            cls.addClassCleanup(other.close)
        boss = TCPPeer(cls.server)
        cls.addClassCleanup(boss.close)
        boss.say("/hello", "boss")
        cls.host_link = f"?player=boss&token={boss.wait('/welcome')[5]}"
        boss.say("/host", "sesame")
        while boss.wait("/host") != (1,):
            pass

    def device(self, name, is_hosts=False, is_host=False):
        """A device that has connected.

        `is_hosts` says whether the layout comes from a host's own link, and `is_host` whether the device is a host."""
        data = self.fetch(name, self.host_link if is_hosts else "")[1]
        device = Device(self.server, lambda port: layouts.open_stage_control(data) if name == STAGE
                        else layouts.touchosc(data, port))
        self.addCleanup(device.close)
        self.addCleanup(device.say, "/bye")
        device.press("/hello")
        self.name, self.token = (welcome := device.wait("/welcome"))[1], welcome[5]
        device.until_pong()
        if is_host:
            device.say("/host", "sesame")
        device.say("/tempo", TEMPO)
        device.say("/loop/bars", 1)
        device.until_pong()
        return device

    # ---- What each message does.

    def test_the_phone(self):
        self.assert_messages(self.device(PHONE))

    def test_the_tablet(self):
        self.assert_messages(self.device(TABLET))

    def test_open_stage_control(self):
        self.assert_messages(self.device(STAGE))

    def test_a_host_s_own_layouts_move_others(self):
        for name in (TABLET, STAGE):
            device = self.device(name, is_hosts=True, is_host=True)
            strips = [(address, values) for control in device.controls for address, values in control.sends
                      if address.startswith("/seat/")]
            self.assertEqual(len(strips), 16)
            for address, values in strips:
                with self.subTest(layout=name, address=address):
                    self.assert_control(device, address, values)

    def test_no_other_layout_has_what_is_refused_to_who_is_no_host(self):
        for name in (PHONE, TABLET, STAGE):
            self.assertEqual([address for control in self.device(name).controls for address, _ in control.sends
                              if address.startswith("/seat/")], [])

    def assert_messages(self, device):
        sent = set()
        for control in device.controls:
            for address, values in control.sends:
                # A control that stands on two pages is one.
                if (address, tuple(values)) in sent or control.name == "/hello":
                    continue
                sent.add((address, tuple(values)))
                with self.subTest(address=address):
                    self.assert_control(device, address, values)
        self.assertGreater(len(sent), 60)

    def assert_control(self, device, address, values):
        families = (deed for family, deed in self.DEEDS.items() if family.endswith("/") and address.startswith(family))
        acts = self.DEEDS[address] if address in self.DEEDS else next(families, None)
        for arguments in values:
            value = arguments[0]
            if acts is None:
                self.say(device, address, *arguments)
                self.assert_reads(device, address, value)
            elif value == 0:
                # The release of what is not pressed.
                self.say(device, address, *arguments)
            else:
                acts(self, device, address, arguments)
                self.say(device, address, 0.0)
        if acts is None:
            # Nothing that was moved is in the way of what comes next.
            self.say(device, address, TEMPO if address == "/tempo" else 1.0 if address == "/loop/bars" else values[0][0])

    def say(self, device, address, *arguments):
        device.until_pong()
        device.say(address, *arguments)
        told = device.until_pong()
        self.assertEqual([each for each in told if each[0] == "/error"], [], (address, arguments))

    def read(self, device, address):
        device.until_pong()
        if address.startswith("/n/"):
            device.say(address)
        else:
            device.say("/sync", address)
        return device.wait(address)[0]

    def assert_reads(self, device, address, value):
        read = self.read(device, address)
        # A share is that of the nearest word.
        within = 0.1 if address.startswith("/n/") else 1e-4
        if isinstance(read, int) and not address.startswith(("/loop/bars", "/chord", "/buildup")):
            # A switch is on for any number but 0.
            value = int(value != 0)
        elif isinstance(read, int):
            self.assertLessEqual(abs(read - value), 0.5, address)
            return
        self.assertAlmostEqual(read, value, delta=within, msg=address)

    # ---- Deeds: what has to be there first, and what comes of it.

    def hit(self, device, address, arguments):
        device.until_pong()
        device.say(address, *arguments)
        receipt = device.wait("/key/receipt" if address.startswith("/key/") else "/receipt")
        self.assertEqual(receipt[0], int(address.split("/")[2]))

    def height(self, device, address, arguments):
        """It moves a note that sounds, and nothing else."""
        key = address.removesuffix("/y")
        self.hit(device, key, (1.0,))
        self.say(device, address, *arguments)
        self.say(device, key, 0.0)
        self.say(device, address, 0.5)

    def key(self, device, address, arguments):
        (self.height if address.endswith("/y") else self.hit)(device, address, arguments)

    def state(self, device):
        return self.read(device, "/loop/state")

    def rest(self, device):
        """The loop is empty, plays or stands."""
        if self.state(device) not in ("empty", "playing", "stopped"):
            device.say("/loop/stop", 1.0)
        self.wait_until("the loop rests", lambda: self.state(device) in ("empty", "playing", "stopped"))

    def have_loop(self, device):
        self.rest(device)
        self.say(device, "/play", 1.0)
        if self.state(device) == "empty":
            device.say("/loop/bars", 2)
            device.say("/loop/record", 1.0)
            self.play_along(device)

    def play_along(self, device):
        """Hits a pad until the pass is over."""
        def hit():
            device.say("/pad/1", 1.0)
            device.say("/pad/1", 0.0)
            return self.state(device) == "playing"

        self.wait_until("the loop plays", hit)

    def record(self, device, address, arguments):
        self.rest(device)
        before = self.read(device, "/loop/layers")
        self.say(device, "/play", 1.0)
        device.say("/loop/bars", 2)
        self.say(device, address, *arguments)
        if address == "/loop/overdub":
            self.wait_until("it overdubs", lambda: self.read(device, address) == 1)
            device.say("/pad/1", 1.0)
            device.say("/loop/play", 1.0)
        self.wait_until("what waited has begun", lambda: self.state(device) != "waiting")
        self.play_along(device)
        self.assertGreater(self.read(device, "/loop/layers"), before)

    def play_loop(self, device, address, arguments):
        self.have_loop(device)
        self.say(device, address, *arguments)
        self.wait_until("the loop plays", lambda: self.read(device, address) == 1)

    def stop_loop(self, device, address, arguments):
        self.have_loop(device)
        self.say(device, address, *arguments)
        self.wait_until("the loop stands", lambda: self.state(device) == "stopped")

    def clear_loop(self, device, address, arguments):
        self.have_loop(device)
        self.say(device, address, *arguments)
        self.wait_until("the loop is empty", lambda: self.state(device) == "empty")

    def edit(self, device):
        before = self.read(device, "/pad/2/pan")
        device.say("/pad/2/pan", -1.0 if before > 0 else 1.0)
        device.until_pong()

    def undo(self, device, address, arguments):
        self.edit(device)
        self.say(device, address, *arguments)

    def redo(self, device, address, arguments):
        self.edit(device)
        changed = self.read(device, "/pad/2/pan")
        device.say("/undo", 1.0)
        self.assertNotEqual(self.read(device, "/pad/2/pan"), changed)
        self.say(device, address, *arguments)
        self.assertEqual(self.read(device, "/pad/2/pan"), changed)

    def keep(self, device, address, arguments):
        self.play_loop(device, "/loop/play", (1.0,))
        self.say(device, address, *arguments)
        self.assertIn(self.name, self.read(device, address.replace("/keep", "/plays")))

    def scene(self, device, address, arguments):
        if address.endswith("/keep"):
            return self.keep(device, address, arguments)
        if not self.read(device, f"{address}/plays"):
            self.keep(device, f"{address}/keep", (1.0,))
        self.say(device, "/play", 1.0)
        self.say(device, address, *arguments)
        self.wait_until("the scene plays", lambda: self.read(device, address) == 1)

    def build(self, device, address, arguments):
        self.say(device, "/play", 1.0)
        self.say(device, address, *arguments)
        self.wait_until("the build-up runs", lambda: self.read(device, "/buildup") == 1)
        self.say(device, "/buildup/cancel", 1.0)
        self.wait_until("it is over", lambda: self.read(device, "/buildup") == 0)

    def end_build(self, device, address, arguments):
        self.say(device, "/play", 1.0)
        device.say("/buildup")
        self.wait_until("the build-up runs", lambda: self.read(device, "/buildup") == 1)
        self.say(device, address, *arguments)
        self.wait_until("it is over", lambda: self.read(device, "/buildup") == 0)
        device.say("/tempo", TEMPO)

    def browse(self, device, address, arguments):
        where = "/" + address.split("/")[1]
        before = self.read(device, where)
        self.say(device, address, *arguments)
        self.wait_until(f"{where} is another", lambda: self.read(device, where) != before)

    def choose(self, device, address, arguments):
        if address in ("/kit/next", "/kit/prev"):
            return self.browse(device, address, arguments)
        self.say(device, address, *arguments)
        self.wait_until("the kit is there", lambda: self.read(device, address) == 1)
        self.assertEqual(self.read(device, "/kit"), address.removeprefix("/kit/"))

    def play(self, device, address, arguments):
        device.say("/stop", 1.0)
        self.say(device, address, *arguments)
        self.assertEqual(self.read(device, "/play"), 1)

    def stop(self, device, address, arguments):
        device.say("/play", 1.0)
        self.say(device, address, *arguments)
        self.assertEqual(self.read(device, "/play"), 0)
        device.say("/play", 1.0)

    def tap(self, device, address, arguments):
        self.say(device, address, *arguments)
        device.say("/tempo", TEMPO)

    def silence(self, device, address, arguments):
        # It sounds until somebody ends it.
        device.say("/pad/15/mode", "loop")
        device.say("/pad/15", 1.0)
        self.wait_until("the pad sounds", lambda: self.read(device, "/pad/15/lit") == 1)
        self.say(device, address, *arguments)
        self.wait_until("the pad is silent", lambda: self.read(device, "/pad/15/lit") == 0)
        device.say("/pad/15/reset", 1.0)

    DEEDS = {
        "/loop/record": record, "/loop/overdub": record, "/loop/play": play_loop, "/loop/stop": stop_loop,
        "/loop/clear": clear_loop, "/undo": undo, "/redo": redo, "/buildup": build, "/buildup/drop": end_build,
        "/buildup/cancel": end_build, "/instrument/next": browse, "/instrument/prev": browse, "/play": play,
        "/stop": stop, "/tempo/tap": tap, "/panic": silence, "/key/snap": None, "/key/": key, "/scene/": scene,
        "/kit/": choose,
        **dict.fromkeys([f"/pad/{pad}" for pad in range(1, 17)], hit),
    }

    # ---- What the server sends reaches a control.

    def test_what_is_told_moves_and_lights_every_control_that_has_a_state(self):
        for name, is_hosts in ((PHONE, False), (TABLET, False), (STAGE, False), (TABLET, True), (STAGE, True)):
            with self.subTest(layout=name, is_hosts=is_hosts):
                device = self.device(name, is_hosts, is_host=is_hosts)
                device.say("/sync")
                heard = {address for control in device.controls for address in control.hears}
                self.wait_until(f"all values have come to {name}", lambda: self.shows_all(device, heard))
                self.assert_follows(device)

    def shows_all(self, device, heard):
        device.look()
        # A loop has a place while it plays.
        return heard - device.shown.keys() <= {"/loop/position"}

    def assert_follows(self, device):
        """Another device of the same player moves everything; the layout's controls follow."""
        with TCPPeer(self.server) as second:
            second.say("/hello", self.name, "main", "", self.token)
            second.wait("/welcome")
            movable = {address: ends for control in device.controls for address, ends in control.hears.items()
                       if any(address == sent for sent, _ in control.sends)}
            self.assertGreater(len(movable), 12)
            for address, (least, largest) in movable.items():
                for share in (1.0, 0.0):
                    second.say(address, float(least + share * (largest - least)))
                    self.wait_until(f"{address} stands at {share}", lambda: self.stands(device, address, share))
            second.say("/tempo", TEMPO)
            # The loop of a test before may play pad 1: who comes back with a name takes it up.
            for address in (f"/pad/{pad}" for pad in (2, 16)):
                second.say(address, 1.0)
                self.wait_until(f"{address} lights up", lambda: self.look(device) and 1 in device.history[f"{address}/lit"])
                self.wait_until(f"{address} goes out", lambda: self.stands(device, f"{address}/lit", 0))
            second.say("/kit", "house")
            self.wait_until("the pads have other names", lambda: self.stands(device, "/kit/name", "House"))
            second.say("/kit", "starter")
            self.wait_until("and their own again", lambda: self.stands(device, "/pad/9/name", "Rim"))
            second.say("/play")
            # A light that comes while the loop's state is read is not looked at: the loop begins after that.
            self.stop_loop(device, "/loop/stop", (1.0,))
            second.say("/loop/play")
            self.wait_until("the loop goes round", lambda: 0.2 < self.look(device).get("/loop/position", 0) < 0.9)
            self.wait_until("its button is lit", lambda: self.stands(device, "/loop/play", 1))
            second.say("/scene/2/keep")
            second.say("/scene/2/name", "Chorus")
            self.wait_until("the scene has its name", lambda: self.stands(device, "/scene/2/name", "Chorus"))
            second.say("/scene/2")
            self.wait_until("the scene is lit", lambda: self.stands(device, "/scene/2", 1))

    @staticmethod
    def look(device):
        device.look()
        return device.shown

    def stands(self, device, address, place):
        shown = self.look(device).get(address)
        return shown == place if isinstance(place, str) or shown is None else abs(float(shown) - place) < 1e-4

    def test_a_light_says_whether_the_strips_of_others_are_for_this_device(self):
        for name in (TABLET, STAGE):
            with self.subTest(layout=name):
                device = self.device(name, is_hosts=True)
                device.say("/sync", "/host")
                self.wait_until("the light is out", lambda: self.stands(device, "/host", 0))
                device.say("/seat/1/gain", -6.0)
                self.assertEqual(device.wait("/error")[2], "host-only")
                device.say("/host", "sesame")
                self.wait_until("the light is on", lambda: self.stands(device, "/host", 1))
                self.say(device, "/seat/1/gain", 0.0)

    def test_a_second_device_with_the_same_layout_is_a_player_of_its_own(self):
        one, two = self.device(TABLET, is_hosts=True), None
        first = self.name
        self.assertEqual(first, "boss-tablet")
        two = self.device(TABLET, is_hosts=True)
        self.assertNotEqual(self.name, first)
        self.say(one, "/macro/2", 0.75)
        self.say(two, "/macro/2", 0.25)
        self.assertEqual((self.read(one, "/macro/2"), self.read(two, "/macro/2")), (0.75, 0.25))
        # Once more on the button is no second player.
        two.press("/hello")
        self.assertEqual(two.wait("/welcome")[1], self.name)


if __name__ == "__main__":
    unittest.main()
