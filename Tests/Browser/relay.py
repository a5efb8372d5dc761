"""A network between a browser and the server's media port that is as long as a test wants."""

import heapq
import re
import select
import socket
import threading
import time


class Relay:
    """Datagrams to the browser come `delay` seconds late; those to the server come at once.

    Each `lose`-th datagram to the browser never comes; with 0 all do.
    """

    def __init__(self):
        self.delay = 0.0
        self.lose = 0
        self._front = self._bound()
        self._backs, self._media = {}, None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @staticmethod
    def _bound():
        each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        each.bind(("127.0.0.1", 0))
        return each

    def stand_before(self, page):
        """From its next dial on the page listens through this."""
        page.route("**/whep*", self._answer)

    def _answer(self, route):
        answer = route.fetch()
        sdp = answer.text()
        if found := re.search(r"^(a=candidate:\S+ 1 \S+ \S+ )\S+ (\d+) ", sdp, re.MULTILINE):
            self._media = ("127.0.0.1", int(found[2]))
            sdp = re.sub(r"^(a=candidate:\S+ 1 \S+ \S+ )\S+ \d+ ",
                         rf"\g<1>127.0.0.1 {self._front.getsockname()[1]} ", sdp, flags=re.MULTILINE)
        route.fulfill(response=answer, body=sdp)

    def _run(self):
        waiting, number = [], 0
        while not self._stop.is_set():
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, data, to = heapq.heappop(waiting)
                self._front.sendto(data, to)
            patience = min(0.1, waiting[0][0] - now) if waiting else 0.1
            for each in select.select([self._front, *self._backs], [], [], patience)[0]:
                try:
                    data, source = each.recvfrom(65_536)
                except OSError:
                    continue
                if each is not self._front:
                    number += 1
                    if self.lose and number % self.lose == 0:
                        continue
                    heapq.heappush(waiting, (time.monotonic() + self.delay, number, data, self._backs[each]))
                    continue
                back = next((back for back, browser in self._backs.items() if browser == source), None)
                if back is None:
                    back = self._bound()
                    self._backs[back] = source
                back.sendto(data, self._media)

    def close(self):
        self._stop.set()
        self._thread.join()
        for each in (self._front, *self._backs):
            each.close()
