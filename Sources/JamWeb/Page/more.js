// More: one tap shows what the first screen leaves out, and one tap hides it again. This device
// remembers the choice; theme.js restores it before the page is drawn.

import { at } from "./dom.js";
import { remember } from "./memory.js";
import { close } from "./panel.js";
import { room } from "./room.js";

const root = document.documentElement;
const button = document.querySelector('[data-action="more"]');

const isMore = () => root.hasAttribute("data-more");

export function showMore(on) {
  root.toggleAttribute("data-more", on);
  remember("more", on);
  see();
  dispatchEvent(new Event("morechange"));
}

button.addEventListener("click", () => {
  // On a small screen an open panel takes this place.
  const isCovered = isMore() && at("more").getClientRects().length === 0;
  if (isCovered) return close();
  showMore(!isMore());
  if (isMore() && at("more").getClientRects().length === 0) close();
});

// ---- The button is marked while something is on that lies behind it, out of sight.

const isOn = (address) => room.get(address, 0) !== 0;
const hidden = ["/mute", "/metronome", "/repeat/all", "/pitch", "/modulation"];

function see() {
  const on = isMore();
  button.setAttribute("aria-expanded", String(on));
  button.classList.toggle("some", !on && hidden.some(isOn));
}
for (const address of hidden) room.on(address, see);
see();
