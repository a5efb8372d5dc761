// The part My mix of the panel Mixer: everybody's volume for this player's ears alone.

import { readable } from "./colour.js";
import { decibels } from "./controls.js";
import { arrange, h, shown, t, w, write } from "./dom.js";
import { changed } from "./my-mix.js";
import { colourOf, heard } from "./people.js";
import { range } from "./ranges.js";
import { room } from "./room.js";

const strips = new Map();
const list = h("div.mixer");
const kept = h("p.quiet");
const level = h("button.text", {
  type: "button", textContent: "All level", title: "Hear everybody as all others do",
  onclick: () => room.send("/mix/level"),
});
/// How this differs from the levels of the mixer.
const note = h("p.quiet", {
  textContent: "For your ears alone: nobody else hears what you set here. The levels for everybody stay as they are.",
});

export function make() {
  room.on("people", see);
  room.on("/mix/*", see);
  see();
  return {
    element: h("div.stack", {}, note, list, kept, h("div.row", {}, level)),
  };
}

function see() {
  const names = heard();
  for (const [name, strip] of strips) {
    if (names.includes(name)) continue;
    strip.leave();
    strips.delete(name);
  }
  for (const name of names) if (!strips.has(name)) strips.set(name, new Strip(name));
  arrange(list, names.map((name) => strips.get(name).element));
  const all = changed(room);
  level.disabled = all.size === 0;
  const away = [...all].filter((name) => !names.includes(name)).map(shown);
  kept.hidden = away.length === 0;
  write(kept, away.length > 0 ? w`Kept for when they come: ${away.join(", ")}.` : "");
}

class Strip {
  #scope = new AbortController();

  constructor(name) {
    const { signal } = this.#scope;
    const called = name === room.player ? `${shown(name)} ${t("(you)")}` : shown(name);
    const [gain, mute] = [`/mix/${name}/gain`, `/mix/${name}/mute`];
    const [lowest, highest] = range("/gain");
    const fader = h("input", {
      type: "range", min: lowest, max: highest, step: 0.5, value: room.get(gain, 0),
      "aria-label": w`${called}: volume for me`,
    });
    const out = h("output.quiet");
    const say = (value) => {
      out.value = decibels(value);
      fader.setAttribute("aria-valuetext", out.value);
    };
    say(room.get(gain, 0));
    room.on(gain, ([value]) => {
      fader.value = value;
      say(value);
    }, signal);
    fader.addEventListener("input", () => {
      say(Number(fader.value));
      room.set(gain, Number(fader.value));
    });
    fader.addEventListener("dblclick", () => room.set(gain, 0));
    const button = h("button.text.small", {
      type: "button", textContent: "Mute for me", "aria-pressed": "false",
      "aria-label": w`Mute ${called} for me`,
      onclick: () => room.set(mute, room.get(mute, 0) > 0 ? 0 : 1),
    });
    room.on(mute, ([on]) => button.setAttribute("aria-pressed", String(on > 0)), signal);
    const dot = h("i.dot");
    dot.style.backgroundColor = readable(colourOf(name));
    const everybody = h("small.quiet");
    const seeEverybody = () => {
      write(everybody, forEverybody(name));
      everybody.hidden = everybody.textContent === "";
    };
    for (const what of ["gain", "mute"]) room.on(`/player/${name}/${what}`, seeEverybody, signal);
    seeEverybody();
    this.element = h("div.channel.group", {},
      h("div.row.head", {}, dot, h("b", { given: called, title: called }), out),
      h("div.row.nowrap", {}, fader, button), everybody);
  }

  leave() { this.#scope.abort(); }
}

/// The level that everybody hears, where it is not the usual one.
function forEverybody(name) {
  if (room.get(`/player/${name}/mute`, 0) > 0) return t("For everybody: muted");
  const gain = room.get(`/player/${name}/gain`, 0);
  return gain === 0 ? "" : w`For everybody: ${decibels(gain)}`;
}
