// The page's entry: everything that is visible first, and the buttons that load the rest.

import { choosePad, playedPad } from "./chosen.js";
import { at, h, named, redraw, say, shown, t, toast, w, write } from "./dom.js";
import "./door.js";
import "./keys.js";
import { recall, recallHere, rememberHere } from "./memory.js";
import * as pads from "./pads.js";
import { people } from "./people.js";
import { addPanel, close, open, toggle } from "./panel.js";
import { limits, range, words } from "./ranges.js";
import "./redo.js";
import { room, roomName } from "./room.js";
import { UNSENT } from "./silence.js";

const action = (name) => document.querySelector(`[data-action="${name}"]`);

/// The code for this device's sound, and the code that draws the beat, are loaded once the page can
/// be touched.
const listening = new Promise((come) => { setTimeout(() => come(import("./listen.js"))); });
setTimeout(() => import("./beat.js"));
/// Browsers let a page play sound after a touch. This records a touch that comes before the sound's
/// code is loaded.
let wasTouched = false;
for (const type of ["pointerup", "touchend", "click", "keydown"]) addEventListener(type, () => { wasTouched = true; }, { capture: true, once: true });

// ---- The pads.

pads.start();
pads.onPads({
  touch: choosePad,
  play: playedPad,
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

// ---- This player, and the state of the connection.

room.on("connected", ([name, player]) => {
  wasIn = true;
  sayName(name);
  write(at("state"), shown(player));
  say(at("status"), w`Connected to ${name} as ${shown(player)}`);
  at("entry").hidden = at("lost").hidden = true;
  at("greeting").hidden = room.isNamed || hits >= ENOUGH;
  if (document.activeElement !== at("your-name")) at("your-name").value = shown(player);
});
/// The name at the top of the page: the project's name, or the room's where the project has none.
let where = "Bandshell";
let playing = null;
function sayName(name = where) {
  where = name;
  const project = playing?.name;
  write(at("room-name"), project || where);
  document.title = `${project ? `${project} · ` : ""}${where} · Bandshell`;
}
room.on("disconnected", () => { playing = null; });
/// The text says "You" instead of the player's own name.
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
  // A deed from before this page joined is not news. Neither is a state that the server sends
  // again.
  const isNews = playing && playing.told !== values.join("\n") && deed in DEEDS;
  const before = playing?.name;
  playing = { name, told: values.join("\n") };
  sayName();
  if (!isNews) return;
  const isMine = player === room.player;
  // One tap took everybody's music away, so one tap brings it back.
  const isLeft = isMine && ["new", "open"].includes(deed) && before && before !== name;
  const back = isLeft ? [[w`Open ${before}`, () => room.send("/project/open", before)]] : [];
  const who = isMine ? "" : shown(player) || t("Somebody");
  toast(DEEDS[deed](who, name, version), isLeft ? 12 : 6, back);
});
// If nothing comes from the server, nothing gets through to it either, although the socket is still
// open.
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
// After so many hits the player seems content with the name: the page stops asking for another.
const ENOUGH = 8;
let hits = 0;
room.on("/hit", ([player]) => {
  if (hits >= ENOUGH || player !== room.player) return;
  hits += 1;
  if (hits === ENOUGH && at("your-name").value === shown(player) && document.activeElement !== at("your-name")) at("greeting").hidden = true;
});
room.on("disconnected", () => {
  say(at("state"), wasIn || isUnreached ? "No connection …" : "Connecting …");
  say(at("status"), "The connection is lost; connecting again");
  pads.releaseAll();
});
/// Milliseconds after which a page that reaches no server says so.
const UNREACHED = 1500;
let unreached = 0;
let isUnreached = false;
room.on("disconnected", () => {
  if (!wasIn) unreached ||= setTimeout(() => {
    say(at("state"), "No connection …");
    isUnreached = true;
    room.tell("unreached", []);
    notice("No server answers here. This page waits for it, and then goes on by itself.");
    import("./offline.js").catch(() => {});
  }, UNREACHED);
});
const isReached = () => clearTimeout(unreached);
for (const what of ["connected", "password", "waits", "shut"]) room.on(what, isReached);
room.on("password", ([wrong]) => {
  at("entry").hidden = false;
  at("greeting").hidden = true;
  say(at("entry-note"), wrong ? "That is not the word. Try again." : "");
  at("password").focus();
});
// The page repeats its request to join by itself.
room.on("waits", ([what]) => {
  say(at("state"), "Waiting …");
  if (what === "place") notice("The room is full. You are let in as soon as somebody leaves.");
  else say(at("entry-note"), "Too many wrong words came from here. Yours is tried again in a moment.");
});
// Repeating the request would not help: the player needs another name, or another room.
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
/// Milliseconds: what passes sooner needs no message.
const LASTS = 30_000;
let failing = 0;
let isKept = true;
room.on("/journal/state", ([state]) => {
  if (state === "failing") {
    failing ||= setTimeout(() => {
      isKept = false;
      toast("The server cannot write just now: what is played is not kept until it can. The music goes on.", 12);
    }, LASTS);
    return;
  }
  clearTimeout(failing);
  failing = 0;
  if (!isKept) toast("Everything is kept again; nothing is missing.");
  isKept = true;
});
function sayOut(text) {
  listening.then((listen) => listen.hush());
  // On a phone the panel would cover the button that leads back.
  close();
  say(at("state"), "You are out");
  // The page is not reloaded, so that the browser's permission to play sound, which a touch gave,
  // remains.
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
  // The server may write a space in another way; that is the same name on the screen.
  if (shown(name) === shown(wish.replace(/\s/g, "_"))) return;
  toast(name.startsWith(`${wish.replace(/\s/g, "_")}-`) ? w`Somebody else is ${wish} here: you are ${shown(name)}.` : w`You are ${shown(name)} here: some signs are not for names.`);
});
room.on("refused", ([, reason, code]) => {
  // A player who is not in yet is asked for the password, and needs no further message.
  if (at("entry").hidden) sayRefusal(reason, code);
});
async function sayRefusal(reason, code, seconds) {
  const text = (await import("./words.js")).words(reason, code);
  toast(people.reduce((said, { name }) => said.replaceAll(name, shown(name)), text), seconds);
}

