// The page's entry: what is seen first, and what opens the rest.

import { choosePad } from "./chosen.js";
import { at, h, named, redraw, say, shown, t, toast, w, write } from "./dom.js";
import "./keys.js";
import { recall, recallHere, remember, rememberHere } from "./memory.js";
import * as pads from "./pads.js";
import { people } from "./people.js";
import { addPanel, close, open, toggle } from "./panel.js";
import { limits, range, words } from "./ranges.js";
import { base, room, roomName } from "./room.js";
import { UNSENT } from "./silence.js";

const action = (name) => document.querySelector(`[data-action="${name}"]`);

/// What lets this device hear the room, and what draws the beat, come once the page can be touched.
const listening = new Promise((come) => { setTimeout(() => come(import("./listen.js"))); });
setTimeout(() => import("./beat.js"));
/// Sound is let out by a touch, be it before what plays sound is here.
let wasTouched = false;
for (const type of ["pointerup", "touchend", "click", "keydown"]) addEventListener(type, () => { wasTouched = true; }, { capture: true, once: true });

// ---- The pads.

pads.start();
pads.onPads({
  touch: choosePad,
  settings: (number) => {
    choosePad(number);
    open("settings", { pad: number });
  },
});
const sayPads = () => say(at("pads-text"), pads.padCount() > 8 ? "8 pads" : "16 pads");
sayPads();
action("pads").addEventListener("click", () => {
  pads.setPadCount(pads.padCount() > 8 ? 8 : 16);
  sayPads();
});

// ---- Who we are, and whether we are connected.

room.on("connected", ([name, player]) => {
  wasIn = true;
  sayName(name);
  write(at("state"), shown(player));
  say(at("status"), w`Connected to ${name} as ${shown(player)}`);
  at("entry").hidden = at("lost").hidden = true;
  at("greeting").hidden = room.isNamed || hits >= ENOUGH;
  if (document.activeElement !== at("your-name")) at("your-name").value = shown(player);
});
/// What is played here: the project's name, or the room's where it has none.
let where = "Bandshell";
let playing = null;
function sayName(name = where) {
  where = name;
  const project = playing?.name;
  write(at("room-name"), project || where);
  document.title = `${project ? `${project} · ` : ""}${where} · Bandshell`;
}
room.on("disconnected", () => { playing = null; });
/// Nobody's name is whoever looks at it.
const called = (who, name) => (who ? w`${who} called it “${name}”.` : w`You called it “${name}”.`);
const DEEDS = {
  new: (who, name) => (who ? w`${who} began “${name}”.` : w`You began “${name}”.`),
  open: (who, name) => (who ? w`${who} opened “${name}”.` : w`You opened “${name}”.`),
  copy: called, name: called, delete: () => "The project was removed. Its music plays on, without a name.",
  elsewhere: () => "Another room plays that project now. The music here plays on, without a name.",
  save: (who, name, version) => (who ? w`${who} saved “${name}”, version ${version}.` : w`You saved “${name}”, version ${version}.`),
};
room.on("/project/state", (values) => {
  const [name, , version, , deed, player] = values;
  // What was done before we came is no news, nor is what is told again.
  const isNews = playing && playing.told !== values.join("\n") && deed in DEEDS;
  playing = { name, told: values.join("\n") };
  sayName();
  if (isNews) toast(DEEDS[deed](player === room.player ? "" : shown(player) || t("Somebody"), name, version), 6);
});
// Where nothing comes, nothing gets there, though the socket is open still.
room.on("quiet", () => {
  say(at("state"), "No connection …");
  say(at("status"), "No connection: nothing that you do gets through");
  pads.releaseAll();
});
room.on("heard again", () => {
  write(at("state"), shown(room.player));
  say(at("status"), "Connected again");
});
let wasIn = false;
room.on("unsent", () => wasIn && toast(UNSENT));
// Whoever plays on does not want to be asked.
const ENOUGH = 8;
let hits = 0;
room.on("/hit", ([player]) => {
  if (hits >= ENOUGH || player !== room.player) return;
  hits += 1;
  if (hits === ENOUGH && at("your-name").value === shown(player) && document.activeElement !== at("your-name")) at("greeting").hidden = true;
});
room.on("disconnected", () => {
  say(at("state"), "Connecting …");
  say(at("status"), "The connection is lost; connecting again");
  pads.releaseAll();
});
room.on("password", ([wrong]) => {
  at("entry").hidden = false;
  at("greeting").hidden = true;
  say(at("entry-note"), wrong ? "That is not the word. Try again." : "");
  at("password").focus();
});
// It is tried again by itself.
room.on("waits", ([what]) => {
  say(at("state"), "Waiting …");
  if (what === "place") notice("The room is full. You are let in as soon as somebody leaves.");
  else say(at("entry-note"), "Too many wrong words came from here. Yours is tried again in a moment.");
});
// Nothing comes of trying again: another name, or another room.
room.on("shut", ([reason, code]) => {
  say(at("state"), "Not connected");
  if (roomName && code === "no-such-room") {
    return notice(w`There is no room “${roomName}” here.`, toFirstRoom());
  }
  if (roomName && code === "bad-room-name") return notice(w`No room can be called “${roomName}”.`, toFirstRoom());
  sayRefusal(reason, code, 12);
  at("greeting").hidden = false;
  at("your-name").value = shown(room.player).slice(0, limits.name);
  at("your-name").focus();
});
let kept = true;
room.on("/journal/state", ([state]) => {
  if (state === "failing") toast("The server cannot write just now: what is played is not kept until it can. The music goes on.", 12);
  else if (!kept) toast("Everything is kept again; nothing is missing.");
  kept = state !== "failing";
});
function sayOut(text) {
  listening.then((listen) => listen.hush());
  // The way back lies under it on a phone.
  close();
  say(at("state"), "You are out");
  // The page stays, and with it the leave to sound that a touch once gave.
  notice(text, h("button.primary", { type: "button", textContent: "Come back", onclick: () => {
    say(at("state"), "Connecting …");
    room.comeBack();
  } }));
}
room.on("/kicked", ([host]) => sayOut(w`${shown(host)} has put you out of the room.`));
room.on("left", () => {
  sayOut(runs() ? "You have left the room. Your loop plays on." : "You have left the room.");
  say(at("status"), "You have left the room.");
});
room.on("renamed", ([wish, name]) => {
  // A space is a space on every screen.
  if (shown(name) === shown(wish.replace(/\s/g, "_"))) return;
  toast(name.startsWith(`${wish.replace(/\s/g, "_")}-`) ? w`Somebody else is ${wish} here: you are ${shown(name)}.` : w`You are ${shown(name)} here: some signs are not for names.`);
});
room.on("refused", ([, reason, code]) => {
  // Whoever is not in yet is asked for the password, and needs no other word.
  if (at("entry").hidden) sayRefusal(reason, code);
});
async function sayRefusal(reason, code, seconds) {
  const text = (await import("./words.js")).words(reason, code);
  toast(people.reduce((said, { name }) => said.replaceAll(name, shown(name)), text), seconds);
}

