"""nginx, HAProxy and Caddy in front of the page: nobody is a host by that, and limits go by the visitor where `--behind` says so."""

import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import osc
from case import ServerCase, needs
from test_web_socket import messages

# nginx as its documentation has it for WebSockets: no line about Host, none about who asks.
NGINX = """
daemon off; pid {path}/pid; error_log stderr; worker_processes 1; {user}
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {path}/b; proxy_temp_path {path}/p; fastcgi_temp_path {path}/f;
  uwsgi_temp_path {path}/u; scgi_temp_path {path}/s;
  upstream backend {{ server 127.0.0.1:{http}; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://{upstream};
      proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";
      proxy_buffering off; {more}
    }}
  }}
}}
"""
HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout tunnel 1h
frontend page
  bind 127.0.0.1:{port}
  default_backend bandshell
backend bandshell
  {more}
  server jam 127.0.0.1:{http}
"""
CADDY = """
{{
  admin off
  auto_https off
}}
http://:{port} {{
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:{http}
}}
"""


class Proxy:
    def __init__(self, case, program, text, **words):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-proxy-")
        case.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        words = {"more": "", "upstream": f"127.0.0.1:{case.server.http}", **words}
        file = path / "configuration"
        file.write_text(text.format(
            path=path, port=self.port, http=case.server.http, user="user root;" if os.getuid() == 0 else "", **words))
        arguments = {"nginx": ["-p", str(path), "-c", str(file)], "haproxy": ["-db", "-f", str(file)],
                     "caddy": ["run", "--adapter", "caddyfile", "--config", str(file)]}[program]
        process = subprocess.Popen(
            [shutil.which(program) or program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            cwd=path, env={**os.environ, "HOME": str(path), "XDG_CONFIG_HOME": str(path), "XDG_DATA_HOME": str(path)})
        case.addCleanup(process.stderr.close)
        case.addCleanup(process.wait)
        case.addCleanup(process.terminate)
        self._case = case
        case.wait_until(f"{program} listens", self.listens, seconds=20)

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def get(self, path, source="127.0.0.1", **headers):
        """Status and the body's beginning."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=(source, 0))
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read1(4_096)
        finally:
            connection.close()

    def player(self, host="127.0.0.1", **options):
        player = connect(f"ws://{host}:{self.port}/osc", compression=None, **options)
        self._case.addCleanup(player.close)
        return player


def say_hello(player, name):
    """Joins, and returns what `/host` says in the full state."""
    player.send(osc.message("/hello", name))
    while True:
        for address, arguments in messages(player.recv(timeout=10)):
            if address == "/host":
                return bool(arguments[0])


@needs("nginx", "haproxy", "caddy")
class WithoutAWord(ServerCase):
    """Proxies that nobody named."""

    def proxies(self):
        yield "nginx", Proxy(self, "nginx", NGINX)
        yield "nginx, Host", Proxy(self, "nginx", NGINX, more="proxy_set_header Host $http_host;")
        yield "haproxy", Proxy(self, "haproxy", HAPROXY)
        yield "caddy", Proxy(self, "caddy", CADDY)

    def test_nobody_is_host_and_the_page_is_there(self):
        for name, proxy in self.proxies():
            with self.subTest(name):
                self.assertFalse(say_hello(proxy.player("localhost"), f"ann {name}"))
                status, page = proxy.get("/")
                self.assertEqual(status, 200)
                self.assertIn(b"<!doctype html>", page.lower())
                status, sound = proxy.get("/listen.opus")
                self.assertEqual((status, sound[:4]), (200, b"OggS"))

    def test_nobody_is_host_on_the_server_s_own_machine(self):
        with connect(f"ws://localhost:{self.server.http}/osc", compression=None) as player:
            self.assertFalse(say_hello(player, "at home"))

    def test_rtp_is_not_sent_to_a_proxy_or_to_whom_it_claims(self):
        proxy = Proxy(self, "caddy", CADDY)
        status, text = proxy.get("/listen.sdp?port=5004", source="127.0.0.2")
        self.assertEqual(status, 422, text)
        self.assertIn(b"--behind", text)


@needs("nginx", "haproxy", "caddy")
class Behind(ServerCase):
    """Proxies that are named. The visitors are other addresses of this machine's loopback."""

    arguments = ("--behind", "127.0.0.1", "--password", "sesame")

    def proxies(self):
        yield "nginx", "127.0.0.2", Proxy(
            self, "nginx", NGINX, more="proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;")
        yield "haproxy", "127.0.0.3", Proxy(self, "haproxy", HAPROXY, more="option forwardfor")
        yield "caddy", "127.0.0.4", Proxy(self, "caddy", CADDY)

    def guesses(self, address):
        return sum("guess.wrong" in line and address in line for line in self.server.said().splitlines())

    def test_limits_go_by_the_visitor_whatever_it_claims(self):
        for name, visitor, proxy in self.proxies():
            with self.subTest(name):
                for i in range(3):
                    status, _ = proxy.get(
                        f"/kits?password=guess{i}", source=visitor, X_Forwarded_For="203.0.113.9",
                        Forwarded="for=203.0.113.9")
                    self.assertEqual(status, 401)
                self.wait_until(f"the log has {visitor}", lambda: self.guesses(visitor) == 3)
                self.assertEqual(self.guesses("203.0.113.9"), 0)
                self.assertEqual(self.guesses("127.0.0.1"), 0)

    def test_rtp_goes_to_the_visitor(self):
        for name, visitor, proxy in self.proxies():
            with self.subTest(name):
                status, text = proxy.get("/listen.sdp?port=5004&password=sesame", source=visitor)
                self.assertEqual(status, 200, text)
                self.assertIn(f"c=IN IP4 {visitor}".encode(), text)

    def test_the_page_s_own_origin_is_let_in(self):
        for upstream in (f"127.0.0.1:{self.server.http}", "backend"):
            # The name by which the visitor came is lost on the way.
            player = Proxy(self, "nginx", NGINX, upstream=upstream).player(origin="https://jam.example")
            player.send(osc.message("/hello", "ann", "", "sesame"))
        for program, text in (("haproxy", HAPROXY), ("caddy", CADDY)):
            proxy = Proxy(self, program, text)
            proxy.player(origin=f"http://127.0.0.1:{proxy.port}")
            if program == "caddy":
                with self.assertRaises(InvalidStatus) as refused:
                    proxy.player(origin="http://evil.example")
                self.assertEqual(refused.exception.response.status_code, 403)


if __name__ == "__main__":
    unittest.main()