/// Shows a message that stays until the player is in. `way` is a link or button that leads on.
function notice(text, way = null) {
  say(at("lost-text"), text);
  at("lost").replaceChildren(...[at("lost-text"), way].filter(Boolean));
  at("lost").hidden = false;
}
/// A link, because the room's name is part of the page's address: another room is another page.
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
  const what = t(on ? "Stop everybody" : "Play for everybody");
  at("play").setAttribute("aria-label", what);
  at("play").title = what;
  write(at("play").lastElementChild, what);
  at("play").dataset.means = on ? "stop" : "play";
  redraw(at("play"), on ? "stop" : "play");
});
at("play").addEventListener("click", () => room.send(room.get("/play") ? "/stop" : "/play"));
room.on("/stopped", ([who]) => toast(who === room.player ? "You stopped the beat for everybody." : w`${shown(who)} stopped the beat for everybody.`));

const sayTempo = (bpm) => write(at("bpm"), String(Math.round(bpm * 10) / 10));
room.on("/tempo", ([bpm]) => sayTempo(bpm));
// During a build-up only `/beat` tells the tempo.
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
// Stop is for the player's own loop and lanes. The room's beat goes on.
const RUNS = ["waiting", "recording", "overdubbing", "playing", "looping"];
const runningLanes = () => room.below("/lane/").filter(([address, [word]]) => address.endsWith("/state") && RUNS.includes(word)).map(([address]) => address.split("/")[2]);
const runs = () => room.get("/play") > 0 && (RUNS.includes(loopState()) || runningLanes().length > 0);
function seeOwn() {
  const button = action("stop");
  const isOn = runs();
  button.disabled = !isOn && loopState() === "empty" && runningLanes().length === 0;
  redraw(button, isOn || button.disabled ? "stop" : "play");
  button.dataset.means = isOn ? "stop" : "play";
  say(button.lastElementChild, isOn || button.disabled ? "Stop my loop" : "Play my loop");
}
for (const address of ["/play", "/loop/state"]) room.on(address, seeOwn);
room.on("/lane/*", (_, address) => address.endsWith("/state") && seeOwn());
action("stop").addEventListener("click", () => {
  if (!runs()) return room.send(loopState() === "empty" ? "/play" : "/loop/play");
  if (RUNS.includes(loopState())) room.send("/loop/stop");
  for (const lane of runningLanes()) room.send(`/lane/${lane}/stop`);
});
/// Milliseconds that a count-in waits at most for a stream with the click.
const CARRIED = 700;
let asked = recallHere("asked", "");
document.body.dataset.asked = asked;
for (const name of ["record", "overdub"]) action(name).addEventListener("click", () => {
  // A count-in waits for its stream. By then the connection may be back, but the recording would
  // come unexpectedly, so it is refused right now.
  if (!room.isConnected) return room.tell("unsent", []);
  // A second tap ends the pass, and the loop plays what was recorded.
  const under = { recording: "record", overdubbing: "overdub", waiting: asked }[loopState()];
  if (under === name) return room.send("/loop/play");
  asked = name;
  document.body.dataset.asked = name;
  rememberHere("asked", name);
  // In silence it begins with the first tap, else on the last bar line.
  const order = name === "record" ? ["/loop/record", 1, "now"] : ["/loop/overdub"];
  carryCount().then(() => room.send(...order));
});
import("./record-button.js");
const PASSES = ["waiting", "recording", "overdubbing"];
/// Whether a pass with a count-in was asked for.
let counts = false;
const wantClick = async (metronome = room.get("/metronome")) => (await listening).want("click", metronome > 0 || counts);
/// The count-in is heard only on a stream that carries the click, so this stream comes first,
/// unless that takes longer than CARRIED.
async function carryCount() {
  if (!(room.get("/loop/countin", 0) > 0) || PASSES.includes(loopState())) return;
  counts = true;
  await Promise.race([wantClick(), new Promise((resolve) => { setTimeout(resolve, CARRIED); })]);
}
/// The click stays on the stream until the pass is over: another stream has another latency, and
/// hits are recorded where the player hears the beat.
room.on("/loop/state", ([state]) => {
  counts &&= PASSES.includes(state);
  wantClick();
});
action("redo").addEventListener("click", () => room.send("/redo"));
action("undo").title = t("Hold: the history");
import("./hold.js").then(({ onHold }) => onHold(action("undo"), { tap: () => room.send("/undo"), hold: () => open("history") }));
let offered = 0;
/// Marks the Redo button for as long as the message about the Undo stays.
function offerRedo(seconds) {
  clearTimeout(offered);
  action("redo").classList.add("offered");
  offered = setTimeout(() => action("redo").classList.remove("offered"), seconds * 1000);
}
/// The edit's name in the page's language.
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
action("leave").addEventListener("click", () => room.leave());
action("metronome").addEventListener("click", async () => {
  const on = room.get("/metronome") ? 0 : 1;
  // The stream that carries the click comes first, then the click.
  await wantClick(on);
  room.set("/metronome", on);
});

