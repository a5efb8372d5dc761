// The room as this page is in it: who we are, what the server says, and how to say something.

import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { recall, recallHere, remember, rememberHere } from "./memory.js";
import { bundle, message, parse } from "./osc.js";
import { limits } from "./ranges.js";
import { State, nothing } from "./state.js";

const NAMES = [
  "Wren", "Finch", "Lark", "Swift", "Robin", "Heron", "Plover", "Linnet", "Dipper", "Siskin", "Curlew", "Avocet",
  "Otter", "Marten", "Hare", "Badger", "Fox", "Lynx", "Seal", "Newt",
];

const HOPE = 3000; // Milliseconds within which what was set may be refused.

const address = new URL(location.href);

/// The room that the address names, by its path or by ?room=; empty is the server's first.
export const roomName =
  decodeURIComponent(address.pathname.match(/^\/rooms\/([^/]+)\//)?.[1] ?? "") || address.searchParams.get("room") || "";

export const base = roomName ? `/rooms/${encodeURIComponent(roomName)}/` : "/";

/// Takes the host word out of the address, where it stands behind the `#` as `host=WORD`: it goes to no server and into no log, and
/// leaves the address bar at once. The rest of the mark stays.
function takeHostWord() {
  const parts = location.hash.slice(1).split("&");
  const mark = parts.find((part) => part.startsWith("host="));
  if (mark === undefined) return "";
  const rest = parts.filter((part) => part !== mark).join("&");
  history.replaceState(history.state, "", location.pathname + location.search + (rest && `#${rest}`));
  try {
    return decodeURIComponent(mark.slice("host=".length));
  } catch {
    return "";
  }
}

// The token resumes the player after a reload, or when the page is opened again; a second tab is a player of its own.

const tokenKey = (player) => `token ${base} ${player}`;

function storedToken(player) {
  const own = recallHere(tokenKey(player));
  if (own) return own;
  const last = recall(tokenKey(player));
  return last && Math.abs(Date.now() - last.seen) > 8000 ? last.token : "";
}

function keepToken(player, token, seen = Date.now()) {
  rememberHere(tokenKey(player), token);
  remember(tokenKey(player), { token, seen });
}

class Room extends State {
  #connection;
  #connected = false;
  #waiting = new Map();
  /// What was set here and may still be refused: when, and what it was before.
  #hoped = new Map();
  /// When what was last sent from here.
  #sent = new Map();
  /// The name that was asked for in its stead while we are in.
  #wish = null;
  #topics = new Set(["state", "beat", "hits"]);
  #flush = 0;
  #patience = 0;
  /// The name in the address.
  #asked = null;
  /// Who was out and comes in has nothing of before.
  #isBack = false;
  /// Sent as soon as we are in. After that the token says who is a host.
  #hostWord = takeHostWord();

  constructor() {
    super();
    const asked = [...(address.searchParams.get("name") ?? "").trim()].slice(0, limits.name).join("") || null;
    this.isNamed = Boolean(asked ?? recall("name"));
    // After a reload this tab is who it was, also by a chance name, or where another had the one that the address asks for.
    const last = recallHere(`player ${base}`);
    this.player = (last?.asked === asked && last.name) || (asked ?? recall("name") ?? NAMES[Math.floor(Math.random() * NAMES.length)]);
    this.#asked = asked;
    this.password = address.searchParams.get("password") ?? recallHere(`password ${base}`) ?? "";
    this.token = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    // The server's own address, not the room's: with --open-rooms it is /hello that makes the room.
    this.#connection = new Connection(`${scheme}://${location.host}/osc`);
    this.clock = new Clock((...values) => this.#post(...values));
    this.#connection.addEventListener("open", () => this.#hello());
    this.#connection.addEventListener("close", () => this.#left());
    this.#connection.addEventListener("doubt", () => this.clock.ask());
    this.#connection.addEventListener("quiet", () => this.#fallQuiet());
    this.#connection.addEventListener("heard", () => this.#hearAgain());
    this.#connection.addEventListener("packet", (event) => this.#take(event.data));
    this.on("/welcome", (values) => this.#welcome(values));
    this.on("/pong", (values) => this.clock.pong(values));
    this.on("/error", ([where, reason, code]) => this.#refused(where, reason, code));
    this.on("/kicked", () => this.#connection.close());
    // The host's address, opened in a tab that is here already, is no new page.
    addEventListener("hashchange", () => {
      this.#hostWord = takeHostWord() || this.#hostWord;
      this.#becomeHost();
    });
    setInterval(() => this.token && keepToken(this.player, this.token), 3000);
    addEventListener("pagehide", () => this.token && keepToken(this.player, this.token, 0));
  }

  /// Whether what is sent gets there, as far as one can know: we are in, and the server was heard a moment ago.
  get isConnected() { return this.#connected && this.#connection.isHeard; }

  open() { this.#connection.open(); }

  /// Goes in again, after leaving or being put out: as somebody new, by the same name where that is free.
  comeBack() {
    this.#isBack = true;
    this.open();
  }

  /// Sends one message at once: hits, triggers, questions. What was set before goes first, so that an undo finds it there.
  /// Where nothing gets through nothing is sent: it would come seconds late.
  send(where, ...values) {
    if (!this.#connection.isHeard) {
      this.tell("unsent", [where]);
      return false;
    }
    this.#sendWaiting();
    this.#sent.set(where, performance.now());
    return this.#post(where, ...values);
  }

  #post(where, ...values) { return this.#connection.send(message(where, ...values)); }

  /// Whether `where` was sent from here a moment ago: then what is told of it is the answer.
  hasSent(where) { return performance.now() - (this.#sent.get(where) ?? -Infinity) < HOPE; }

  /// Several in one bundle.
  sendTogether(...messages) {
    this.#sendWaiting();
    return this.#connection.send(bundle(...messages.map((parts) => message(...parts))));
  }

  /// Sets values that belong together, [[where, value], …]: one Undo takes them back.
  setTogether(values) {
    this.send("/undo/group", true);
    for (const [where, value] of values) this.set(where, value);
    this.send("/undo/group", false);
  }

  /// Sets a value: shown at once, and sent, a moving fader no more than once in 25 ms.
  set(where, ...values) {
    // Nothing changes, and the control that was moved shows so.
    if (!this.isConnected) {
      this.tell(where, this.all(where) ?? nothing(values));
      return this.tell("unsent", [where]);
    }
    const now = performance.now();
    const hoped = this.#hoped.get(where);
    this.#hoped.set(where, { at: now, before: hoped && now - hoped.at < HOPE ? hoped.before : this.all(where) });
    this.apply(where, values);
    this.#waiting.set(where, values);
    if (this.#flush) return;
    this.#sendWaiting();
    this.#flush = setInterval(() => this.#flushWaiting(), 25);
  }

  #flushWaiting() {
    if (this.#waiting.size > 0) return this.#sendWaiting();
    clearInterval(this.#flush);
    this.#flush = 0;
  }

  #sendWaiting() {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    if (this.isConnected) for (const [where, values] of waiting) this.send(where, ...values);
  }

  rename(name) {
    if (this.#connected) this.#wish = name;
    else this.player = name;
    this.isNamed = true;
    if (this.#connection.isOpen) this.#hello();
    else this.open();
  }

  /// Goes out of the room, at one's own wish: nothing comes back by itself, and the name is free.
  leave() {
    this.send("/bye");
    keepToken(this.player, "", 0);
    this.token = null;
    this.#connection.close();
    this.tell("left", []);
  }

  enter(password) {
    this.password = password;
    rememberHere(`password ${base}`, password);
    if (this.#connection.isOpen) this.#hello();
    else this.open();
  }

  /// What is told here: `meters` and `position` only while somebody looks at them.
  want(topic, on = true) {
    const had = this.#topics.has(topic);
    if (on) this.#topics.add(topic);
    else this.#topics.delete(topic);
    if (had !== on && this.#connected) this.#subscribe();
  }

  #subscribe() { this.#post("/subscribe", ...this.#topics); }

  /// The address of a stream or file of this room, with what lets us in.
  path(name, query = {}) {
    const search = new URLSearchParams(query);
    if (this.password) search.set("password", this.password);
    const text = search.toString();
    return base + name + (text ? `?${text}` : "");
  }

  #hello() {
    // Without a room in the address the server's first room is meant, whatever its name is: an empty text.
    this.#post("/hello", this.#wish ?? this.player, roomName, this.password, this.token || storedToken(this.player));
  }

  #welcome([room, player, , , , token]) {
    const begins = this.#isBack || (this.token !== null && this.token !== token);
    this.#isBack = false;
    const wish = this.#wish;
    this.#wish = null;
    this.name = room;
    this.player = player;
    this.token = token;
    this.#connected = true;
    keepToken(player, token);
    rememberHere(`player ${base}`, { asked: this.#asked, name: player });
    if (this.isNamed) remember("name", player);
    this.#subscribe();
    this.#becomeHost();
    this.clock.start();
    document.body.dataset.state = "connected";
    if (begins) this.#beginAgain();
    this.tell("connected", [room, player]);
    if (wish && wish !== player) this.tell("renamed", [wish, player]);
  }

  #becomeHost() {
    if (!this.#connected || !this.#hostWord) return;
    this.send("/host", this.#hostWord);
    this.#hostWord = "";
  }

  /// The server has started anew, or we were away for too long: nothing of ours is there but what the full state will tell.
  #beginAgain() {
    const kit = this.get("/kit");
    // A key's steps lie behind its number.
    this.empty("/step/", "/lane/", "/layer/", ...[..."0123456789"].map((digit) => `/key/${digit}`));
    this.tell("begun again", []);
    if (kit) this.send("/kit", kit);
  }

  /// The socket is open, and nothing comes: what is sent may never get there.
  #fallQuiet() {
    if (!this.#connected) return;
    document.body.dataset.state = "quiet";
    this.#waiting.clear();
    this.tell("quiet", []);
  }

  #hearAgain() {
    if (!this.#connected) return;
    document.body.dataset.state = "connected";
    this.tell("heard again", []);
  }

  #left() {
    this.clock.stop();
    this.#connected = false;
    this.#waiting.clear();
    document.body.dataset.state = "connecting";
    this.tell("disconnected", []);
  }

  #refused(where, reason, code) {
    if (where === "/hello" || where === "/password") {
      if (this.#wish !== null) {
        // Whoever is in stays in, by the old name.
        this.#wish = null;
        return this.tell("refused", [where, reason, code]);
      }
      // What can be had by waiting is waited for: a word's turn, and a place in the room.
      const awaited = { "too-many-guesses": "word", "room-full": "place" }[code];
      if (awaited) {
        clearTimeout(this.#patience);
        this.#patience = setTimeout(() => !this.#connected && this.#connection.isOpen && this.#hello(), 2200);
        return this.tell("waits", [awaited]);
      }
      if (code === "password-needed" || code === "wrong-password") return this.tell("password", [this.password !== ""]);
      this.#connection.close();
      return this.tell("shut", [reason, code]);
    }
    this.tell("refused", [where, reason, code]);
    // What was shown at once did not come true: it is as it was, and what holds is asked for. What is empty is not told then;
    // asking for it alone would toggle a switch.
    const hoped = this.#hoped.get(where);
    if (!hoped || performance.now() - hoped.at > HOPE) return;
    this.#hoped.delete(where);
    this.apply(where, hoped.before ?? nothing(this.all(where)));
    this.send("/sync");
  }

  #take(packet) {
    try {
      parse(packet, (where, values, time) => this.apply(where, values, time));
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
    }
  }
}

export const room = new Room();
