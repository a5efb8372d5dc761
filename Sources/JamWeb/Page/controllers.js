// Controllers that announce themselves on the network, such as TouchOSC on a tablet: one tap sends
// this player's lights to one of them.

import { arrange, h, shown, t, w, write } from "./dom.js";
import { room } from "./room.js";

const ORDER = "/controller/lights";

/// The list, and `show`, which asks for it. The server tells it again whenever it changes.
export function controllers() {
  const list = h("ul.plain", { "aria-label": "Controllers nearby" });
  const title = h("h3", { textContent: "Controllers nearby" });
  const group = h("div.group", { id: "controllers", hidden: true }, title, list);
  const rows = new Map();
  let told = [];
  let isAsked = false;
  const ask = () => { if (isAsked) room.send("/controllers"); };
  room.on("/controllers/item", ([name, , , state, player]) => told.push({ name, state, player }));
  room.on("/controllers/end", () => {
    for (const each of told) {
      if (!rows.has(each.name)) rows.set(each.name, new ControllerRow(each.name));
      rows.get(each.name).see(each);
    }
    const here = told.map(({ name }) => rows.get(name));
    for (const [name, row] of rows) if (!here.includes(row)) rows.delete(name);
    arrange(list, here.map((row) => row.element));
    group.hidden = here.length === 0;
    told = [];
  });
  room.on("connected", ask);
  // A refused order leaves the switch where the finger put it: the server says how it is.
  room.on("refused", ([where]) => { if (where === ORDER) ask(); });
  return { element: group, show: () => { isAsked = true; ask(); } };
}

class ControllerRow {
  constructor(name) {
    const order = () => room.send(ORDER, name, this.box.checked ? 1 : 0);
    this.box = h("input", { type: "checkbox", role: "switch", onchange: order });
    this.note = h("small");
    const label = h("span.name", {}, h("span", { given: w`Send lights to ${name}` }), this.note);
    this.element = h("li", { "data-controller": name }, h("label.switch", {}, label, this.box));
  }

  see({ state, player }) {
    this.element.dataset.state = state;
    this.box.checked = state === "on";
    this.box.disabled = state === "taken";
    if (state !== "taken") return write(this.note, "");
    const known = player && w`It shows the lights of ${shown(player)}.`;
    write(this.note, known || t("It shows somebody else’s lights."));
  }
}
