// Tempo, grid and levels of the room, and how this player is in time.

import { choice, decibels, fader, stepper, toggle, trigger } from "./controls.js";
import { h, say, shown, w } from "./dom.js";
import { keyGroup } from "./key.js";
import { bounded, range, words } from "./ranges.js";
import { room } from "./room.js";

export function make() {
  const [slowest, fastest] = range("/tempo");
  const tempo = h("input.line.bpmbox", { type: "number", min: slowest, max: fastest, step: 0.1, inputMode: "decimal", "aria-label": "Tempo in beats per minute" });
  const showTempo = () => { tempo.value = Math.round(room.get("/tempo", 120) * 10) / 10; };
  const order = () => {
    if (tempo.value) room.set("/tempo", bounded("/tempo", Number(tempo.value)));
    showTempo();
  };
  tempo.addEventListener("change", order);
  room.on("/tempo", () => { if (document.activeElement !== tempo) showTempo(); });
  const move = (by) => room.set("/tempo", bounded("/tempo", Math.round(room.get("/tempo", 120) + by)));
  const tap = h("button.primary.tap", { type: "button", textContent: "Tap the tempo",
    onpointerdown: (event) => event.button || room.send("/tempo/tap"),
    onclick: (event) => event.detail || room.send("/tempo/tap") });
  const source = h("p.quiet", { hidden: true });
  const say1 = () => {
    const from = room.get("/tempo/source", "");
    const [votes, people, bpm] = room.all("/tempo/votes") ?? [0, 1, 0];
    const isVote = room.get("/tempo/mode") === "vote";
    say(source, from ? w`The tempo follows the MIDI clock of ${shown(from)}.`
      : isVote ? w`The room votes: ${votes} of ${people} have, and ${Math.round(bpm)} bpm comes of it. Your tempo is a vote.` : "");
    source.hidden = source.textContent === "";
  };
  for (const address of ["/tempo/source", "/tempo/mode", "/tempo/votes"]) room.on(address, say1);

  const beats = h("select", { "aria-label": "Time signature" });
  const signatures = [[2, 4], [3, 4], [4, 4], [5, 4], [6, 8], [7, 8], [9, 8], [12, 8]];
  beats.append(...signatures.map((pair) => new Option(pair.join(" / "), pair.join(" "))));
  room.on("/signature", (pair) => {
    if (![...beats.options].some((option) => option.value === pair.join(" "))) beats.append(new Option(pair.join(" / "), pair.join(" ")));
    beats.value = pair.join(" ");
  });
  beats.addEventListener("change", () => room.set("/signature", ...beats.value.split(" ").map(Number)));

  const timing = h("p.quiet");
  const meant = { live: "Your hits count when they arrive: for people in the same house.", heard: "Your hits are recorded where you heard the beat: for people across town. Needs the sound on here.",
    interval: "Your hits sound one loop later, in time for everybody: for people far away." };
  room.on("/timing", ([word]) => say(timing, meant[word] ?? ""));

  return { element: h("div", {},
    h("div.group", {}, h("h3", { textContent: "Tempo" }),
      h("div.row", {}, h("button.round", { type: "button", "aria-label": "Slower", textContent: "−", onclick: () => move(-1) }), tempo,
        h("button.round", { type: "button", "aria-label": "Faster", textContent: "+", onclick: () => move(1) }), tap),
      source,
      h("div.row", {}, trigger("Nudge earlier", "/tempo/nudge", 10), trigger("Nudge later", "/tempo/nudge", -10), h("label.row", {}, h("span", { textContent: "Time signature" }), beats))),
    keyGroup(),
    h("div.group", {}, h("h3", { textContent: "Grid for your hits" }),
      choice({ address: "/quantize", label: "Hit grid" }),
      fader({ address: "/quantize/strength", label: "Strength", step: 0.05, reset: 1, show: (v) => `${Math.round(v * 100)} %` }),
      choice({ address: "/repeat", label: "Roll rate of held pads", words: words("/repeat").filter((word) => word !== "off") }),
      fader({ address: "/swing", label: "Swing of the room", step: 0.01, show: (v) => `${Math.round(v * 100)} %` })),
    h("div.group", {}, h("h3", { textContent: "Levels" }),
      fader({ address: "/master/gain", label: "Master", step: 0.5, show: decibels }),
      fader({ address: "/metronome/gain", label: "Metronome, in your own cue", step: 0.5, show: decibels }),
      stepper({ address: "/loop/countin", label: "Count in, bars" })),
    h("div.group", {}, h("h3", { textContent: "You and the beat" }),
      choice({ address: "/timing", label: "Timing" }), timing,
      toggle({ address: "/metronome", label: "Metronome for you" })),
  ) };
}
