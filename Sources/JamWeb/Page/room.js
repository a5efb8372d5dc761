// The room as this page takes part in it: the player, the server's facts, and sending messages.

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

// Milliseconds within which the server may still refuse a value that was set here.
const HOPE = 3000;

const address = new URL(location.href);

/// The room in the page's address, by its path or by ?room=; empty for the server's first room.
export const roomName =
  decodeURIComponent(address.pathname.match(/^\/rooms\/([^/]+)\//)?.[1] ?? "") || address.searchParams.get("room") || "";

export const base = roomName ? `/rooms/${encodeURIComponent(roomName)}/` : "/";

/// Takes the host word out of the address, where it stands behind the `#` as `host=WORD`. The part
/// behind the `#` goes to no server and into no log; the word also leaves the address bar at once.
/// Other parts behind the `#` stay.
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

// The token resumes the player after a reload, or when the page is opened again. A second tab gets
// a player of its own.

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
  /// Values that were set here and may still be refused: when they were set, and the value before.
  #hoped = new Map();
  /// The moment at which each address was last sent from here.
  #sent = new Map();
  /// The new name that the player asked for while in the room, until the server answers.
  #wish = null;
  #topics = new Set(["state", "beat", "hits"]);
  #flush = 0;
  #patience = 0;
  /// The name that the page's address asks for.
  #asked = null;
  /// Whether the player comes back after leaving or being removed: the server then has nothing of
  /// the player's from before.
  #isBack = false;
  /// The host word, which is sent as soon as the player is in. After that the server knows a host
  /// by the token.
  #hostWord = takeHostWord();

  constructor() {
    super();
    const asked = [...(address.searchParams.get("name") ?? "").trim()].slice(0, limits.name).join("") || null;
    this.isNamed = Boolean(asked ?? recall("name"));
    // After a reload this tab keeps its player's name, also a name given by chance, or another name
    // where the wished one was taken.
    const last = recallHere(`player ${base}`);
    this.player = (last?.asked === asked && last.name) || (asked ?? recall("name") ?? NAMES[Math.floor(Math.random() * NAMES.length)]);
    this.#asked = asked;
    this.password = address.searchParams.get("password") ?? recallHere(`password ${base}`) ?? "";
    this.token = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    // The socket's address names no room: with --open-rooms the message /hello makes the room.
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
    // A host's address that is opened in this tab changes only the part behind the `#`, which loads
    // no new page.
    addEventListener("hashchange", () => {
      this.#hostWord = takeHostWord() || this.#hostWord;
      this.#becomeHost();
    });
    setInterval(() => this.token && keepToken(this.player, this.token), 3000);
    addEventListener("pagehide", () => this.token && keepToken(this.player, this.token, 0));
  }

  /// Whether messages get through, as far as the page can know: the player is in, and the server
  /// was heard a moment ago.
  get isConnected() { return this.#connected && this.#connection.isHeard; }

  /// Whether the player has left, was removed, or was not let in.
  get isOut() { return this.#connection.isClosed; }

  open() { this.#connection.open(); }

  /// Joins again after leaving or being removed: as a new player, with the same name if it is free.
  comeBack() {
    this.#isBack = true;
    this.open();
  }

  /// Sends one message at once: a hit, a trigger, a question. Values that wait to be sent go first,
  /// so that an Undo finds them.
  /// Without a connection nothing is sent, because it would arrive seconds late.
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

  /// Whether `where` was sent from here a moment ago: then the server's next word about it is the
  /// answer.
  hasSent(where) { return performance.now() - (this.#sent.get(where) ?? -Infinity) < HOPE; }

  /// Sends several messages in one bundle.
  sendTogether(...messages) {
    this.#sendWaiting();
    return this.#connection.send(bundle(...messages.map((parts) => message(...parts))));
  }

  /// Sets values that belong together, [[where, value], …]: one Undo takes all of them back.
  setTogether(values) {
    this.send("/undo/group", true);
    for (const [where, value] of values) this.set(where, value);
    this.send("/undo/group", false);
  }

  /// Sets a value: shows it at once and sends it. A moving fader is sent at most once in 25 ms.
  set(where, ...values) {
    // Without a connection nothing changes, and the control shows the old value again.
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

  /// Leaves the room as the player wishes: the page does not join again by itself, and the name
  /// becomes free.
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

  /// Subscribes to a topic, or ends that. `meters` and `position` are wanted only while they are
  /// visible.
  want(topic, on = true) {
    const had = this.#topics.has(topic);
    if (on) this.#topics.add(topic);
    else this.#topics.delete(topic);
    if (had !== on && this.#connected) this.#subscribe();
  }

  #subscribe() { this.#post("/subscribe", ...this.#topics); }

  /// The address of a stream or file of this room, with the password if there is one.
  path(name, query = {}) {
    const search = new URLSearchParams(query);
    if (this.password) search.set("password", this.password);
    const text = search.toString();
    return base + name + (text ? `?${text}` : "");
  }

  #hello() {
    // An empty text means the server's first room, whatever its name is.
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

  /// The server has started anew, or the player was away for too long: the player's things are
  /// gone, except for what the full state tells next.
  #beginAgain() {
    const kit = this.get("/kit");
    // The addresses of a key's steps begin with the key's number: /key/60/….
    const keys = [..."0123456789"].map((digit) => `/key/${digit}`);
    this.empty("/step/", "/lane/", "/layer/", "/mix/", ...keys);
    this.tell("begun again", []);
    if (kit) this.send("/kit", kit);
  }

  /// The socket is open, but nothing comes: messages may never arrive.
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
        // A refused new name does not end the stay: the player keeps the old name.
        this.#wish = null;
        return this.tell("refused", [where, reason, code]);
      }
      // Two refusals end by themselves, so the page waits and asks again: too many wrong passwords,
      // and a full room.
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
    // The value that was shown at once was refused: the earlier value is shown again, and the page
    // asks for the full state. That state leaves out empty values, so the earlier value is needed;
    // asking for the one address alone would toggle a switch.
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
