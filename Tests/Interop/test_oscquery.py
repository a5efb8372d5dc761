"""OSCQuery on the OSC port: with python-oscquery, with WebSockets, and a controller that draws itself from the tree."""

import contextlib
import http.client
import json
import re
import socket
import struct
import time
import unittest

from pythonoscquery.osc_query_client import OSCQueryClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from zeroconf import ServiceInfo

import osc
from case import ServerCase
from peer import UDPPeer, messages

ATTRIBUTES = ("FULL_PATH", "CONTENTS", "TYPE", "ACCESS", "RANGE", "VALUE", "DESCRIPTION", "UNIT", "CLIPMODE", "TAGS")


def flat(node):
    """Every node by its path."""
    nodes = {node["FULL_PATH"]: node}
    for child in node.get("CONTENTS", {}).values():
        nodes |= flat(child)
    return nodes


def arguments(kinds, values):
    """Values of JSON as OSC arguments of the tree's types."""
    casts = {"f": float, "i": int, "h": int, "s": str}
    return [casts[kind](value) for kind, value in zip(kinds, values)]


def choices(kinds, ranges):
    """The least, the middle and the largest values of a node, or all of its words."""
    picked = []
    for kind, limits in zip(kinds, ranges):
        if limits is None:
            return []
        if "VALS" in limits:
            picked.append(limits["VALS"])
        elif "MIN" in limits and "MAX" in limits:
            least, most = limits["MIN"], limits["MAX"]
            middle = (least + most) / 2
            picked.append([least, middle if kind == "f" else round(middle), most])
        else:
            return []
    count = max(map(len, picked), default=0)
    return [[values[min(i, len(values) - 1)] for values in picked] for i in range(count)]


