// The panel Room: the people, the chat, how to join, and the tools of hosts.

import { borrowFrom, lends } from "./borrow.js";
import { readable } from "./colour.js";
import { choice, sender, toggle, trigger } from "./controls.js";
import { controllers } from "./controllers.js";
import { copyText } from "./copy.js";
import { letIn } from "./door.js";
import { arrange, at, h, named, pieces, say, shown, t, toast, w, write } from "./dom.js";
import { isKnown, isOwn, joinAddress, joinCode, sayNoAddress } from "./join-address.js";
import {
  colourOf, health, lastHeard, latencies, leftLoops, lights, look, people, said, waits,
} from "./people.js";
import { layouts } from "./layouts.js";
import { leftKey, leftRow } from "./left-row.js";
import { explanation, lamp, line } from "./light-words.js";
import * as listen from "./listen.js";
import { panic } from "./pads.js";
import { parts } from "./panel.js";
import { limits } from "./ranges.js";
import { row as reactions } from "./reactions.js";
import { room } from "./room.js";

export function make() {
  const everybody = who();
  let looks = 0;
  const people = {
    show: () => {
      look(true);
      showLevels(true);
      // Nobody tells that a player goes on to be silent.
      clearInterval(looks);
      looks = setInterval(everybody.fill, LOOK);
    },
    hide: () => {
      showLevels(false);
      clearInterval(looks);
    },
  };
  return parts(
    ["People", everybody.element, people], ["Chat", chat(), { show: readChat }],
    ["Join", join(), { show: showJoin }], ["OSC", ...monitor()]);
}

// ---- What OSC apps send. Its code is fetched as it is first opened.

function monitor() {
  const place = h("div", {}, h("p.quiet", { textContent: "…" }));
  let made = null;
  let isOpen = false;
  const show = async () => {
    isOpen = true;
    made ??= import("./monitor-panel.js").then(({ make }) => make());
    try {
      const part = await made;
      if (place.firstChild !== part.element) place.replaceChildren(part.element);
      if (isOpen) part.show();
    } catch (problem) {
      made = null;
      say(place.firstChild, "This part could not be fetched. Is the server there?");
      console.error(problem);
    }
  };
  const hide = () => {
    isOpen = false;
    made?.then((part) => part.hide(), () => {});
  };
  return [place, { show, hide }];
}

// ---- People.

/// Milliseconds: who was silent for SILENT goes out of the list. The page looks every LOOK.
const [SILENT, LOOK] = [60_000, 5000];

/// Whether a player was silent for so long that the row fades from the list. Listeners are here to
/// listen, and nobody hears a newcomer at the door.
const isSilent = ({ name, role }) => name !== room.player && role !== "listener" && !waits(name)
  && performance.now() - (lastHeard.get(name) ?? performance.now()) > SILENT;

/// The people, as `element`; `fill` looks again who is silent.
function who() {
  const list = h("ul.plain");
  const silent = h("ul.plain");
  const count = h("summary");
  const faded = h("details.silent", { hidden: true }, count, silent);
  const listeners = h("p.quiet");
  const rows = new Map();
  const rowOf = (key, make) => {
    if (!rows.has(key)) rows.set(key, make());
    return rows.get(key);
  };
  function fill() {
    // The player's own row comes first, because it has the Leave button.
    const here = [...people].sort((one, other) => (other.name === room.player) - (one.name === room.player)).map((person) => {
      const row = rowOf(`here ${person.name}`, () => new PersonRow(person.name));
      row.see(person);
      row.isSilent = isSilent(person);
      return row;
    });
    const shown = [...here, ...leftLoops().map((name) => rowOf(`left ${leftKey(name)}`, () => new LeftRow(name)))];
    for (const [key, row] of rows) if (!shown.includes(row)) rows.delete(key);
    const quiet = shown.filter((row) => row.isSilent);
    arrange(list, shown.filter((row) => !row.isSilent).map((row) => row.element));
    arrange(silent, quiet.map((row) => row.element));
    faded.hidden = quiet.length === 0;
    const number = quiet.length;
    write(count, number === 1 ? t("1 player is silent") : w`${number} players are silent`);
    write(listeners, [streamsText(health?.listeners ?? 0), tripText()].join(" "));
  }
  function streamsText(count) {
    if (count === 0) return t("Nobody listens.");
    return count === 1 ? t("One stream is listened to.") : w`${count} streams are listened to.`;
  }
  function tripText() {
    const trip = room.clock.roundTrip;
    return trip === null ? "" : w`From here to the server and back: ${trip.toFixed(trip < 10 ? 1 : 0)} ms.`;
  }
  room.on("people", fill);
  room.on("lights", fill);
  room.on("/host", fill);
  room.on("loop notes", fill);

  const name = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "Your name", value: shown(room.player), spellcheck: false });
  room.on("connected", ([, player]) => { if (document.activeElement !== name) name.value = shown(player); });
  const rename = h("form.row.nowrap", { onsubmit: (event) => { event.preventDefault(); if (name.value.trim()) { room.rename(name.value.trim()); at("greeting").hidden = true; } } },
    name, h("button.text", { type: "submit", textContent: "Rename" }));

  const role = choice({ address: "/role", label: "You are here to", words: ["player", "listener"], names: { player: "Play along", listener: "Listen only" } });
  // A player who is a host must give that up first, by `/role player` from another sender; there is
  // no button for it, so that nobody does it by accident.
  room.on("/role", ([word]) => { role.hidden = word === "host"; });
  const you = h("div.group", {},
    h("h3", { textContent: "You" }), delay(), ownLight(), rename, role,
    h("button.text", { type: "button", textContent: "Silence all of mine", onclick: panic }));
  return { element: h("div", {}, reactions(), list, faded, listeners, you, hosts()), fill };
}

