"""Chromium, launched once for a process, and its profiles, each of which serves one page after the other.

A new profile and its process take as much CPU as the page itself. So a profile that is given back is cleared and kept
for the next page that wants the same options, as long as nothing was done to it that stays.
"""

import atexit
import os
import shutil
import urllib.parse

try:
    from playwright.sync_api import Error, sync_playwright
except ImportError:
    sync_playwright = None

CHROMIUM = os.environ.get("CHROMIUM", shutil.which("chromium") or "")
# The same engine without Chromium's own windows, each of which loads pages of its own. CHROMIUM stands for both.
SHELL = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or CHROMIUM
# Chromium's sandbox does not run as root.
ARGUMENTS = ["--no-sandbox"] if os.geteuid() == 0 else []

# A page that nobody looks at draws some twelve times a second: its 60 frames are a third of all the CPU of these tests.
FEW_FRAMES = """(() => {
  const [ask, cancel] = [requestAnimationFrame.bind(window), cancelAnimationFrame.bind(window)];
  const waiting = new Map();
  let count = 0;
  window.requestAnimationFrame = (call) => {
    count += 1;
    const number = count;
    waiting.set(number, [clearTimeout, setTimeout(() => waiting.set(number, [cancel, ask((now) => { waiting.delete(number); call(now); })]), 64)]);
    return number;
  };
  window.cancelAnimationFrame = (number) => {
    const [end, which] = waiting.get(number) ?? [];
    end?.(which);
    waiting.delete(number);
  };
})();"""

