// Loads the code for sampling when there is an empty pad, when the button Sample is touched, and
// when a file is dragged over the page.

import { room } from "./room.js";

const sampler = () => import("./pad-sampler.js");

room.on("/pad/*", ([name], address) => name === "" && address.endsWith("/name") && sampler());

const button = document.querySelector('[data-action="sample"]');
let isDown = false;
button?.addEventListener("pointerdown", async (event) => {
  if (event.button) return;
  isDown = true;
  const { press } = await sampler();
  if (isDown) press();
});
for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
  button?.addEventListener(name, async () => {
    if (!isDown) return;
    isDown = false;
    (await sampler()).letGo();
  });
}
button?.addEventListener("click", async () => (await sampler()).tap());
// A long touch would open the browser's menu.
button?.addEventListener("contextmenu", (event) => event.preventDefault());

addEventListener("dragenter", () => import("./pad-drop.js"), { once: true });
