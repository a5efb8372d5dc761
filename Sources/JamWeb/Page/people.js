// Colours of players, and what they play. The OSC messages tell only names; the colours come from
// the server by HTTP.

import { isColour } from "./colour.js";
import { kindOf } from "./kind.js";
import { playersColour } from "./palette.js";
import { base, room } from "./room.js";

const colours = new Map();
/// The names of the players' kits, also of those who have left: what they play goes on.
const kitNames = new Map();
const unknown = new Set();
export let people = [];
/// Everybody's latency from tap to ear, in milliseconds; without players whose latency is unknown.
export const latencies = new Map();
export let health = null;
let asked = 0;
/// The lights that this player may see, by name: `light`, `cause` and `remedy` of `/player/light`.
export const lights = new Map();
/// When each player was heard or read last, by performance.now(): at the last hit or note, by a hand
/// or by a loop, and at the last reaction or line of chat.
export const lastHeard = new Map();
for (const heard of ["/hit", "/note", "/reacted", "/chat"]) {
  room.on(heard, ([name]) => lastHeard.set(name, performance.now()));
}
/// The players whose loops play.
const looping = new Set();
/// The players who have left with music that stays, as /health lists them.
let left = [];

/// The players who have left with music that stays: a loop, or the lanes of a groove.
export const leftLoops = () => [...new Set([...looping, ...left])].filter(
  (name) => name !== room.player && !people.some((person) => person.name === name));

/// The names of those who have a place in the mix: the people, this player, and those who left
/// music that plays on.
export function heard() {
  const names = people.map((person) => person.name);
  if (room.player && room.isConnected && !names.includes(room.player)) names.push(room.player);
  return [...names, ...leftLoops()];
}

/// Whether a player's loop goes round. Lanes and their groove are no loop.
export const loops = (name) => looping.has(name);

/// Whether a player waits at the door.
export const waits = (name) => room.get(`/player/${name}/admit`) === 0;

/// The HTTP header with the room's password, if the room has one.
const bearer = () => (room.password ? { Authorization: `Bearer ${room.password}` } : {});

/// Loads the list of people; at most once a second, unless `force`.
export async function look(force = false) {
  const now = performance.now();
  if (!force && now - asked < 1000) return people;
  asked = now;
  try {
    const answer = await fetch(`${base}health`, { cache: "no-store", headers: bearer(), signal: AbortSignal.timeout(4000) });
    if (!answer.ok) return people;
    health = await answer.json();
    people = health.players ?? [];
    // A newcomer's minute begins now.
    for (const { name } of people) if (!lastHeard.has(name)) lastHeard.set(name, now);
    latencies.clear();
    for (const player of people) if (player.latency > 0) latencies.set(player.name, player.latency);
    left = (health.left ?? []).map(({ name }) => name);
    // The music of a player who has left keeps its colour.
    for (const { name, colour, kit } of [...people, ...(health.left ?? [])]) {
      if (isColour(colour)) colours.set(name, colour);
      kitNames.set(name, kit);
    }
    room.tell("people", [people]);
  } catch {}
  return people;
}

export function colourOf(name) {
  // The page asks only once for an unknown name: the server may no longer know it.
  if (!colours.has(name) && !unknown.has(name)) {
    unknown.add(name);
    look();
  }
  return playersColour(colours.get(name) ?? "#8a8078");
}

/// The last `/player/loop` of each player, with all its arguments.
export const toldLoops = new Map();
room.on("connected", () => {
  looping.clear();
  left = [];
  toldLoops.clear();
  lights.clear();
  unknown.clear();
  // This page heard nothing of what was played meanwhile.
  lastHeard.clear();
  look(true);
});
room.on("/player/loop", (values) => {
  const [name, state] = values;
  toldLoops.set(name, values);
  if (["playing", "overdubbing"].includes(state)) looping.add(name);
  else looping.delete(name);
  room.tell("people", [people]);
});
room.on("/player/latency", ([name, latency]) => {
  if (latency > 0) latencies.set(name, latency);
  else latencies.delete(name);
  room.tell("people", [people]);
});
room.on("/player/light", ([name, light, cause, remedy]) => {
  if (light < 0) lights.delete(name);
  else lights.set(name, { light, cause, remedy });
  room.tell("lights", []);
});
room.on("/player/gone", ([name]) => {
  lights.delete(name);
  lastHeard.delete(name);
  // A loop that stands has gone with its player.
  if (!looping.has(name)) toldLoops.delete(name);
});
// A player came or changed. The list is loaded again after 300 ms without further changes.
let soon = 0;
room.on("/player/*", () => {
  unknown.clear();
  clearTimeout(soon);
  soon = setTimeout(() => look(true), 300);
});

let catalogue = null;
/// The same, once they have come.
let kits = new Map();

/// The server's facts about its kits that OSC does not tell: which pads have a sound, and of which
/// category. An older server has none.
export function kitFacts(again = false) {
  if (!catalogue || again) {
    catalogue = fetch(`${base}kits`, { cache: "no-cache", headers: bearer() })
      .then((answer) => {
        if (answer.ok) return answer.json();
        // The next request may know the password.
        catalogue = null;
        return { kits: [] };
      })
      .then((said) => (kits = new Map(said.kits.map((kit) => [kit.id, kit]))))
      .catch(() => new Map());
  }
  return catalogue;
}

/// The kind of what a player plays on a pad or a key, as far as it is known: one's own pads are
/// told, others' kits are known by their names.
/// - isChord: whether the key is a part of a chord.
export function kindPlayed(player, place, isChord = false) {
  if (player === room.player) return kindOf(room.get(`/pad/${place}/category`, ""), place, isChord);
  const called = kitNames.get(player);
  const kit = kits.get(called) ?? [...kits.values()].find(({ name }) => name === called);
  if (!catalogue) kitFacts();
  return kindOf(kit?.categories?.[place - 1], place, isChord);
}

// ---- The chat, including messages from before the page opened.

export const said = [];

function keep(name, text, at) {
  said.push({ name, text, at });
  if (said.length > 200) said.shift();
}
room.on("connected", () => {
  said.length = 0;
  room.send("/chats");
  room.tell("said again", []);
});
room.on("/chats/item", ([name, text, seconds]) => {
  keep(name, text, new Date(Date.now() - seconds * 1000));
  room.tell("said", []);
});
room.on("/chat", ([name, text]) => {
  keep(name, text, new Date());
  room.tell("said", []);
});
