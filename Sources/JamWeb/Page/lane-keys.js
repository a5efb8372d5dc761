// Keys on the slots. `BlockCarry` decides what a key means.

import { preview } from "./block-list.js";
import { toast, w } from "./dom.js";
import { slotAddress } from "./lane-board.js";

export class LaneKeys {
  #carry;
  #view;
  #board;
  #focus;

  /// - `carry`: decides what keys mean (`BlockCarry`); `focus`: `LaneFocus`.
  /// - `view`: the elements (`LanesView`); `board`: the blocks (`LaneBoard`).
  constructor({ carry, view, board, focus }) {
    this.#carry = carry;
    this.#view = view;
    this.#board = board;
    this.#focus = focus;
    view.element.addEventListener("keydown", (event) => this.#press(event));
  }

  /// Takes up the block `name`, from a slot or from the list (null).
  take(name, from) {
    const first = this.#carry.take(name, from);
    this.#view.open(true);
    this.#go(first);
    toast(w`${name}: arrows choose a slot, Enter puts it there, Escape lets it be.`);
  }

  #press(event) {
    const slot = this.#view.slotOf(event.target);
    const meant = slot && this.#carry.press(event.key, slot);
    if (!meant) return;
    if (meant.act !== "pass") event.stopPropagation();
    event.preventDefault();
    this.#apply(meant, slot);
  }

  #apply({ act, name, from, to }, slot) {
    if (act === "go") this.#go(to);
    else if (act === "take") this.take(name, slot);
    else if (act === "put") {
      this.#board.put(name, slot, from);
      this.#letBe();
    } else if (act === "let be") this.#letBe();
    else if (act === "take off") {
      // The slot gets the keyboard's focus, which would be lost with the block.
      this.#go(slot);
      this.#board.takeOff(slot);
    } else if (act === "focus") this.#focus.toggle(slot);
    else if (act === "hear") preview(name, slotAddress(slot));
  }

  #go(slot) {
    if (!slot) return;
    this.#view.give(slot);
    this.#view.forgetTarget();
    if (this.#carry.isCarrying) this.#view.target(slot);
  }

  #letBe() {
    this.#view.open(false);
    this.#view.forgetTarget();
  }
}