/// What stays until we are in; `way` leads on.
function notice(text, way = null) {
  say(at("lost-text"), text);
  at("lost").replaceChildren(...[at("lost-text"), way].filter(Boolean));
  at("lost").hidden = false;
}
/// Which room this is stands in the page's address: another one is another page.
const toFirstRoom = () => h("a.text.filelabel", { textContent: "To the first room", href: "/" });

at("your-name").maxLength = limits.name;
at("greeting").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = at("your-name").value.trim();
  if (!name) return;
  at("greeting").hidden = true;
  at("your-name").blur();
  room.rename(name);
});
at("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  room.enter(at("password").value);
});

// ---- Transport, tempo, the loop.

room.on("/play", ([on]) => {
  const what = t(on ? "Stop for everybody" : "Play for everybody");
  at("play").setAttribute("aria-label", what);
  at("play").title = what;
  redraw(at("play"), on ? "stop" : "play");
});
at("play").addEventListener("click", () => room.send(room.get("/play") ? "/stop" : "/play"));
room.on("/stopped", ([who]) => toast(who === room.player ? "You stopped the beat for everybody." : w`${shown(who)} stopped the beat for everybody.`));

const sayTempo = (bpm) => write(at("bpm"), String(Math.round(bpm * 10) / 10));
room.on("/tempo", ([bpm]) => sayTempo(bpm));
// A build-up moves the tempo without a hand on it.
room.on("/beat", ([, , bpm]) => sayTempo(bpm));
at("tap").addEventListener("pointerdown", (event) => event.button || room.send("/tempo/tap"));
at("tap").addEventListener("click", (event) => event.detail || room.send("/tempo/tap"));