class Client:
    """A WebSocket of OSCQuery."""

    def __init__(self, server, path="/", **options):
        self.socket = connect(f"ws://127.0.0.1:{server.osc}{path}", **options)
        self.texts, self.told = [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def command(self, name, path):
        self.socket.send(json.dumps({"COMMAND": name, "DATA": path}))

    def send(self, address, *values):
        self.socket.send(osc.message(address, *values))

    def _take(self, seconds):
        with contextlib.suppress(TimeoutError):
            came = self.socket.recv(timeout=max(0.01, seconds))
            if isinstance(came, str):
                self.texts.append(json.loads(came))
            else:
                self.told += messages(came)

    def wait(self, address, value=None, seconds=30):
        """The next message to `address`, of that value."""
        end = time.monotonic() + seconds
        while True:
            for place, (name, values) in enumerate(self.told):
                if name == address and (value is None or values and values[0] == value):
                    del self.told[:place + 1]
                    return values
            if time.monotonic() > end:
                raise AssertionError(f"no {address} {value} within {seconds} s, but {self.told[-10:]} {self.texts[-10:]}")
            self._take(end - time.monotonic())

    def wait_text(self, command, data=None, seconds=30):
        end = time.monotonic() + seconds
        while True:
            for place, text in enumerate(self.texts):
                if text["COMMAND"] == command and (data is None or text["DATA"] == data):
                    return self.texts.pop(place)
            if time.monotonic() > end:
                raise AssertionError(f"no {command} {data} within {seconds} s, but {self.texts}")
            self._take(end - time.monotonic())

    def settle(self):
        """All that was said before is carried out: commands are answered in their order."""
        self.socket.send('{"COMMAND":"SETTLED?"}')
        self.wait_text("ERROR")
        told, self.told = self.told, []
        return told


class QueryCase(ServerCase):
    def ask(self, target, method="GET", headers=None, source="127.0.0.1"):
        """Status, headers and JSON of an answer on the OSC port. A guest who plays from the address `source` is the asker."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.osc, timeout=30, source_address=(source, 0))
        try:
            connection.request(method, target, headers=headers or {})
            answer = connection.getresponse()
            body = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
            is_json = body and found.get("content-type") == "application/json"
            return answer.status, found, json.loads(body) if is_json else body
        finally:
            connection.close()

    def status(self, target, **options):
        return self.ask(target, **options)[0]

    def library(self):
        return OSCQueryClient(ServiceInfo(
            "_oscjson._tcp.local.", "bandshell._oscjson._tcp.local.", self.server.osc, addresses=[socket.inet_aton("127.0.0.1")]))


class Tree(QueryCase):
    def test_python_oscquery_reads_the_host_s_facts_and_walks_the_tree(self):
        client = self.library()
        info = client.get_host_info()
        self.assertEqual((info.osc_ip, info.osc_port, info.osc_transport), ("127.0.0.1", self.server.osc, "UDP"))
        for extension in ("ACCESS", "VALUE", "RANGE", "LISTEN", "PATH_CHANGED", "PATH_ADDED", "PATH_REMOVED"):
            self.assertTrue(info.extensions[extension], extension)
        self.assertIsNotNone(client.query_node("/"))
        self.assertIsNotNone(client.query_node("/tempo"))
        self.assertIsNone(client.query_node("/nothing"))

    def test_every_node_has_what_the_proposal_requires(self):
        status, headers, tree = self.ask("/")
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        nodes = flat(tree)
        self.assertGreater(len(nodes), 300)
        for path, node in nodes.items():
            self.assertLessEqual(set(node), set(ATTRIBUTES), path)
            for name, child in node.get("CONTENTS", {}).items():
                self.assertEqual(child["FULL_PATH"], f"{path.rstrip('/')}/{name}")
        self.assertEqual(sum(re.fullmatch(r"/pad/\d+", path) is not None for path in nodes), 16)

    def test_who_only_looks_sees_the_kits_and_instruments(self):
        with UDPPeer(self.server) as player:
            player.hello("kits")
            player.say("/kits")
            kits = {values[1] for address, values in player.until_pong() if address == "/kits/item"}
            player.say("/bye")
        node = self.ask("/kit", source="127.0.0.77")[2]
        self.assertEqual(set(node["RANGE"][0]["VALS"]), kits)
        self.assertLessEqual(kits, set(node["CONTENTS"]))
        self.assertTrue(self.ask("/instrument?RANGE", source="127.0.0.77")[2]["RANGE"][0]["VALS"])

    def test_the_statuses(self):
        for target, wanted in (
                ("/tempo", 200), ("/tempo?VALUE", 200), ("/tempo?FULL_PATH", 200), ("/?HOST_INFO", 200), ("/?HOST_INFO=1", 200),
                ("/rooms/main/?HOST_INFO", 200), ("/tempo?NOTHING", 400), ("/tempo?VALUE&TYPE", 400), ("/nothing", 404),
                ("/%00", 400), ("/%ff", 400), ("/" + "x" * 3_000, 414), ("/rooms/vault/", 404)):
            self.assertEqual(self.status(target), wanted, target[:60])
        # Also as the first request of a connection.
        for method in ("HEAD", "POST", "PUT", "DELETE"):
            self.assertEqual(self.status("/tempo", method=method), 405, method)
        self.assertEqual(self.status("/tempo", method="OPTIONS"), 204)

    def test_metrics_count_its_answers_its_views_and_its_clients(self):
        answers = 'http_responses_total{status="2xx"}'
        before = self.server.figure(answers)
        for _ in range(5):
            self.assertEqual(self.status("/tempo?VALUE"), 200)
        # The first figure's own answer came after it.
        self.assertGreaterEqual(self.server.figure(answers), before + 6)
        with Client(self.server) as client:
            client.command("LISTEN", "/tempo")
            client.wait("/tempo")
            self.assertGreaterEqual(self.server.figure("oscquery_views"), 1)
            self.assertGreaterEqual(self.server.figure("oscquery_clients"), 1)

    def test_a_name_that_is_not_the_server_s_gets_421(self):
        for target in ("/", "/?HOST_INFO", "/tempo?VALUE"):
            self.assertEqual(self.status(target, headers={"Host": "evil.example"}), 421)
        with self.assertRaises(InvalidStatus) as refused:
            Client(self.server, additional_headers={"Origin": "http://evil.example"})
        self.assertEqual(refused.exception.response.status_code, 403)

    def test_osc_over_tcp_plays_on_the_same_port_beside_many_that_ask(self):
        asking = [socket.create_connection(("127.0.0.1", self.server.osc), timeout=30) for _ in range(40)]
        try:
            for connection in asking:
                connection.sendall(b"GET /te")
            packet = osc.message("/ping", 5)
            with socket.create_connection(("127.0.0.1", self.server.osc), timeout=30) as player:
                player.sendall(struct.pack(">i", len(packet)) + packet)
                self.assertIn(b"/pong", player.recv(4_096))
            for connection in asking:
                connection.sendall(b"mpo?VALUE HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                self.assertTrue(connection.recv(65_536).startswith(b"HTTP/1.1 200 "))
        finally:
            for connection in asking:
                connection.close()

    def test_bytes_that_make_no_sense_cost_only_their_sender(self):
        for junk in (b"G", b"G" * 100_000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n" + b"\0" * 99):
            with socket.create_connection(("127.0.0.1", self.server.osc), timeout=10) as connection, contextlib.suppress(OSError):
                connection.sendall(junk)
        self.assertEqual(self.status("/tempo?VALUE"), 200)


class Listening(QueryCase):
    def test_listen_tells_the_value_at_once_and_each_change(self):
        with UDPPeer(self.server) as player, Client(self.server) as client:
            player.say("/tempo", 111.0)
            player.until_pong()
            client.command("LISTEN", "/tempo")
            # The view may be some milliseconds behind the player's /pong.
            client.wait("/tempo", 111.0)
            player.say("/tempo", 112.0)
            client.wait("/tempo", 112.0)
            self.assertEqual(self.ask("/tempo?VALUE")[2], {"VALUE": [112.0]})

    def test_a_branch_is_told_whole_and_ignore_ends_it(self):
        with UDPPeer(self.server) as player, Client(self.server) as client:
            player.say("/pad/1/gain", -3.0)
            player.until_pong()
            # The view becomes the guest's, who plays from the same address.
            self.wait_until("the guest's view", lambda: self.status("/pad/1/gain?VALUE") == 200)
            self.wait_until("the listener's view", lambda: self._hears(client, "/pad/1"))
            player.say("/pad/1/gain", -4.0)
            client.wait("/pad/1/gain", -4.0)
            client.command("IGNORE", "/pad/1")
            client.settle()
            player.say("/pad/1/gain", -5.0)
            player.until_pong()
            self.wait_until("the value", lambda: self.ask("/pad/1/gain?VALUE")[2] == {"VALUE": [-5.0]})
            self.assertNotIn("/pad/1/gain", [address for address, _ in client.settle()])

    def _hears(self, client, path):
        client.command("LISTEN", path)
        return any(address == "/pad/1/gain" for address, _ in client.settle())

    def test_of_a_storm_of_changes_the_newest_is_told_at_a_bounded_pace(self):
        with UDPPeer(self.server) as player, Client(self.server) as client:
            client.command("LISTEN", "/tempo")
            client.settle()
            start = time.monotonic()
            for step in range(400):
                player.say("/tempo", 60.0 + step / 4)
                time.sleep(0.001)
            client.wait("/tempo", 60.0 + 399 / 4)
            told = 1 + sum(address == "/tempo" for address, _ in client.told)
            self.assertLessEqual(told, 40 * (time.monotonic() - start) + 5)

    def test_what_is_no_command_is_answered_and_ends_nothing(self):
        with Client(self.server) as client:
            for text in ("", "hello", "{", "[1]", '{"COMMAND":7}', '{"COMMAND":"DANCE"}', '{"COMMAND":"LISTEN"}',
                         '{"COMMAND":"LISTEN","DATA":"tempo"}', '{"COMMAND":"LISTEN","DATA":"/nothing"}', "x" * 10_000,
                         '{"COMMAND":"LISTEN","DATA":"/' + "x" * 3_000 + '"}', '{"a":' + "[" * 2_000):
                client.socket.send(text)
                self.assertTrue(client.wait_text("ERROR")["DATA"], text[:40])
            client.command("LISTEN", "/tempo")
            client.wait("/tempo")

    def test_players_come_and_go_as_paths(self):
        with Client(self.server) as client:
            client.command("LISTEN", "/tempo")
            client.wait("/tempo")
            with UDPPeer(self.server) as player:
                player.hello("visitor")
                client.wait_text("PATH_ADDED", "/player/visitor")
                client.wait_text("PATH_CHANGED")
                self.assertEqual(self.status("/player/visitor"), 200)
                player.say("/bye")
                client.wait_text("PATH_REMOVED", "/player/visitor")
            self.wait_until("the node is gone", lambda: self.status("/player/visitor") == 404)

    def test_the_server_ends_with_a_word(self):
        from server import Server
        with Server() as server:
            client = Client(server)
            client.command("LISTEN", "/tempo")
            client.wait("/tempo")
            self.assertLess(server.stop(), 3)
            with self.assertRaises(ConnectionClosed):
                client.wait("/nothing")


class OwnView(QueryCase):
    def setUp(self):
        self.player = UDPPeer(self.server)
        self.addCleanup(self.player.close)
        self.player.say("/hello", "ann")
        welcome = self.player.wait("/welcome")
        # The player of the test before is still there.
        self.own = f"player={welcome[1]}&token={welcome[5]}"

    def test_a_player_s_view_wants_its_token(self):
        self.player.say("/gain", -7.0)
        self.player.until_pong()
        name, token = self.own.split("&")
        self.assertEqual(self.ask(f"/gain?VALUE&{self.own}")[2], {"VALUE": [-7.0]})
        self.assertEqual(self.status(f"/gain?VALUE&{name}&token=wrong"), 403)
        self.assertEqual(self.status(f"/gain?VALUE&player=nobody&{token}"), 403)
        # Who only looks sees nobody's own value.
        self.assertEqual(self.status("/gain?VALUE"), 204)

    def test_binary_messages_are_the_player_s(self):
        with Client(self.server, f"/?{self.own}") as client:
            client.command("LISTEN", "/mute")
            client.wait("/mute")
            client.send("/gain", -8.0)
            self.wait_until("the value", lambda: self.ask(
                f"/gain?VALUE&{self.own}")[2] == {"VALUE": [-8.0]})
            self.player.say("/mute", 1.0)
            client.wait("/mute")


class DrawsItself(QueryCase):
    """A controller that reads the tree and nothing else: what it draws, it can use."""

    WORD = "sesame open"
    arguments = ("--host-word", WORD)
    # Refusals that say what is missing in this room; by the address.
    MISSING = {
        r"/seat/2/\w+": "seat-empty", r"/progression/play": "no-progression", r"/tempo/vote": "no-vote",
        r"/metronome": "click-unheard", r"/metronome/speakers": "no-speakers", r"/pad/\d+/preview": "cue-unheard",
        r"/layer/1/delete": "no-such-layer", r"/lane/\d/\w+": "lane-empty", r"/scene/\d(/\w+)?": "scene-empty|nothing-for-scene",
        r"/takes?(/\w+)?": "takes-not-kept", r"/sample/stop": "nobody-records", r"/(room/)?(undo|redo)": r"nothing-to-(undo|redo)(-in-room)?",
        r"/groove/\w+": "no-groove-part", r"/loop/catch": "nothing-to-catch|catch-while-recording",
    }
    # They end the player's stay or its right to play, or want a word.
    NOT_TRIED = r"/host|/bye|/unsubscribe|(/player/[^/]+|/seat/\d+|)/role|/player/.+/(admit|takeback)|/seat/1/(admit|takeback)"

    def setUp(self):
        self.hand = UDPPeer(self.server)
        self.addCleanup(self.hand.close)
        self.hand.say("/pad/1", 1.0)
        self.hand.say("/host", self.WORD)
        self.assertEqual(self.errors(), [])
        # It plays now, so it sees its own values.
        self.wait_until("the own view", lambda: self.status("/gain?VALUE") == 200)
        self.nodes = flat(self.ask("/")[2])

    def errors(self):
        return [values for address, values in self.hand.until_pong() if address == "/error"]

    def refusals(self, path, *messages):
        """What is refused of the messages to `path`, but for what this room has not."""
        wanted = "|".join(code for pattern, code in self.MISSING.items() if re.fullmatch(pattern, path))
        refused = []

        def is_told():
            for values in messages:
                self.hand.say(path, *values)
            refused[:] = [error for error in self.errors() if not re.fullmatch(wanted, error[2])]
            # A kit that was just chosen takes a moment.
            return all(error[2] != "kit-being-read" for error in refused)

        self.wait_until(f"the kit is there for {path}", is_told)
        return refused

    def tags(self, path):
        return set(self.nodes[path].get("TAGS", ()))

    def settable(self):
        """The paths that can be sent, by what a client can draw for them: a value, a button, or a form of several texts."""
        kinds = {"value": [], "button": [], "form": []}
        for path, node in self.nodes.items():
            if not node.get("ACCESS", 0) & 2 or re.fullmatch(self.NOT_TRIED, path):
                continue
            tags = self.tags(path)
            is_button = node["TYPE"] == "f" and tags & {"trigger", "query"}
            kinds["button" if is_button else "form" if tags & {"trigger", "query", "call"} else "value"].append(path)
        return kinds

    def test_every_address_is_a_value_a_button_or_a_form(self):
        kinds = self.settable()
        self.assertGreater(len(kinds["value"]), 800)
        self.assertGreater(len(kinds["button"]), 300)
        # No setting hides among those that want several arguments.
        for path in kinds["form"]:
            self.assertFalse(self.nodes[path]["ACCESS"] & 1, path)
        self.assertEqual(sum(re.fullmatch(r"/pad/\d+", path) is not None for path in kinds["button"]), 16)

    def test_it_sets_every_value_also_what_only_hosts_may(self):
        values = self.settable()["value"]
        self.assertTrue(any("host" in self.tags(path) for path in values))
        for path in values:
            node = self.nodes[path]
            was = node["VALUE"]
            # A text without a range, such as a name, gets its own value.
            for each in choices(node["TYPE"], node.get("RANGE", ())) or [was]:
                self.assertEqual(self.refusals(path, arguments(node["TYPE"], each)), [], f"{path} {each}")
            if node["ACCESS"] & 1:
                self.assertEqual(self.refusals(path, arguments(node["TYPE"], was)), [], f"{path} {was}")

    def test_it_presses_every_button(self):
        for path in self.settable()["button"]:
            self.assertEqual(self.refusals(path, [1.0], [0.0]), [], path)

    def test_it_shows_every_light(self):
        self.keep_scenes()
        self.nodes = flat(self.ask("/")[2])
        lights = [path for path, node in self.nodes.items() if node.get("ACCESS") == 3 and "trigger" in self.tags(path)]
        self.assertGreater(len(lights), 70)
        for path in lights:
            self.assertIn(self.nodes[path]["VALUE"][0], (0.0, 0.5, 1.0), path)
        with Client(self.server) as eye:
            self.wait_until("the eye has the hand's view", lambda: self.hears(eye, "/loop/record"))
            eye.command("LISTEN", "/")
            lit, refused = set(), []

            def is_lit(path):
                lit.update(address for address, values in eye.settle() if values and values[0] in (0.5, 1.0))
                return path in lit

            for path in lights:
                # What ends something is lit only while it waits for its bar line; Catch, while there is something to catch.
                if re.fullmatch(self.NOT_TRIED, path) or path.endswith(("/stop", "/clear", "/catch")):
                    continue
                self.hand.say(path, 1.0)
                if self.errors():
                    refused.append(path)
                else:
                    self.wait_until(f"{path} is lit", lambda path=path: is_lit(path))
        # There are no blocks for lanes here, and no takes.
        self.assertEqual([path for path in refused if not re.fullmatch(r"/lane/\d/\w+|/take/start", path)], [])

    def keep_scenes(self):
        self.hand.say("/loop/clear", 1.0)
        self.hand.say("/tempo", 300.0)
        self.hand.say("/loop/record", 1.0)

        def is_kept():
            self.hand.say("/pad/1", 1.0)
            self.hand.say("/scene/1/keep", 1.0)
            return self.errors() == []

        self.wait_until("a loop for scenes", is_kept)
        for scene in range(2, 9):
            self.hand.say(f"/scene/{scene}/keep", 1.0)
        self.assertEqual(self.errors(), [])

    @staticmethod
    def hears(eye, path):
        eye.command("LISTEN", path)
        return any(address == path for address, _ in eye.settle())


class WithPassword(QueryCase):
    arguments = ("--password", "sesame", "--room", "main", "--room", "cellar")

    def test_without_the_password_the_host_s_facts_alone_are_told(self):
        self.assertEqual(self.status("/?HOST_INFO"), 200)
        for target in ("/", "/tempo?VALUE", "/nothing", "/rooms/cellar/", "/rooms/vault/"):
            status, headers, _ = self.ask(target)
            self.assertEqual(status, 401, target)
            self.assertIn("Bearer", headers["www-authenticate"])
        self.assertEqual(self.status("/tempo?VALUE&password=wrong"), 401)
        for headers in ({}, {"Authorization": "Bearer sesame"}):
            query = "" if headers else "&password=sesame"
            self.assertEqual(self.status(f"/tempo?VALUE{query}", headers=headers), 200)
            self.assertEqual(self.status(f"/rooms/cellar/tempo?VALUE{query}", headers=headers), 200)
            self.assertEqual(self.status(f"/rooms/vault/tempo?VALUE{query}", headers=headers), 404)
        with self.assertRaises(InvalidStatus) as refused:
            Client(self.server)
        self.assertEqual(refused.exception.response.status_code, 401)
        with Client(self.server, "/rooms/cellar/?password=sesame") as client:
            client.command("LISTEN", "/tempo")
            client.wait("/tempo")


if __name__ == "__main__":
    unittest.main()