/// The latency from this player's tap to the ear, shown while this device plays sound.
function delay() {
  const line = h("p.quiet", { id: "delay" });
  const see = () => {
    const { milliseconds, isFar } = listen.delay();
    line.hidden = !milliseconds;
    if (!milliseconds) write(line, "");
    else if (isFar) write(line, w`You hear the room ${(milliseconds / 1000).toFixed(1)} s late: the close way (WebRTC) cannot be had. Good for hearing, not for playing along.`);
    else if (listen.ownState() === "on") {
      write(line, w`You hear the room ${Math.round(milliseconds)} ms late, and your own hits at once.`);
    } else write(line, w`From your tap to your ear: ${Math.round(milliseconds)} ms.`);
  };
  room.on("listening", see);
  see();
  return line;
}

/// This player's own light. A tap opens the cause and the remedy.
function ownLight() {
  const dot = h("i.lamp", { "aria-hidden": "true" });
  const text = h("span");
  const more = h("div");
  const summary = h("summary", { "aria-live": "polite" }, dot, text);
  const box = h("details.light", { id: "light" }, summary, more);
  const see = () => {
    const told = lights.get(room.player);
    box.hidden = !told;
    if (!told) return;
    box.dataset.lamp = dot.dataset.lamp = lamp(told.light);
    box.dataset.cause = told.cause;
    write(text, lampText(told));
    more.replaceChildren(...explanation(told).map((each) => h("p.quiet", { given: each })));
  };
  room.on("lights", see);
  see();
  return box;
}

/// The light in words, with a beginning that says whose it is.
const lampText = (told) => w`How this device hears the room: ${line(told)}`;

// ---- Levels beside the names, while the panel is open.

const levels = new Map();

function levelOf(name) {
  if (!levels.has(name)) levels.set(name, h("i.level", { "aria-hidden": "true" }, h("i")));
  return levels.get(name);
}

function showLevels(on) {
  room.want("meters", on);
  for (const level of levels.values()) level.firstChild.style.transform = "scaleX(0)";
}

room.on("/meter", ([name, left, right]) => {
  const level = levels.get(name);
  // The server sends 20 levels a second; a CSS transition smooths them.
  if (level?.isConnected) level.firstChild.style.transform = `scaleX(${Math.min(1, Math.max(0, 1 + Math.max(left, right) / 48)).toFixed(3)})`;
});

/// Asks first: takes back all that a player recorded, set and saved here.
function takeBackButton(name) {
  const takeBack = () => room.send(`/player/${name}/takeback`);
  const question = w`Take back all that ${shown(name)} recorded, set and saved?`;
  return smallButton("Take back", w`Take back all of ${shown(name)}`, () => {
    toast(question, 10, [["Take back all", takeBack]]);
  });
}

/// A person's row, with the tools of a host. It is changed in place, so that a button stays pressed
/// while the list changes.
/// A small button with a word on it, and more words for a screen reader.
const smallButton = (word, label, onclick) =>
  h("button.text.small", { type: "button", textContent: word, "aria-label": label, onclick });

