// The list of the room's scenes: their names, what each player plays in them, and the buttons that
// launch, keep and remove them.

import { h, icon, shown, t, w, write } from "./dom.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { partsOf } from "./scene-words.js";
import { forgetScene, keepScene, launchScene, nameOf, sceneCount, scenes } from "./scenes.js";

const SLOT = /^\/lane\/\d+\/\d+$/;

export function make() {
  const items = Array.from({ length: sceneCount }, (_, index) => item(index + 1));
  const keep = h("button.primary", { type: "button", textContent: "Keep what plays now", onclick: () => keepScene(scenes.firstFree) });
  const see = () => {
    for (const [index, { element }] of items.entries()) element.hidden = !scenes.isKept(index + 1);
    keep.disabled = scenes.firstFree === 0;
  };
  room.on("/scene/*", see);
  see();
  // Blocks are told behind the scenes. Turns of a lane are no news here.
  const seeLane = (_, address) => {
    if (SLOT.test(address)) for (const { say } of items) say();
  };
  for (let lane = 1; lane <= limits.lanes; lane += 1) room.on(`/lane/${lane}/*`, seeLane);
  return h("div.stack", {},
    h("p.quiet", { textContent: "A scene keeps which loops, layers and lanes play, and who and which pads are muted. Anybody launches it; it begins on the next bar line." }),
    h("div.row", {}, keep), h("ul.plain", {}, items.map(({ element }) => element)));
}

function item(number) {
  const name = h("input.line", { type: "text", maxLength: limits.name, placeholder: w`Scene ${number}`, "aria-label": w`Name of scene ${number}` });
  name.addEventListener("change", () => room.set(`/scene/${number}/name`, name.value.trim()));
  const plays = h("p.quiet");
  const launch = h("button.text", { type: "button", textContent: "Launch", onclick: () => launchScene(number) });
  const element = h("li.group", {}, name, plays,
    h("div.row", {}, launch, h("button.text", { type: "button", textContent: "Keep again", onclick: () => keepScene(number) }),
      h("button.round", { type: "button", "aria-label": w`Remove scene ${number}`, onclick: () => forgetScene(number) }, icon("bin"))));
  room.on(`/scene/${number}/name`, ([text]) => {
    if (document.activeElement !== name) name.value = shown(text);
    launch.setAttribute("aria-label", w`Launch scene ${nameOf(number)}`);
  });
  const say = () => {
    const parts = partsOf(room.get(`/scene/${number}/plays`, ""));
    write(plays, parts.map(inWords).join(" "));
  };
  room.on(`/scene/${number}/plays`, say);
  return { element, say };
}

/// The room tells what lies on this player's own lanes alone.
function laneName(player, lane) {
  const ids = Array.from({ length: player === room.player ? limits.slots : 0 }, (_, index) => (
    room.get(`/lane/${lane}/${index + 1}`, "")));
  const names = [...new Set(ids.filter(Boolean))].map((id) => id.split("/").at(-1));
  return names.length ? `${w`Lane ${lane}`} (${names.join(", ")})` : w`Lane ${lane}`;
}

/// For example “ann: Loop without layer 2, Lane 1 (rock), muted pads 7. bob: Nothing, muted.”
function inWords({ player, hasLoop, without, lanes, pads, isMuted }) {
  const loop = without.length ? w`Loop without layer ${without.join(", ")}` : t("Loop");
  const all = [...(hasLoop ? [loop] : []), ...lanes.map((lane) => laneName(player, lane))];
  if (all.length && pads.length) all.push(w`muted pads ${pads.join(", ")}`);
  const plays = all.length ? all.join(", ") : t("Nothing");
  return isMuted ? w`${shown(player)}: ${plays}, muted.` : w`${shown(player)}: ${plays}.`;
}
