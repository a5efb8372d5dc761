// The view of the lanes: their elements, drawn from the state of the board.

import { chip, dress, markPreview, nameOf } from "./block-list.js";
import { h, icon, say, t, w } from "./dom.js";
import { STATES } from "./lane-words.js";

/// One lane: its head, and its slots in a row.
class LaneView {
  #board;
  #number;
  #slots;
  #state = h("small", {});

  /// - Parameter send: sends `play`, `loop`, `stop` or `clear` to the lane.
  constructor(board, number, send) {
    this.#board = board;
    this.#number = number;
    this.#slots = board.slotsOf(number);
    const button = (title, what) => h("button.text.small", { type: "button", textContent: title, onclick: () => send(what) });
    this.row = h("div.slots", { role: "list", "aria-label": w`Lane ${number}` });
    this.element = h("section.lane", { "aria-label": w`Lane ${number}` },
      h("div.row.head", {}, h("span.lanename", {}, h("b", { textContent: w`Lane ${number}` }), this.#state),
        button("Play", "play"), button("Loop", "loop"), button("Stop", "stop"),
        h("button.round", { type: "button", "aria-label": w`Clear lane ${number}`, onclick: () => send("clear") }, icon("bin"))),
      this.row);
    this.row.append(...this.#slots.map(({ lane, slot }) => h("div.slot", {
      role: "listitem", tabIndex: slot === 1 ? 0 : -1, "data-lane": lane, "data-slot": slot, "aria-label": w`Slot ${slot}: empty` })));
  }

  elementOf({ slot }) { return this.row.children[slot - 1]; }

  showState() {
    const state = this.#board.stateOf(this.#number);
    say(this.#state, STATES[state] ?? "");
    this.element.dataset.state = state;
  }

  /// Marks the slot that plays, and the slot in focus.
  mark() {
    for (const slot of this.#slots) {
      this.elementOf(slot).classList.toggle("playing", this.#board.isPlaying(slot));
      this.elementOf(slot).classList.toggle("focused", this.#board.isFocused(slot));
      this.#seeName(slot);
    }
  }

  /// A slot's name says what its looks say.
  #seeName(slot) {
    const id = this.#board.blockIn(slot);
    const name = id ? w`Slot ${slot.slot}: ${nameOf(id)}` : w`Slot ${slot.slot}: empty`;
    const state = this.#board.isFocused(slot) ? t("In focus") : this.#board.isPlaying(slot) ? t("Plays") : "";
    this.elementOf(slot).setAttribute("aria-label", state ? `${name}, ${state}` : name);
  }

  showBlock(slot) {
    const element = this.elementOf(slot);
    const name = this.#board.blockIn(slot);
    element.replaceChildren(...(name ? [chip(name)] : []));
    element.firstChild?.setAttribute("tabindex", "-1");
    element.firstChild?.removeAttribute("role");
    this.#seeName(slot);
    markPreview();
  }

  fit() {
    for (const slot of this.#slots) this.elementOf(slot).hidden = !this.#board.isShown(slot);
  }
}

export class LanesView {
  element = h("div.lanes");
  #board;
  #lanes = [];

  /// - Parameter board: the lanes (`LaneBoard`).
  constructor(board) { this.#board = board; }

  /// - Parameter send: sends `play`, `loop`, `stop` or `clear` to a lane.
  make(send) {
    for (let number = 1; number <= this.#board.count; number += 1) {
      this.#lanes.push(new LaneView(this.#board, number, (what) => send(number, what)));
    }
    this.element.append(...this.#lanes.map((lane) => lane.element));
    for (let number = 1; number <= this.#board.count; number += 1) this.#fit(number);
  }

  /// Draws a fact of a lane that the board has taken.
  see(number, what) {
    const lane = this.#lanes[number - 1];
    if (what === "state") lane.showState();
    else if (what === "playing" || what === "focused") lane.mark();
    else if (/^\d+$/.test(what)) {
      lane.showBlock(this.#board.at(number, Number(what)));
      this.#fit(number);
    }
  }

  #fit(number) {
    this.#board.fit(number, this.#held());
    this.#lanes[number - 1].fit();
    for (const [index, lane] of this.#lanes.entries()) lane.element.hidden = !this.#board.isLaneShown(index + 1);
  }

  /// The slot with the keyboard's focus; 0 is none.
  #held() {
    const holds = (element) => element.contains(document.activeElement);
    const lane = this.#lanes.findIndex(({ element }) => holds(element));
    return { lane: lane + 1, slot: lane < 0 ? 0 : [...this.#lanes[lane].row.children].findIndex(holds) + 1 };
  }

  /// Draws the facts of blocks anew: the server tells them after the lanes on which the blocks lie.
  dress() { for (const block of this.element.querySelectorAll(".block")) dress(block); }

  // ---- Slots and their elements.

  row({ lane }) { return this.#lanes[lane - 1].row; }
  elementOf(slot) { return this.#lanes[slot.lane - 1].elementOf(slot); }

  /// The slot that an element lies in, or null.
  slotOf(element) {
    const found = element.closest(".slot");
    return found && this.#board.at(Number(found.dataset.lane), Number(found.dataset.slot));
  }

  /// The slots that are shown, as [slot, its box].
  boxes() {
    const shown = this.#board.slots.filter((slot) => this.#board.isShown(slot));
    return shown.map((slot) => [slot, this.elementOf(slot).getBoundingClientRect()]);
  }

  /// Marks all slots as open for a block that is held.
  open(isOpen) { this.element.classList.toggle("open", isOpen); }

  /// Marks the slot that the held block would go into; null is none.
  target(slot, isTarget = true) { if (slot) this.elementOf(slot).classList.toggle("target", isTarget); }

  forgetTarget() { this.element.querySelector(".slot.target")?.classList.remove("target"); }

  /// Gives a slot the keyboard's focus. All slots together are one stop of the Tab key; arrow keys
  /// move between them.
  give(slot) {
    const element = this.elementOf(slot);
    this.element.querySelector('.slot[tabindex="0"]')?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    element.focus();
  }
}