class PersonRow {
  constructor(name) {
    const send = (what, ...values) => { room.send(`/player/${name}/${what}`, ...values); setTimeout(look, 200, true); };
    this.dot = h("i.dot");
    this.you = h("small", { textContent: "(you)" });
    this.about = h("small.kitname");
    this.lamp = h("i.lamp", { role: "img", hidden: true });
    this.light = h("small.late");
    this.role = h("button.text.small", { type: "button", onclick: () => send("role", this.listens ? "player" : "listener") });
    this.admit = smallButton("Let in", w`Let in ${shown(name)}`, () => letIn(name));
    const putOut = smallButton("Put out", w`Put out ${shown(name)}`, () => send("kick"));
    this.tools = h("span.row.nowrap", {}, this.admit, this.role, putOut, takeBackButton(name));
    this.borrow = smallButton("Borrow", w`Borrow a layer of ${shown(name)}`, () => borrowFrom(name));
    this.leave = h("button.text.small", { type: "button", textContent: "Leave", title: "Leave the room", onclick: () => room.leave() });
    const called = h("b", { given: shown(name) });
    const who = h("span.who", {},
      called, " ", this.you, " ", this.lamp, this.about, this.light, levelOf(name));
    this.element = h("li.person", {}, this.dot, who, this.borrow, this.tools, this.leave);
  }

  see({ name, kit, role, away }) {
    const mine = name === room.player;
    const latency = latencies.get(name);
    const late = away ? ` · ${t("away")}` : latency ? ` · ${latency < 1000 ? `${Math.round(latency)} ms` : `${(latency / 1000).toFixed(1)} s`}` : "";
    this.listens = role === "listener";
    this.dot.style.backgroundColor = readable(colourOf(name));
    this.you.hidden = this.leave.hidden = !mine;
    this.borrow.hidden = mine || !lends(name);
    const outside = waits(name);
    this.admit.hidden = !outside;
    this.role.hidden = outside;
    this.tools.hidden = mine || !(room.get("/host") > 0);
    this.about.title = latency ? w`${Math.round(latency)} ms from a tap to the ear` : "";
    this.element.classList.toggle("away", Boolean(away));
    const light = lights.get(name);
    this.lamp.hidden = !light;
    this.lamp.dataset.lamp = lamp(light?.light);
    this.lamp.setAttribute("aria-label", light ? line(light) : "");
    this.lamp.title = light ? [line(light), ...explanation(light)].join(" ") : "";
    // Of one's own light, more stands under You.
    const isBad = light && !mine && lamp(light.light) !== "green";
    this.light.hidden = !isBad;
    write(this.light, isBad ? [line(light), explanation(light).at(-1)].join(" · ") : "");
    const facts = [kit];
    if (role !== "player") facts.push(named(role));
    if (outside) facts.push(t("at the door"));
    write(this.about, `${facts.join(" · ")}${late}`);
    say(this.role, this.listens ? "Let play" : "Listen only");
    this.role.setAttribute("aria-label", `${this.role.textContent}: ${shown(name)}`);
  }
}

/// A player who has left with music that stays.
class LeftRow {
  constructor(name) {
    const takeBack = takeBackButton(name);
    takeBack.hidden = !(room.get("/host") > 0);
    this.element = leftRow(name, takeBack);
  }
}

function hosts() {
  const word = h("input.line", { type: "text", "aria-label": "Host word", placeholder: "Host word", autocapitalize: "none", spellcheck: false });
  const become = h("form.row.nowrap", { onsubmit: (event) => { event.preventDefault(); if (word.value) room.send("/host", word.value.trim()); word.value = ""; } },
    word, h("button.text", { type: "submit", textContent: "Become a host" }));
  const ask = h("div", {}, h("p.quiet", { textContent: "The server printed the host word, and an address that carries it, when it started." }), become);
  const tools = h("div", {},
    choice({ address: "/lock", label: "Only hosts may change", names: { none: "Nothing", tempo: "Tempo", loops: "Loops", kits: "Kits", key: "Key" } }),
    choice({ address: "/tempo/mode", label: "Tempo", names: { free: "Anybody sets it", vote: "The room votes" } }),
    toggle({ address: "/room/pin", label: "Pin the room’s pitch, filter and macros", note: "They stay when the player who moved them leaves." }),
    toggle({ address: "/room/door", label: "Door", note: "Newcomers play alone until a host lets them in." }),
    toggle({ address: "/metronome/speakers", label: "Metronome on the loudspeakers" }),
    h("div.row", {}, trigger("Undo for the room", "/room/undo"), trigger("Redo", "/room/redo"), trigger("Silence everybody", "/room/panic")));
  const group = h("div.group", {}, h("h3", { textContent: "Host" }), ask, tools);
  room.on("/host", ([on]) => { ask.hidden = on > 0; tools.hidden = !(on > 0); });
  ask.hidden = room.get("/host") > 0;
  tools.hidden = !ask.hidden;
  return group;
}

