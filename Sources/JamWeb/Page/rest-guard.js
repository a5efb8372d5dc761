// Keeps a finger from a control that has just moved under it (rest.js). Pads, keys and sliders take
// every touch: they are played.

import { Rest } from "./rest.js";

const CONTROLS = "button, a[href], input, select, textarea, summary, label";
const PLAYED = ".pads, .keyboard, .chord-blocks, .track, [role=slider], input[type=range], canvas";
/// Changes in these move no control.
const STILL = "#pads, #beats, #position, #bpm, #loopview, #building-text, .keyboard, output";
const FACTS = [
  "hidden", "class", "open", "disabled",
  "data-means", "data-buildup", "data-panel", "data-tall", "data-more",
];
/// Changes that a hand alone makes.
const BY_HAND = ["data-panel", "data-tall"];
/// Milliseconds at least between two looks.
const PAUSE = 100;

const rest = new Rest();
/// When something changed that nobody has looked at yet; null where nothing did.
let changed = performance.now();
/// Whether a hand moved everything: it scrolled, turned the device, or opened a panel.
let isFollowed = false;
let waits = false;

/// Boxes that may lie over others, the lowest first.
const OVER = [".panel", ".toast", "dialog"];
const rankOf = (control) => OVER.findLastIndex((selector) => control.closest(selector)) + 1;
const meaningOf = (control) => control.dataset.means ?? "";
const labelOf = (control) => () => control.getAttribute("aria-label") || control.textContent.trim();

/// The part of a control that is not scrolled out of its panel.
function boxIn(box, frame) {
  if (!frame) return box;
  const [top, bottom] = [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)];
  return { left: box.left, right: box.right, top, bottom };
}

function places() {
  const body = document.getElementById("panel-body");
  const frame = body.getBoundingClientRect();
  const controls = [...document.querySelectorAll(CONTROLS)].flatMap((control) => {
    const box = control.getBoundingClientRect();
    if (!box.width || !control.checkVisibility({ visibilityProperty: true })) return [];
    return [{
      control, box: boxIn(box, body.contains(control) && frame),
      means: meaningOf(control), rank: rankOf(control), label: labelOf(control),
    }];
  });
  return [...controls, ...covers()];
}

/// Surfaces that are open over the page, under their own controls. A finger means nothing below.
function covers() {
  return [...document.querySelectorAll(OVER.join())].flatMap((surface) => {
    const box = surface.getBoundingClientRect();
    if (!box.width || !surface.checkVisibility({ visibilityProperty: true })) return [];
    return [{ control: null, box, means: "", rank: rankOf(surface) - 0.5, label: () => "" }];
  });
}

function look() {
  if (isFollowed) rest.follow(places());
  else if (changed !== null) rest.see(places(), changed);
  changed = null;
  isFollowed = false;
}

/// Looks behind the next frame: then the layout is known, and asking for it costs little.
function lookSoon() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => setTimeout(() => {
    waits = false;
    look();
  }, PAUSE));
}

function follow() {
  isFollowed = true;
  lookSoon();
}

const isStill = ({ target }) => (target.nodeType === 1 ? target : target.parentElement)?.closest(STILL);

new MutationObserver((records) => {
  const moving = records.filter((record) => !isStill(record));
  if (moving.length === 0) return;
  changed ??= performance.now();
  isFollowed ||= moving.some(({ attributeName }) => BY_HAND.includes(attributeName));
  lookSoon();
}).observe(document.body, { subtree: true, childList: true, attributeFilter: FACTS });
for (const moved of ["scroll", "resize"]) {
  addEventListener(moved, follow, { capture: true, passive: true });
}
lookSoon();

/// Whether some control may be resting.
export function rests() {
  look();
  return rest.rests(performance.now());
}

/// The finger that is kept from a control; null is none. Its click may come after it is lifted, so
/// it counts until the next first finger comes down.
let kept = null;

function keep(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

addEventListener("pointerdown", (event) => {
  const { target, clientX: x, clientY: y, pointerId, isPrimary } = event;
  if (isPrimary) kept = null;
  const control = target.closest?.(CONTROLS);
  const now = performance.now();
  const isPlayed = Boolean(target.closest?.(PLAYED));
  if (!control || isPlayed) return rest.touch(x, y, now, isPlayed);
  look();
  const found = { control, means: meaningOf(control), label: labelOf(control) };
  const takes = rest.press(found, x, y, now);
  kept = takes ? null : pointerId;
  if (!takes) keep(event);
}, { capture: true });
addEventListener("pointerup", (event) => {
  if (event.pointerId === kept) keep(event);
}, { capture: true });
// A click by a key or by a screen reader has no place, and is always meant.
for (const type of ["mousedown", "mouseup", "click"]) {
  addEventListener(type, (event) => {
    if (kept !== null && event.detail > 0) keep(event);
  }, { capture: true });
}
// The effect of a key, and of a file or a word that is chosen, is the hand's own, too.
for (const type of ["keydown", "change"]) addEventListener(type, () => {
  rest.touch(-Infinity, -Infinity, performance.now());
}, { capture: true });