for (const word of words("/quantize")) at("quantize").append(new Option(named(word), word));
room.on("/quantize", ([word]) => { at("quantize").value = word; });
at("quantize").addEventListener("change", () => room.set("/quantize", at("quantize").value));
[at("master").min, at("master").max] = range("/master/gain");
room.on("/master/gain", ([gain]) => { at("master").value = gain; });
at("master").addEventListener("input", () => room.set("/master/gain", Number(at("master").value)));
at("master").addEventListener("dblclick", () => room.set("/master/gain", 0));

const loopState = () => room.get("/loop/state", "empty");
room.on("/loop/state", ([state]) => {
  const record = action("record");
  const overdub = action("overdub");
  document.body.dataset.loop = state;
  record.setAttribute("aria-pressed", String(state === "recording"));
  overdub.setAttribute("aria-pressed", String(state === "overdubbing"));
});
// One's own stop: of the loop, and of the lanes that go round beside it. The room's beat goes on.
const RUNS = ["waiting", "recording", "overdubbing", "playing", "looping"];
const runningLanes = () => room.below("/lane/").filter(([address, [word]]) => address.endsWith("/state") && RUNS.includes(word)).map(([address]) => address.split("/")[2]);
const runs = () => room.get("/play") > 0 && (RUNS.includes(loopState()) || runningLanes().length > 0);
function seeOwn() {
  const button = action("stop");
  const isOn = runs();
  button.disabled = !isOn && loopState() === "empty" && runningLanes().length === 0;
  redraw(button, isOn || button.disabled ? "stop" : "play");
  say(button.lastElementChild, isOn || button.disabled ? "Stop" : "Play");
  button.title = t(isOn || button.disabled ? "Stop my loop" : "Play my loop");
  button.setAttribute("aria-label", button.title);
}
for (const address of ["/play", "/loop/state"]) room.on(address, seeOwn);
room.on("/lane/*", (_, address) => address.endsWith("/state") && seeOwn());
action("stop").addEventListener("click", () => {
  if (!runs()) return room.send(loopState() === "empty" ? "/play" : "/loop/play");
  if (RUNS.includes(loopState())) room.send("/loop/stop");
  for (const lane of runningLanes()) room.send(`/lane/${lane}/stop`);
});
/// So many milliseconds a count-in waits at most.
const CARRIED = 700;
let asked = recallHere("asked", "");
document.body.dataset.asked = asked;
for (const name of ["record", "overdub"]) action(name).addEventListener("click", () => {
  // A count-in waits for its click. By then the server may be there again, and nobody wants it.
  if (!room.isConnected) return room.tell("unsent", []);
  // A second tap ends the pass: what was played goes round.
  const under = { recording: "record", overdubbing: "overdub", waiting: asked }[loopState()];
  if (under === name) return room.send("/loop/play");
  asked = name;
  document.body.dataset.asked = name;
  rememberHere("asked", name);
  carryCount().then(() => room.send(`/loop/${name}`));
});
const PASSES = ["waiting", "recording", "overdubbing"];
/// Whether a pass was asked for that is counted in.
let counts = false;
const wantClick = async (metronome = room.get("/metronome")) => (await listening).want("click", metronome > 0 || counts);
/// A count-in is heard on a stream that carries the click: that comes first, unless it takes too long.
async function carryCount() {
  if (!(room.get("/loop/countin", 0) > 0) || PASSES.includes(loopState())) return;
  counts = true;
  await Promise.race([wantClick(), new Promise((resolve) => { setTimeout(resolve, CARRIED); })]);
}
/// It stays for the pass: another stream is late in another way, and hits are taken down where they are heard.
room.on("/loop/state", ([state]) => {
  counts &&= PASSES.includes(state);
  wantClick();
});
action("redo").addEventListener("click", () => room.send("/redo"));
action("undo").title = t("Hold: the history");
import("./hold.js").then(({ onHold }) => onHold(action("undo"), { tap: () => room.send("/undo"), hold: () => open("history") }));
let offered = 0;
/// The button that brings back what was undone shows itself for as long as the message about it.
function offerRedo(seconds) {
  clearTimeout(offered);
  action("redo").classList.add("offered");
  offered = setTimeout(() => action("redo").classList.remove("offered"), seconds * 1000);
}
/// What was edited, in the words of the page.
const edit = async (what) => (await import("./words.js")).edit(shown(what));
room.on("/undone", async ([what]) => {
  offerRedo(6);
  toast(w`Undone: ${await edit(what)}.`, 6, [["Redo", () => room.send("/redo")], ["History", () => open("history")]]);
});
room.on("/redone", async ([what]) => toast(w`Redone: ${await edit(what)}.`));
const isOwn = (host) => host === room.player;
room.on("/room/undone", async ([what, host]) => {
  const done = await edit(what);
  toast(isOwn(host) ? w`Undone for the room: ${done}.` : w`${shown(host)} has undone for the room: ${done}.`, 5, [["History", () => open("history", { part: 1 })]]);
});
room.on("/room/redone", async ([what, host]) => {
  const done = await edit(what);
  toast(isOwn(host) ? w`Redone for the room: ${done}.` : w`${shown(host)} has redone for the room: ${done}.`);
});
room.on("/notice", async ([where, text, code]) => {
  if (where === "/undo" || where === "/redo") toast((await import("./words.js")).words(text, code), 6);
});

