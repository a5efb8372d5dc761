// Colours of players and kits. The control protocol tells names; colours come from the server's HTTP side.

import { isColour } from "./colour.js";
import { playersColour } from "./palette.js";
import { base, room } from "./room.js";

const colours = new Map();
const unknown = new Set();
export let people = [];
/// From everybody's tap to their ear in milliseconds, of those who know it.
export const latencies = new Map();
export let health = null;
let asked = 0;
/// Whose loops go round.
const looping = new Set();
/// Those of them who are not here any more.
export const leftLoops = () => [...looping].filter((name) => name !== room.player && !people.some((person) => person.name === name));

/// What lets us in where the room has a password.
const bearer = () => (room.password ? { Authorization: `Bearer ${room.password}` } : {});

/// Reads who is here; at most once a second.
export async function look(force = false) {
  const now = performance.now();
  if (!force && now - asked < 1000) return people;
  asked = now;
  try {
    const answer = await fetch(`${base}health`, { cache: "no-store", headers: bearer(), signal: AbortSignal.timeout(4000) });
    if (!answer.ok) return people;
    health = await answer.json();
    people = health.players ?? [];
    // Whoever left and whose loop plays on keeps its colour.
    latencies.clear();
    for (const player of people) if (player.latency > 0) latencies.set(player.name, player.latency);
    for (const player of people) if (isColour(player.colour)) colours.set(player.name, player.colour);
    room.tell("people", [people]);
  } catch {}
  return people;
}

export function colourOf(name) {
  // Nobody is asked for twice: of some nothing is known any more.
  if (!colours.has(name) && !unknown.has(name)) {
    unknown.add(name);
    look();
  }
  return playersColour(colours.get(name) ?? "#8a8078");
}

/// What was told of each player's loop last: all arguments.
export const toldLoops = new Map();
room.on("connected", () => {
  looping.clear();
  toldLoops.clear();
  unknown.clear();
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
// Somebody came or changed: who it is, with which colour, is asked once things are quiet.
let soon = 0;
room.on("/player/*", () => {
  unknown.clear();
  clearTimeout(soon);
  soon = setTimeout(() => look(true), 300);
});

const PLAIN = ["#d9704a", "#4a7fd9"];
let catalogue = null;

/// What the server tells of its kits beyond OSC: colours and pads. An older server tells nothing.
export function kitFacts(again = false) {
  if (!catalogue || again) {
    catalogue = fetch(`${base}kits`, { cache: "no-cache", headers: bearer() })
      .then((answer) => {
        if (answer.ok) return answer.json();
        // The next who asks may know the password.
        catalogue = null;
        return { kits: [] };
      })
      .then((said) => new Map(said.kits.map((kit) => [kit.id, kit])))
      .catch(() => new Map());
  }
  return catalogue;
}

export async function kitColours(id) {
  let kit = (await kitFacts()).get(id);
  if (!kit && id) kit = (await kitFacts(true)).get(id);
  const colours = kit?.colours?.filter(isColour) ?? [];
  return colours.length === 2 ? colours : PLAIN;
}

// ---- What was said, also before the page opened.

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