// ---- Chat.

let chatList = null;
let chatLine = null;

room.on("said", () => chatList?.isConnected && addLine(said.at(-1)));
room.on("said again", () => chatList?.replaceChildren());

function addLine({ name, text, at: when }) {
  const who = h("b", { given: shown(name) });
  who.style.color = readable(colourOf(name), true);
  chatList.append(h("li", {}, who, h("span", { given: ` ${text} ` }), h("small", { given: when.toTimeString().slice(0, 5) })));
  while (chatList.childElementCount > said.length) chatList.firstChild.remove();
  chatList.scrollTop = chatList.scrollHeight;
}

function chat() {
  chatList = h("ul.plain.chat", { "aria-live": "polite", "aria-label": "Chat" });
  chatLine = h("input.line", { type: "text", maxLength: limits.message / 2, placeholder: "Say something", "aria-label": "Say something", enterKeyHint: "send" });
  const say = sender("/chat", chatLine);
  const form = h("form.row.nowrap", { onsubmit: (event) => { event.preventDefault(); say(); } }, chatLine, h("button.primary", { type: "submit", textContent: "Send" }));
  return h("div.stack", {}, chatList, form);
}

function readChat() {
  document.body.removeAttribute("data-unread");
  chatList.replaceChildren();
  said.forEach(addLine);
  // On devices with a keyboard, its letters are for writing now, and not for the pads.
  if (matchMedia("(hover: hover)").matches) chatLine.focus();
}

// ---- Joining.

const code = h("div.qr");
const link = h("code");
const note = h("p.quiet");
const share = h("button.text", { type: "button", textContent: "Copy the address", onclick: () => copy(link.textContent) });

const nearby = controllers();

function join() {
  return h("div.stack.center", {}, code, link, note, h("div.row.center", {}, share,
    h("button.text", { type: "button", textContent: "Big screen for the wall", onclick: async () => (await import("./wall.js")).show() })),
  window.isSecureContext ? null : h("a", { href: "/trust.html", target: "_blank", textContent: "How to make this address secure" }),
  nearby.element, apps());
}

// The server tells its addresses to players who are in.
room.on("connected", () => { if (note.isConnected) showJoin(); });

async function showJoin() {
  nearby.show();
  const address = await joinAddress();
  code.replaceChildren();
  share.hidden = code.hidden = !address;
  if (!address) {
    link.textContent = "";
    return sayNoAddress(note);
  }
  link.textContent = address;
  // The server says whether there is a password; this page may not have it yet.
  const isLocked = health?.password ?? room.password;
  say(note, isLocked ? "Point a phone’s camera at it. The room has a password: tell it, it is not in the code." : "Point a phone’s camera at it; same Wi-Fi.");
  code.append(joinCode(address));
}

function apps() {
  const address = (text) => h("code", { given: text });
  const host = h("code");
  const port = h("code");
  const group = h("details.group", { hidden: true },
    h("summary", { textContent: "With an OSC app instead of this page" }),
    h("p", {}, pieces`OSC over UDP to host ${host}, port ${port}. Pads are ${address("/pad/1")} … ${address("/pad/16")}.`),
    h("p", {}, pieces`TouchOSC: receive port 9000, then send ${address("/subscribe 9000")} once. Open Stage Control: put host:port into ${h("em", { given: "send" })}.`),
    layouts());
  const show = () => {
    group.hidden = !isKnown();
    if (group.hidden) return;
    const { hosts, port: number } = health.osc;
    write(host, isOwn(location.hostname) && hosts.length ? hosts[0] : location.hostname.replace(/^\[|\]$/g, ""));
    write(port, String(number));
  };
  room.on("people", show);
  show();
  return group;
}

async function copy(text) {
  toast((await copyText(text, link)) ? "Copied." : "Copy it by hand: it is selected.");
}