room.on("/metronome", ([on]) => {
  action("metronome").setAttribute("aria-pressed", String(on > 0));
  wantClick();
});
action("metronome").addEventListener("click", async () => {
  const on = room.get("/metronome") ? 0 : 1;
  // First a stream that carries the click, then the click.
  await wantClick(on);
  room.set("/metronome", on);
});

// A choice that a finger or a mouse made lets go of the keys: they play pads again.
let byHand = false;
addEventListener("pointerdown", () => { byHand = true; }, { capture: true });
addEventListener("keydown", () => { byHand = false; }, { capture: true });
addEventListener("change", ({ target }) => byHand && target.matches("select") && target.blur());

// ---- What is one tap away.

const PANELS = {
  kits: ["Kits", () => import("./kits.js")],
  piano: ["Keys", () => import("./keys-panel.js")],
  loops: ["Loops", () => import("./loops.js")],
  buildup: ["Build-up", () => import("./buildup.js")],
  mixer: ["Mixer", () => import("./mixer.js")],
  people: ["Room", () => import("./people-panel.js")],
  settings: ["Settings", () => import("./settings.js")],
  project: ["Project", () => import("./project.js")],
  beat: ["Beat", () => import("./beat-panel.js")],
  history: ["History", () => import("./history-panel.js")],
};
for (const [name, [title, load]] of Object.entries(PANELS)) {
  addPanel(name, title, load);
  action(name).addEventListener("click", () => toggle(name));
}
// The strip of loops opens it.
addPanel("notes", "Notes", () => import("./loop-editor.js"));

// The row for the thumb is there as soon as the page can be touched.
requestAnimationFrame(() => import("./perform.js"));
requestAnimationFrame(() => import("./interval-offer.js"));
action("drop").addEventListener("click", () => room.send("/buildup/drop"));
room.on("/buildup/state", ([state]) => {
  if (state !== "none") import("./countdown.js");
});
// It looks at what is recorded.
room.on("/loop/state", ([state]) => {
  if (state !== "empty") import("./tap-along.js");
});

room.on("/chat", ([name, text]) => {
  if (document.querySelector(".panel:not([hidden]) .chat")) return;
  document.body.dataset.unread = "yes";
  const short = [...text].length > 90 ? `${[...text].slice(0, 88).join("")} …` : text;
  if (name !== room.player) toast(`${shown(name)}: ${short}`);
});

// Where there is room, and elsewhere for those who want them.
async function showStrips() {
  const wanted = recall("strips", "auto");
  const shown = wanted === "auto" ? innerWidth >= 700 && innerHeight >= 500 : wanted;
  at("strips").hidden = !shown;
  if (shown) (await import("./strips.js")).start();
}
// How wide the page is, is known once it is laid out.
requestAnimationFrame(showStrips);
addEventListener("resize", showStrips);
addEventListener("stripschoice", showStrips);

// What pads and loops look like, and how pads play: once what can be touched is there.
import("./pad-picture.js");
import("./loop-strip.js").then((strip) => strip.start());
import("./play-row.js").then((row) => row.start());

if (recall("midi", true)) import("./midi.js").then((midi) => midi.start()).catch(() => {});

listening.then((listen) => {
  pads.hearWith(listen.heardFrame);
  listen.start(wasTouched);
});
room.open();
// Not before a password is asked for: nothing is under the wall.
let isWall = location.hash === "#wall";
room.on("connected", async () => {
  if (!isWall) return recall("hints seen", []).length < 3 && (await import("./hints.js")).start();
  isWall = false;
  (await import("./wall.js")).show();
});