# A page that nobody looks at is not painted: all is laid out and touched as ever, for a quarter less of the CPU. Whoever
# asks for opacity, for axe-core or for a picture is told that they cannot be had here.
UNSEEN = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const refuse = () => { throw new Error("the page is not painted: open it with is_seen"); };
  const look = Element.prototype.checkVisibility;
  Element.prototype.checkVisibility = function (options = {}) {
    return options.opacityProperty || options.checkOpacity ? refuse() : look.call(this, options);
  };
  // axe-core takes what is not painted for hidden.
  Object.defineProperty(window, "axe", { set: refuse });
}"""

# Somebody who knows the hints, records without a count and as played, and has More open.
KNOWS_THE_PAGE = """for (const [key, value] of Object.entries({ "hints seen": ["tap", "record", "invite", "borrow"], "count in": 0, tidy: "off", more: true })) {
  if (location.protocol.startsWith("http") && localStorage.getItem(`bandshell ${key}`) === null) localStorage.setItem(`bandshell ${key}`, JSON.stringify(value));
}"""

# A busy machine hears the room late: the page would offer another timing, and lay a message over what is looked at.
KNOWS_THE_OFFER = """if (location.protocol.startsWith("http")) {
  for (const what of ["interval", "tap along"]) localStorage.setItem(`bandshell ${what} offered`, "true");
}"""

# Most tests look at the stream: the player's own hits come by it.
HEARS_HITS_IN_THE_STREAM = """if (location.protocol.startsWith("http") && localStorage.getItem("bandshell own hits") === null) {
  localStorage.setItem("bandshell own hits", '"off"');
}"""

# A test's finger means what it comes down on, however late that came: no control rests (rest.js).
MEANS_WHAT_IT_TOUCHES = """if (location.protocol.startsWith("http")) import("/rest.js").then(({ Rest }) => {
  Rest.prototype.press = () => true;
  Rest.prototype.rests = () => false;
}, () => {});"""

# Whoever had the profile before has left nothing. It comes before all other scripts, once for each use and tab.
NEW_HERE = """if (location.protocol.startsWith("http") && sessionStorage.getItem("use of this profile") !== "%d") {
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.setItem("use of this profile", "%d");
}"""

# What changes a context or a page for good: it is closed then, and not used again.
LASTING = {
    "context": ("add_cookies", "add_init_script", "clear_permissions", "expose_binding", "expose_function", "grant_permissions",
                "new_cdp_session", "on", "once", "route", "set_extra_http_headers", "set_geolocation", "set_offline"),
    "page": ("add_init_script", "close", "emulate_media", "expose_binding", "expose_function", "on", "once", "route", "set_content",
             "set_extra_http_headers"),
}


def no_picture(**_):
    raise AssertionError("the page is not painted: open it with is_seen")


class Profile:
    """A context with one page."""

    uses = 0

    def __init__(self, pool, key, browser, options):
        self._pool, self.key = pool, key
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self._tool = self.context.new_cdp_session(self.page)
        self._tool.send("Page.enable")
        self._script, self.problems, self.is_spoiled = None, [], False
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda said: self.problems.append(said.text)
                     if said.type == "error" and "Content Security Policy" in said.text else None)
        self._close, self._picture = self.context.close, self.page.screenshot
        for owner, names in ((self.context, LASTING["context"]), (self.page, LASTING["page"])):
            for name in names:
                setattr(owner, name, self._spoiling(getattr(owner, name)))
        # Whoever is done with a page closes its context.
        self.context.close = self.give_back

    def _spoiling(self, call):
        def spoil(*arguments, **options):
            self.is_spoiled = True
            return call(*arguments, **options)
        return spoil

    def begin(self, size, scripts, problems, timeout):
        """Is somebody's from now on: `scripts` run before those of the page, whose errors go to `problems`."""
        self.page.screenshot = no_picture if UNSEEN in scripts else self._picture
        self.problems, self.is_in_use = problems, True
        Profile.uses += 1
        self._script = self._tool.send("Page.addScriptToEvaluateOnNewDocument", {
            "source": "\n".join((NEW_HERE % (Profile.uses, Profile.uses), *scripts))})["identifier"]
        self.page.set_default_timeout(timeout)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def give_back(self):
        """Clears the profile for the next one. One that cannot be cleared is closed."""
        if not self.is_in_use:
            return
        self.is_in_use = False
        if self.is_spoiled or self.page.is_closed() or not self._is_cleared():
            self._close()
        else:
            self._pool.append(self)

    def _is_cleared(self):
        try:
            for page in self.context.pages:
                if page is not self.page:
                    page.close()
            origin = "://".join(urllib.parse.urlsplit(self.page.url)[:2])
            self.page.goto("about:blank")
            self._tool.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._script})
            self._tool.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            self._tool.send("Page.resetNavigationHistory")
            self.context.clear_cookies()
        except Error:
            return False
        return True


class Profiles:
    """One Playwright and one Chromium for all the classes that a process runs.

    `words` are more of its command line, and `whole` is Chromium with its own windows: others than before are launched.
    With an `environment` of its own it sounds, else it is muted.
    """

    def __init__(self):
        self._playwright = self._browser = self._launched = None
        self._kept = []

    def browser(self, words=(), whole=False, environment=None):
        if self._playwright is None:
            self._playwright = sync_playwright().start()
            atexit.register(self._end)
        wished = (CHROMIUM if whole else SHELL, words, environment)
        if self._browser is None or self._launched != wished or not self._browser.is_connected():
            self._close()
            self._browser = self._playwright.chromium.launch(executable_path=wished[0], args=[*ARGUMENTS, *words],
                                                              **({"env": environment, "ignore_default_args": ["--mute-audio"]} if environment else {}))
            self._launched = wished
        return self._browser

    def take(self, browser, size, options):
        """A profile with nothing in it. `give_back` it, or close its context."""
        key = repr(sorted(options.items()))
        for profile in self._kept:
            if profile.key == key:
                self._kept.remove(profile)
                return profile
        return Profile(self._kept, key, browser, {"viewport": {"width": size[0], "height": size[1]}, **options})

    def _close(self):
        self._kept.clear()
        if self._browser is not None and self._browser.is_connected():
            self._browser.close()
        self._browser = None

    def _end(self):
        self._close()
        self._playwright.stop()


profiles = Profiles()
