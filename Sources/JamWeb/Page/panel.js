// The panel beside or over the pads: one panel at a time. Its code is loaded when it is first
// opened. This file knows no single panel: page.js adds them, so that one panel may open another.

import { cover, uncover } from "./back.js";
import { at, h, place, say, style } from "./dom.js";

const added = new Map();
const made = new Map();
let shown = null;
let opener = null;

/// Adds the panel `name`. `load` loads its module, whose `make` builds it.
export function addPanel(name, title, load) { added.set(name, { title, load }); }

/// Opens the panel `name` and passes `wish` to its `show`.
export async function open(name, wish = {}) {
  const { title, load } = added.get(name);
  if (shown && shown !== name) made.get(shown)?.hide?.();
  if (!shown) {
    opener = document.activeElement;
    cover(close);
  }
  shown = name;
  document.body.dataset.panel = name;
  markOpen();
  at("panel").hidden = false;
  place();
  say(at("panel-title"), title);
  if (!made.has(name)) {
    at("panel-tabs").replaceChildren();
    at("panel-body").replaceChildren(h("p.quiet", { textContent: "…" }));
    try {
      const [module] = await Promise.all([load(), style("panels")]);
      made.set(name, module.make());
    } catch (problem) {
      at("panel-body").replaceChildren(h("p.quiet", { textContent: "This part could not be fetched. Is the server there?" }));
      console.error(problem);
      return;
    }
  }
  if (shown !== name) return;
  const panel = made.get(name);
  at("panel-tabs").replaceChildren(...(panel.tabs ?? []));
  at("panel-body").replaceChildren(panel.element);
  at("panel-body").scrollTop = 0;
  panel.show?.(wish);
}

/// Only buttons of panels are marked: others, such as More, open something else.
function markOpen() {
  for (const button of document.querySelectorAll("[aria-expanded][data-action]")) {
    const { action } = button.dataset;
    if (added.has(action)) button.setAttribute("aria-expanded", String(action === shown));
  }
}

export function close() {
  if (!shown) return;
  uncover(close);
  made.get(shown)?.hide?.();
  shown = null;
  delete document.body.dataset.panel;
  at("panel").hidden = true;
  place();
  markOpen();
  if (at("panel").contains(document.activeElement) || document.activeElement === document.body) opener?.focus({ preventScroll: true });
}

export function toggle(name) {
  if (shown === name) close();
  else open(name);
}

/// The parts of a panel, one visible at a time. Each of `list` is [title, element, { show, hide
/// }?].
export function parts(...list) {
  const holder = h("div.parts");
  const buttons = list.map(([title], index) => h("button", { type: "button", textContent: title, onclick: () => choose(index) }));
  let current = -1;
  function choose(index) {
    if (index !== current) list[current]?.[2]?.hide?.();
    // Another part begins at its top, however far the one before was scrolled.
    if (index !== current && holder.isConnected) at("panel-body").scrollTop = 0;
    current = index;
    for (const [place, button] of buttons.entries()) button.setAttribute("aria-pressed", String(place === index));
    holder.replaceChildren(list[index][1]);
    list[index][2]?.show?.();
  }
  return { element: holder, tabs: buttons, choose, show: () => choose(Math.max(0, current)), hide: () => list[current]?.[2]?.hide?.() };
}

at("panel-close").addEventListener("click", close);
// On a phone a panel covers only half of the screen; this button makes it taller.
at("panel-grip").addEventListener("click", () => {
  const isTall = document.body.toggleAttribute("data-tall");
  at("panel-grip").setAttribute("aria-pressed", String(isTall));
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !shown || document.querySelector("dialog[open]")) return;
  // In a search field with text, Escape clears the text first.
  if (!event.target.matches?.("[type=search]") || event.target.value === "") close();
});
