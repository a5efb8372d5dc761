// Drags blocks with the pointer, flicks them off their lane, and pinches them. `BlockGesture`
// decides what a movement means.

import { BlockGesture, nearestSlot, scrollUnder } from "./block-gesture.js";
import { tap } from "./block-list.js";
import { at, toast, w } from "./dom.js";
import { animate } from "./frame.js";
import { slotAddress } from "./lane-board.js";

const pointAt = (event) => [event.clientX, event.clientY];

export class LaneDrag {
  #gesture = new BlockGesture();
  #view;
  #board;
  #focus;
  /// While a block is lifted: its copy under the finger, the slot that the block would go into, and
  /// the block's own element.
  #ghost = null;
  #target = null;
  #taken = null;
  /// The timer that lifts the block which a finger holds.
  #held = 0;

  /// - `view`: the elements (`LanesView`); `board`: the blocks (`LaneBoard`); `focus`: `LaneFocus`.
  constructor({ view, board, focus }) {
    this.#view = view;
    this.#board = board;
    this.#focus = focus;
    document.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", (event) => this.#gesture.cancel(event.pointerId) && this.#letBe());
    at("panel").addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /// Whether the fingers hold something: they do not scroll then.
  get holds() { return this.#gesture.holds; }

  forgetFingers() { this.#gesture.forgetFingers(); }

  #down(event) {
    if (event.button || !this.#view.element.isConnected || !event.target.closest?.("#panel")) return;
    const element = event.target.closest(".block");
    const block = element && { element, name: element.dataset.block, from: this.#view.slotOf(element) };
    const before = this.#gesture.touch;
    const isMouse = event.pointerType === "mouse";
    const act = this.#gesture.down(event.pointerId, pointAt(event), event.timeStamp, { block, isMouse, focused: this.#board.focused });
    if (act && before) this.#letBe();
    if (act === "take" && !isMouse) {
      this.#held = setTimeout(() => {
        this.#gesture.lift();
        this.#lift();
      }, this.#gesture.holdTime);
    }
  }

  #move(event) {
    const act = this.#gesture.move(event.pointerId, pointAt(event), event.timeStamp, (slot) => this.#board.isFocused(slot));
    if (act?.focus) this.#focus.set(act.focus, act.begins);
    else if (act === "scroll") this.#letBe();
    if (act === "lift") this.#lift();
    if (act !== "lift" && act !== "carry") return;
    const { at, start } = this.#gesture.touch;
    this.#ghost.style.transform = `translate(${at[0] - start[0]}px, ${at[1] - start[1]}px)`;
    this.#aim();
  }

  #up(event) {
    const target = this.#target;
    const touch = this.#gesture.up(event.pointerId, event.timeStamp, target);
    if (!touch) return;
    this.#letBe();
    this.#settle(touch, target);
  }

  #settle({ act, name, from }, target) {
    if (act === "hear") tap(name, from ? slotAddress(from) : "");
    else if (act === "put") this.#board.put(name, target, from);
    else if (act === "flick" || act === "take off") {
      this.#board.takeOff(from);
      if (act === "flick") toast(w`${name} is removed from the lane. Undo brings it back.`);
    }
  }

  #lift() {
    clearTimeout(this.#held);
    this.#taken = this.#gesture.touch.element;
    const box = this.#taken.getBoundingClientRect();
    this.#ghost = this.#taken.cloneNode(true);
    this.#ghost.className = "block ghost";
    for (const side of ["left", "top", "width", "height"]) this.#ghost.style[side] = `${box[side]}px`;
    document.body.append(this.#ghost);
    animate(this.#creep);
    this.#taken.classList.add("away");
    this.#view.open(true);
  }

  /// Scrolls the panel or the lane while a block is held at its edge, because the wanted lane or
  /// slot may be out of sight.
  #creep = () => {
    if (!this.#ghost) return false;
    const { at: [x, y], start } = this.#gesture.touch;
    for (const [element, place, begin, from, to, scroll] of [
      [this.#view.element.closest(".panel-body"), y, start[1], "top", "bottom", "scrollTop"],
      [this.#target && this.#view.row(this.#target), x, start[0], "left", "right", "scrollLeft"]]) {
      const box = element?.getBoundingClientRect();
      const by = box ? scrollUnder(place, box[from], box[to], begin) : 0;
      if (by) element[scroll] += by;
    }
    this.#aim();
    return true;
  };

  #aim() {
    const best = nearestSlot(this.#gesture.touch.at, this.#view.boxes());
    this.#ghost.classList.toggle("leaving", this.#gesture.leaves(best, performance.now()));
    if (best === this.#target) return;
    this.#view.target(this.#target, false);
    this.#view.target(best);
    this.#target = best;
  }

  /// Ends a drag: nothing is held any more.
  #letBe() {
    clearTimeout(this.#held);
    this.#view.target(this.#target, false);
    this.#taken?.classList.remove("away");
    this.#view.open(false);
    this.#ghost?.remove();
    this.#ghost = this.#target = this.#taken = null;
  }

  /// A browser reports a trackpad's pinch as a wheel event with Ctrl. Inwards it ends the focus,
  /// wherever the pointer is; outwards it begins one on the block under the pointer.
  #wheel(event) {
    if (!event.ctrlKey || !this.#view.element.isConnected) return;
    const isOut = event.deltaY < 0;
    const slot = isOut ? this.#view.slotOf(event.target) : this.#board.focused;
    if (!slot || !this.#board.blockIn(slot)) return;
    event.preventDefault();
    if (isOut !== this.#board.isFocused(slot)) this.#focus.set(slot, isOut);
  }
}