// After a choice by finger or mouse the list loses the focus, so that letter keys play pads again.
let byHand = false;
addEventListener("pointerdown", () => { byHand = true; }, { capture: true });
addEventListener("keydown", () => { byHand = false; }, { capture: true });
addEventListener("change", ({ target }) => byHand && target.matches("select") && target.blur());

// ---- Panels, and code that is loaded later.

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
// The strip of loops opens this panel.
addPanel("notes", "Notes", () => import("./loop-editor.js"));

// The row for the thumb is loaded as soon as the page can be touched, and what guards a finger.
requestAnimationFrame(() => import("./perform.js"));
requestAnimationFrame(() => import("./rest-guard.js"));
requestAnimationFrame(() => import("./interval-offer.js"));
room.on("/buildup/state", ([state]) => {
  if (state !== "none") import("./countdown.js");
});
// tap-along.js looks at the recorded hits.
room.on("/loop/state", ([state]) => {
  if (state !== "empty") import("./tap-along.js");
});

room.on("/chat", ([name, text]) => {
  if (document.querySelector(".panel:not([hidden]) .chat")) return;
  document.body.dataset.unread = "yes";
  const short = [...text].length > 90 ? `${[...text].slice(0, 88).join("")} …` : text;
  if (name !== room.player) toast(`${shown(name)}: ${short}`);
});

// The strips are shown where there is room and More is open, and always if the player has chosen so.
async function showStrips() {
  const wanted = recall("strips", "auto");
  const shown = wanted === "auto" ? document.documentElement.hasAttribute("data-more") && innerWidth >= 700 && innerHeight >= 500 : wanted;
  at("strips").hidden = !shown;
  if (shown) (await import("./strips.js")).start();
}
// The page's width is known only after its first layout.
requestAnimationFrame(showStrips);
addEventListener("resize", showStrips);
addEventListener("stripschoice", showStrips);
addEventListener("morechange", showStrips);

// Loaded after everything that can be touched: the pictures of pads and loops, and the row of how
// pads play.
import("./more.js");
import("./pad-picture.js");
import("./loop-strip.js").then((strip) => strip.start());
import("./welcome.js").then((welcome) => welcome.start());
import("./play-row.js").then((row) => row.start());
import("./sampling.js");
import("./reactions.js").then((reactions) => reactions.start());
import("./borrow.js");

/// Milliseconds after joining. From then on the page opens without its server, and keeps the screen
/// on.
const IN_USE = 8000;
room.on("connected", () => setTimeout(() => {
  // Where the server has gone meanwhile, the next connection asks again.
  Promise.all([import("./offline.js"), import("./device.js")]).catch(() => {});
}, IN_USE));

if (recall("midi", true)) import("./midi.js").then((midi) => midi.start()).catch(() => {});

listening.then((listen) => {
  pads.hearWith(listen.heardFrame);
  listen.start(wasTouched);
});
room.open();
// The wall is shown only after joining: it would cover the question for the password.
let isWall = location.hash === "#wall";
room.on("connected", async () => {
  if (!isWall) return recall("hints seen", []).length < 4 && (await import("./hints.js")).start();
  isWall = false;
  (await import("./wall.js")).show();
});
