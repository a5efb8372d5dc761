// The effects of a player's channel and of the room's mix. First come the ones that a thumb plays,
// then all other settings.

import { bound, choice, listed, part } from "./controls.js";
import { h, shown, t } from "./dom.js";
import { allOff, control, ownEffects, ownGroups, reset, roomEffects, roomGroups } from "./effect-groups.js";
import { initial } from "./effect-facts.js";
import { OWN_MACROS } from "./macros.js";
import { look, people } from "./people.js";
import { range } from "./ranges.js";
import { room } from "./room.js";
import { Strip } from "./strip.js";

// The panel is not shown before its style sheet is there.
const style = h("link", { rel: "stylesheet", href: "/effects.css" });
await new Promise((go) => {
  style.onload = style.onerror = go;
  document.head.append(style);
});

const ROOM = [["throw", "Throw"], ["wash", "Wash"], ["cut", "Cut"], ["crush", "Crush"]];

function macros(title, text, strips, off, addresses) {
  const quiet = h("span.quiet", { textContent: text });
  return h("div.group", { role: "group", "aria-label": title },
    h("div.row.head.nowrap", {}, h("h3", { textContent: title }), quiet, allOff(off, title, addresses, quiet)),
    h("div.macros", {}, strips.map((strip) => strip.element)));
}

/// The list of pads by number; a player's own pads by name too.
function duckPad() {
  const address = "/duck/pad";
  const [first, last] = range(address);
  const list = bound(address, h("select"), Number);
  const line = listed("Which pad", list);
  const fill = () => {
    const source = room.get("/duck/source", "off");
    line.hidden = source !== "pad" && source !== "own";
    const name = (number) => (source === "own" ? ` · ${room.get(`/pad/${number}/name`, "") || t("Empty")}` : "");
    list.replaceChildren(...Array.from({ length: last - first + 1 }, (_, i) => new Option(`${first + i}${name(first + i)}`, first + i)));
    list.value = room.get(address, initial(address));
  };
  for (const where of [address, "/duck/source", "/kit"]) room.on(where, fill);
  fill();
  return line;
}

/// The player whose kicks and pads duck this one: anybody, or one player, who may have left
/// meanwhile.
function duckPlayer() {
  const address = "/duck/player";
  const list = bound(address, h("select"));
  const line = listed("Played by", list);
  const fill = () => {
    line.hidden = !["kick", "pad"].includes(room.get("/duck/source", "off"));
    const chosen = room.get(address, initial(address));
    const names = new Set([...people.map((person) => person.name), chosen].filter((name) => name));
    list.replaceChildren(new Option(t("Anybody"), ""), ...[...names].map((name) => new Option(shown(name), name)));
    list.value = chosen;
  };
  for (const where of [address, "/duck/source", "people"]) room.on(where, fill);
  fill();
  look();
  return line;
}

export function make() {
  const own = OWN_MACROS.map(([address, label, show]) => new Strip({ address, label, rest: initial(address), step: 0.01, show }));
  const everybodys = ROOM.map(([name, label]) => new Strip({
    address: `/room/macro/${name}`, label, rest: 0, step: 0.01, show: part, springs: true }));
  const sends = ["/send/delay", "/send/reverb"];
  const ducking = ["/duck/source", "/duck/depth", "/duck/attack", "/duck/release", "/duck/pad", "/duck/player"];
  const sources = { off: "Off", beat: "The beat", kick: "Kicks", pad: "A pad", own: "My pad" };
  return {
    element: h("div.effects", {},
      h("div.thumbs", {},
        macros("For you", "Two taps reset it", own, "/effects/off", ownEffects()),
        macros("For everybody", "Hold, then let go", everybodys, "/room/effects/off", roomEffects())),
      h("div.group", { role: "group", "aria-label": "Sends" }, h("div.row.head", {}, h("h3", { textContent: "Sends" }), reset("Sends", sends)),
        h("p.quiet", { textContent: "How much of you the room’s delay and reverb get." }),
        control("/send/delay", "Delay"), control("/send/reverb", "Reverb")),
      h("div.group.ducking", { role: "group", "aria-label": "Ducking" }, h("div.row.head", {}, h("h3", { textContent: "Ducking" }), reset("Ducking", ducking)),
        h("p.quiet", { textContent: "You get softer each time it sounds, as in house music." }),
        choice({ address: "/duck/source", label: "Make room for", names: sources }), duckPlayer(), duckPad(),
        control("/duck/depth", "How far"), control("/duck/attack", "How fast away"), control("/duck/release", "How fast back")),
      h("h3.over", { textContent: "Your channel" }), ownGroups(),
      h("h3.over", { textContent: "The room, for everybody" }), roomGroups()),
    // A thumb may still hold a strip while the panel closes: the strip is let go of then.
    hide: () => { for (const strip of [...own, ...everybodys]) strip.letGo(); },
  };
}
