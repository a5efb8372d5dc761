// The big screen: the beat, what everybody's loops and hands play, the chord, the players, and how
// to join, readable from across the room.

import { cover, uncover } from "./back.js";
import { position, signature } from "./beat.js";
import { Chord } from "./chord-name.js";
import { readable } from "./colour.js";
import { words } from "./countdown.js";
import { at, h, say, shown, style, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { joinAddress, joinCode } from "./join-address.js";
import { scaleOf } from "./notes.js";
import { colourOf, people } from "./people.js";
import { floatIn } from "./reactions.js";
import { room } from "./room.js";
import { WallPicture } from "./wall-picture.js";

/// Milliseconds that a chord stays after its last note.
const CHORD = 4000;

let wall = null;

await Promise.all([style("panels"), style("wall")]);

export async function show() {
  if (!wall) wall = build();
  if (wall.dialog.open) return;
  document.body.append(wall.dialog);
  wall.dialog.showModal();
  const close = () => wall.dialog.close();
  cover(close);
  wall.dialog.requestFullscreen?.().catch(() => {});
  wall.fill();
  animate(wall.draw);
  let lock = null;
  try { lock = await navigator.wakeLock?.request("screen"); } catch {}
  wall.dialog.addEventListener("close", () => { uncover(close); lock?.release(); if (document.fullscreenElement) document.exitFullscreen(); }, { once: true });
  const address = await joinAddress();
  wall.code.replaceChildren(...(address ? [joinCode(address)] : []));
  write(wall.link, address ?? "");
  wall.code.parentElement.hidden = !address;
  wall.fit();
}

function build() {
  const bpm = h("b.wall-bpm");
  const beats = h("div.wall-beats", { "aria-hidden": "true" });
  const bar = h("span.wall-bar");
  const name = h("h2", { tabIndex: -1, autofocus: true });
  const names = h("ul.wall-people");
  const code = h("div.qr");
  const link = h("code");
  const building = h("p.wall-building", { role: "status" });
  const sounding = h("b.wall-chord");
  const picture = new WallPicture();
  floatIn(picture.element);
  const main = h("div.wall-main", {}, name, h("div.wall-tempo", {}, bpm, h("span", { textContent: "bpm" }), bar, sounding), beats, picture.element, building, names);
  const join = h("div.wall-join", {}, code, link);
  const dialog = h("dialog.wall", { "aria-label": "Big screen" },
    main,
    join,
    h("button.text", { type: "button", textContent: "Close", onclick: () => dialog.close() }));

  const spots = new Map();
  const more = h("li.quiet", { hidden: true });
  const fill = () => {
    // The project's name, as at the top of the page, or the room's.
    write(name, at("room-name").textContent);
    names.replaceChildren(...people.map((person) => {
      const item = h("li", {}, h("i"), h("span", { given: shown(person.name) }));
      item.firstChild.style.backgroundColor = readable(colourOf(person.name));
      spots.set(person.name, item);
      return item;
    }), more);
    names.classList.toggle("many", people.length > 12);
    fit();
  };
  // Shows as many names as fit, and the number of the others.
  const fit = () => {
    const items = [...names.children].slice(0, -1);
    more.hidden = true;
    for (const item of items) item.hidden = false;
    for (let count = items.length; count > 0 && names.scrollHeight > names.clientHeight + 1; count -= 1) {
      items[count - 1].hidden = true;
      more.hidden = false;
      say(more, w`+${items.length - count + 1} more`);
    }
  };
  // Other parts may grow and leave less room for the names, such as the tempo, a long line, or the
  // code.
  const sizes = new ResizeObserver(fit);
  for (const part of [dialog, join, ...main.children]) sizes.observe(part);
  room.on("people", fill);
  for (const what of ["connected", "/project/state"]) room.on(what, fill);
  // These messages and questions are on the page under the wall, so the wall closes.
  for (const what of ["password", "waits", "shut", "/kicked", "left"]) room.on(what, () => dialog.close());
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  room.on("/hit", ([player]) => isCalm.matches || spots.get(player)?.firstChild.animate?.([{ transform: "scale(2.2)" }, { transform: "none" }], { duration: 260, easing: "ease-out" }));
  room.on("/tempo", ([value]) => write(bpm, String(Math.round(value))));
  room.on("/beat", ([, , value]) => write(bpm, String(Math.round(value))));

  const chord = new Chord();
  // The last note that was told before is passed at once. It may have ended since.
  let isLive = false;
  room.on("/note", ([player, note]) => isLive && chord.take(player, note, true));
  room.on("/note/off", ([player, note]) => chord.take(player, note, false));
  isLive = true;
  room.on("disconnected", () => chord.clear());

  let lit = -1;
  const draw = (time) => {
    if (!dialog.open) return false;
    const count = signature()[0];
    if (beats.childElementCount !== count) beats.replaceChildren(...Array.from({ length: count }, () => h("i")));
    const now = position();
    if ((now?.beat ?? -1) !== lit) {
      beats.children[lit]?.classList.remove("on");
      lit = now?.beat ?? -1;
      beats.children[lit]?.classList.add("on");
    }
    say(bar, now ? w`Bar ${now.bar}` : "Stopped");
    say(building, room.isConnected ? words() : "No connection …");
    write(sounding, chord.name(scaleOf(room.get("/scale/notes", "")), time, CHORD));
    picture.draw(time);
    return true;
  };
  return { dialog, fill, fit, draw, code, link };
}
