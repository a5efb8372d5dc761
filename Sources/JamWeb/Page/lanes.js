// The panel part of blocks and lanes. It connects the state machines (board, focus, keys) with
// their views.

import { BlockCarry } from "./block-carry.js";
import { blocks, chosenBlock, endPreview, make as makeBlockList, markSounding, nameOf, wasTapped } from "./block-list.js";
import { kindOfBlock, wantGroove } from "./block-rhythm.js";
import { at as element, h, say, toast, w } from "./dom.js";
import { Finder, endHearing } from "./finder.js";
import { LaneBoard } from "./lane-board.js";
import { LaneDrag } from "./lane-drag.js";
import { LaneFocus } from "./lane-focus.js";
import { LaneKeys } from "./lane-keys.js";
import { LanesView } from "./lane-view.js";
import * as listen from "./listen.js";
import { PatternTap } from "./pattern-tap.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

export { land } from "./block-list.js";

const help = h("p.quiet", { textContent: "Tap a pattern to play it from the next bar on, and again to let it rest. Drag it onto a lane, with a finger once you have held it for a moment, or tap a slot behind it. On a lane, tap to hear it alone; flick it up or down or press Delete to remove it; pinch or press F to focus on it." });
/// While a player focuses on a block, that player hears nothing else, so the button that ends the
/// focus stays in sight.
const focusing = h("div.group.focusing", { role: "status", hidden: true }, h("span.grow"),
  h("button.primary", { type: "button", textContent: "Hear everybody", onclick: () => focus.end() }));

const board = new LaneBoard({ lanes: limits.lanes, slots: limits.slots, room });
const focus = new LaneFocus({
  board, sound: listen, room,
  clock: { after: (wait, act) => setTimeout(act, wait), forget: (timer) => clearTimeout(timer) },
  told: { changed: showFocus, silent: () => toast("Turn the sound on first: it is heard on this device alone.") },
});
const taps = new PatternTap({ board, room, kindOf: kindOfBlock });
const carry = new BlockCarry(board);
const view = new LanesView(board);
const drag = new LaneDrag({ view, board, focus });
const keys = new LaneKeys({ carry, view, board, focus });

/// The search for blocks of all rooms.
let finder = null;

export function make() {
  finder = new Finder({ kind: "block", label: "Search patterns of all rooms", isQuiet: true });
  view.make((lane, what) => room.send(`/lane/${lane}/${what}`));
  for (let lane = 1; lane <= limits.lanes; lane += 1) {
    room.on(`/lane/${lane}/*`, ([value], address) => see(lane, address.split("/")[3], value));
  }
  const list = makeBlockList((name) => keys.take(name, null), taps);
  return h("div.stack", {}, view.element, ...list, finder.element, help, focusing);
}

export function show() {
  room.send("/blocks");
  finder?.ask();
  element("panel").addEventListener("touchmove", stay, { passive: false });
}

/// Ends previews and the focus, because their blocks go out of sight.
export function hide() {
  element("panel").removeEventListener("touchmove", stay);
  drag.forgetFingers();
  endPreview();
  endHearing();
  focus.end();
}

function see(lane, what, value) {
  board.take(lane, what, value);
  inPlace(() => view.see(lane, what));
  if (what === "focused") focus.look();
  else {
    markSounding();
    // A groove's next block has the same name, so that its slot is not told anew.
    if (what !== "playing") seeGrooves(lane);
    // A focus may be told before the pattern that it is on.
    showFocus(board.focused);
  }
}

function seeGrooves(lane) {
  for (const slot of board.slotsOf(lane)) wantGroove(board.blockIn(slot) ?? "");
}

/// Keeps the shelf under the finger: the tap that plays a pattern fills a lane, and one more lane is
/// shown above the shelf.
function inPlace(change) {
  const shelf = view.element.nextElementSibling;
  const before = shelf?.getBoundingClientRect().top;
  change();
  if (!wasTapped() || !shelf?.checkVisibility()) return;
  const moved = shelf.getBoundingClientRect().top - before;
  if (moved) element("panel-body").scrollTop += moved;
}

function showFocus(slot) {
  focusing.hidden = !slot;
  if (!slot) return;
  const name = board.blockIn(slot);
  say(focusing.firstChild, name
    ? w`You alone hear ${nameOf(name)}, and nothing else.`
    : w`You alone hear lane ${slot.lane}, slot ${slot.slot}, and nothing else.`);
}

function stay(event) {
  if (event.cancelable && drag.holds) event.preventDefault();
}

// After a tap on a block, a tap on an empty slot puts the block there.
view.element.addEventListener("click", (event) => {
  const slot = view.slotOf(event.target);
  if (slot && chosenBlock() && !carry.isCarrying && !board.blockIn(slot)) board.put(chosenBlock(), slot, null);
});

room.on("connected", () => blocks.size && show());
room.on("blocks", () => view.dress());
room.on("refused", ([where]) => { if (/^\/lane\/\d+\/focus$/.test(where)) focus.look(); });
