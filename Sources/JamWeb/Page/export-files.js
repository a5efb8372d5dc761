// Files of a take, or of a project's loops: the server makes them, and the page downloads them as
// soon as they are ready.

import { ownChoice } from "./controls.js";
import { h, say, t, toast, w } from "./dom.js";
import { room } from "./room.js";

const FILES = [
  ["wav", "WAV"], ["flac", "FLAC"], ["opus", "Opus"], ["mid", "MIDI"], ["stems.zip", "Stems"], ["dawproject", "DAWproject"],
  ["rpp.zip", "Reaper"], ["labels.txt", "Labels"],
];
/// Formats that divide the mix into stems.
const DIVIDED = new Set(["stems.zip", "dawproject", "rpp.zip"]);
const DIVISIONS = ["player", "pad", "layer", "hand"];

/// Files that this page asked for, by address: each is downloaded as soon as it is ready.
const wanted = new Map();
const views = new Set();

/// The buttons for all formats of one take or project, and the progress of the files that are being
/// made.
export class ExportFiles {
  #ask;
  #prefix = "";
  #name = "";
  #by = "player";
  #wet = h("input", { type: "checkbox", role: "switch" });
  #making = new Map();
  #list = h("ul.plain", { "aria-label": "Files that are being made" });

  /// - `ask` sends the request for a file, such as `stems.zip?by=pad`.
  constructor(ask) {
    this.#ask = ask;
    const buttons = FILES.map(([form, title]) => h("button.text.small", {
      type: "button", textContent: title, "data-file": form, "aria-label": w`Export as ${t(title)}`, onclick: () => this.#want(form, title) }));
    const stems = h("details", {}, h("summary", { textContent: "How stems are made" }),
      ownChoice({ label: "One for each", words: DIVISIONS, names: ["Player", "Pad", "Layer", "Hand and loops"], value: this.#by, chosen: (word) => { this.#by = word; } }),
      h("label.switch", {}, h("span.name", {}, "With filter and build-ups", h("small", { textContent: "Without, each is dry" })), this.#wet));
    this.element = h("div.stack.files", {}, h("div.row", {}, ...buttons), stems, this.#list);
    views.add(this);
  }

  /// - `prefix`: the beginning of its files' addresses; `name`: the files' name.
  see(prefix, name) {
    if (prefix !== this.#prefix) {
      this.#prefix = prefix;
      this.#making.clear();
      this.#list.replaceChildren();
    }
    this.#name = name;
  }

  forget() { views.delete(this); }

  #want(form, title) {
    const file = DIVIDED.has(form)
      ? [form, [this.#by === "player" ? "" : `by=${this.#by}`, this.#wet.checked ? "wet=1" : ""].filter(Boolean).join("&")].filter(Boolean).join("?")
      : form;
    if (this.#ask(file)) wanted.set(this.#prefix + file, { title, form, name: this.#name });
  }

  /// Takes the progress of a file. Returns whether the file is one of this view's.
  take(address, stage, part, reason) {
    if (!this.#prefix || !address.startsWith(this.#prefix)) return false;
    const isUnderWay = stage === "waiting" || stage === "making";
    if (!isUnderWay) {
      this.#making.get(address)?.element.remove();
      this.#making.delete(address);
      if (stage === "failed" && wanted.has(address)) toast(w`This file could not be made: ${reason}.`, 6);
      return true;
    }
    if (!this.#making.has(address)) {
      const row = new MakingRow(address, wanted.get(address)?.title ?? address.slice(this.#prefix.length));
      this.#making.set(address, row);
      this.#list.append(row.element);
    }
    this.#making.get(address).see(stage, part);
    return true;
  }
}

/// The row of a file that is being made.
class MakingRow {
  #part = h("progress", { max: 1 });
  #said = h("small.kitname", { role: "status" });
  #title;

  constructor(address, title) {
    this.#title = title;
    this.#part.setAttribute("aria-label", w`${t(title)} is being made`);
    this.element = h("li.row.head", {}, h("span.who", {}, h("b", { textContent: title }), this.#said), this.#part,
      h("button.text.small", { type: "button", textContent: "Cancel", "aria-label": w`Cancel: ${t(title)}`, onclick: () => room.send("/export/cancel", address) }));
  }

  see(stage, part) {
    this.#part.value = part;
    say(this.#said, stage === "waiting" ? "Waits for its turn" : `${Math.round(part * 100)} %`);
  }
}

room.on("/export/state", ([address, stage, part, reason]) => {
  for (const view of views) view.take(address, stage, part, reason);
  const mine = wanted.get(address);
  if (!mine || stage === "waiting" || stage === "making") return;
  wanted.delete(address);
  if (stage === "ready") takeAlong(address, mine);
});

function takeAlong(address, { form, name }) {
  const [path, query] = address.split("?");
  const link = h("a", { href: room.path(path, Object.fromEntries(new URLSearchParams(query))), download: `${name}.${form}` });
  document.body.append(link);
  link.click();
  link.remove();
}
