// Build, and the row for the thumb behind More: the mute groups, pitch and filter, and the room's
// scenes.

import { drop, start as startBuildUp, target } from "./build-wish.js";
import { at, h, icon, say, t, w, write } from "./dom.js";
import { onHold } from "./hold.js";
import { groupsOf, held, partNames, tapped } from "./mute-groups.js";
import { pads } from "./pads.js";
import { open } from "./panel.js";
import { room } from "./room.js";
import { keepScene, launchScene, nameOf, sceneCount, scenes } from "./scenes.js";

const labelled = (name, drawing, label) => h("button", { type: "button", "data-action": name }, icon(drawing), label);

// ---- BUILD: one tap starts a build-up, the next tap drops.

const build = document.querySelector('[data-action="build"]');
const buildText = build.lastElementChild;
const isBuilding = () => room.get("/buildup/state", "none") !== "none";
/// Milliseconds. A second tap that comes sooner was still meant for what the button did before.
const TWICE = 700;
let lastTap = -Infinity;
onHold(build, {
  tap: () => {
    if (performance.now() - lastTap < TWICE) return;
    lastTap = performance.now();
    if (isBuilding()) drop();
    else startBuildUp();
  },
  hold: () => open("buildup"),
});
document.querySelector('[data-action="drop"]').addEventListener("click", drop);
function seeBuild() {
  const on = isBuilding();
  build.classList.toggle("on", on);
  build.dataset.means = on ? "drop" : "build";
  say(buildText, on ? "Drop" : "Build");
  const text = on ? t("Drop on the next bar") : w`Build up to ${target()} bpm from the next bar on. Hold: the build-up’s settings.`;
  build.setAttribute("aria-label", text);
  build.title = text;
}
for (const address of ["/buildup/state", "/tempo"]) room.on(address, seeBuild);
seeBuild();

// ---- On a phone: rows that take the place of the scenes, one at a time.

const choices = new Map();
function choose(what) {
  const isShown = at("perform").hasAttribute(`data-${what}`);
  for (const [name, button] of choices) {
    const on = name === what && !isShown;
    at("perform").toggleAttribute(`data-${name}`, on);
    button.setAttribute("aria-expanded", String(on));
  }
}
function choice(name, drawing, label, title) {
  const button = labelled(name, drawing, h("span", { textContent: label }));
  button.setAttribute("aria-expanded", "false");
  button.title = t(title);
  button.addEventListener("click", () => choose(name));
  choices.set(name, button);
  return button;
}

// ---- Pitch and filter of the whole room.

const strips = h("div.thumbstrips", { role: "group", "aria-label": "Pitch and filter" });
const bend = choice("strips", "bend", "Filter", "Pitch and filter of what everybody hears");
bend.addEventListener("click", async () => (await import("./strips.js")).fill(strips));
// The button is marked while pitch or filter are moved, because the strips may be out of sight.
function seeBend() {
  const isMoved = ["/pitch", "/modulation"].some((address) => room.get(address, 0) !== 0);
  bend.classList.toggle("some", isMoved);
  bend.setAttribute("aria-label", t(isMoved ? "Filter: moved" : "Filter"));
}
for (const address of ["/pitch", "/modulation"]) room.on(address, seeBend);

// ---- Mute groups: the pads of a part of the music.

const groupRow = h("div.mutes", { role: "group", "aria-label": "Mute groups" });
const groupButtons = new Map(partNames.map((name) => [name, groupButton(name)]));
groupRow.append(...groupButtons.values());
const isMuted = (pad) => room.get(`/pad/${pad}/mute`, 0) > 0;
const groups = () => groupsOf((pad) => room.get(`/pad/${pad}/category`, ""), pads.length);

function groupButton(name) {
  const button = h("button.mutegroup", { type: "button", "data-group": name, textContent: name });
  const change = (wanted) => {
    const all = groups();
    const group = all.find((each) => each.name === name);
    if (group) room.setTogether(wanted(group, all).map(([pad, on]) => [`/pad/${pad}/mute`, on ? 1 : 0]));
  };
  onHold(button, { tap: () => change((group) => tapped(group, isMuted)), hold: () => change((group, all) => held(group, all, isMuted)) });
  return button;
}

function seeGroups() {
  const all = groups();
  for (const [name, button] of groupButtons) {
    const group = all.find((each) => each.name === name);
    button.hidden = !group;
    if (!group) continue;
    const text = w`${t(name)}: mute pads ${group.pads.join(", ")}. Hold: these alone.`;
    button.setAttribute("aria-label", text);
    button.title = text;
    button.setAttribute("aria-pressed", String(group.pads.every(isMuted)));
  }
  const isSome = all.some((group) => group.pads.some(isMuted));
  mutes.classList.toggle("some", isSome);
  mutes.setAttribute("aria-label", t(isSome ? "Mutes: some pads are muted" : "Mutes"));
}

const mutes = choice("mutes", "mute", "Mutes", "Mute the drums, the hats, the bass or the rest of your pads");
// The server tells the facts of sixteen pads at once, so the groups are drawn once a frame.
let looks = 0;
const lookSoon = () => { looks ||= requestAnimationFrame(() => { looks = 0; seeGroups(); }); };
room.on("/pad/*", (_, address) => (address.endsWith("/mute") || address.endsWith("/category")) && lookSoon());

// ---- Scenes.

const sceneRow = h("div.scenes", { role: "group", "aria-label": "Scenes" });
const sceneButtons = Array.from({ length: sceneCount }, (_, index) => sceneButton(index + 1));
sceneRow.append(...sceneButtons);

function sceneButton(number) {
  const button = h("button.scene", { type: "button", "data-scene": number });
  onHold(button, { tap: () => (scenes.isKept(number) ? launchScene(number) : keepScene(number)), hold: () => keepScene(number) });
  return button;
}

/// The scene that was last scrolled into view.
let inSight = 0;
function seeScenes() {
  const free = scenes.firstFree;
  for (const [index, button] of sceneButtons.entries()) {
    const number = index + 1;
    const isKept = scenes.isKept(number);
    button.hidden = !isKept && number !== free;
    // The first free button also has a label that explains it.
    write(button, isKept ? nameOf(number) : free === 1 ? `+ ${w`Scene ${1}`}` : "+");
    const isNext = scenes.waiting === number;
    const text = isNext ? w`Scene ${nameOf(number)}: waits for the bar line`
      : isKept ? w`Scene ${nameOf(number)}: from the next bar on. Hold: keep what plays now instead.` : w`Keep what plays now as scene ${number}`;
    button.setAttribute("aria-label", text);
    button.title = text;
    button.setAttribute("aria-pressed", String(isKept && scenes.launched === number));
    button.classList.toggle("waiting", scenes.waiting === number);
    button.classList.toggle("free", !isKept);
  }
  const wanted = scenes.waiting || scenes.launched;
  if (wanted && wanted !== inSight) sceneButtons[wanted - 1].scrollIntoView({ block: "nearest", inline: "nearest" });
  inSight = wanted;
}
room.on("/scene/*", seeScenes);
seeScenes();

at("perform").append(mutes, bend, groupRow, strips, sceneRow);
seeGroups();
