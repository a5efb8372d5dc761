// The row for the thumb: a build-up as the last one was, and the room's scenes.

import { start as startBuildUp, target } from "./build-wish.js";
import { at, h, icon, say, t, w, write } from "./dom.js";
import { onHold } from "./hold.js";
import { open } from "./panel.js";
import { room } from "./room.js";
import { keepScene, launchScene, nameOf, sceneCount, scenes } from "./scenes.js";

const labelled = (name, drawing, label) => h("button", { type: "button", "data-action": name }, icon(drawing), label);

// ---- BUILD: one tap starts it, the next one drops.

const buildText = h("span", { textContent: "Build" });
const build = labelled("build", "buildup", buildText);
const isBuilding = () => room.get("/buildup/state", "none") !== "none";
onHold(build, {
  tap: () => (isBuilding() ? room.send("/buildup/drop") : startBuildUp()),
  hold: () => open("buildup"),
});
function seeBuild() {
  const on = isBuilding();
  build.classList.toggle("on", on);
  say(buildText, on ? "Drop" : "Build");
  const text = on ? t("Drop on the next bar") : w`Build up to ${target()} bpm from the next bar on. Hold: the build-up’s settings.`;
  build.setAttribute("aria-label", text);
  build.title = text;
}
for (const address of ["/buildup/state", "/tempo"]) room.on(address, seeBuild);
seeBuild();

// ---- Scenes.

const sceneRow = h("div.scenes", { role: "group", "aria-label": "Scenes" });
const sceneButtons = Array.from({ length: sceneCount }, (_, index) => sceneButton(index + 1));
sceneRow.append(...sceneButtons);

function sceneButton(number) {
  const button = h("button.scene", { type: "button", "data-scene": number });
  onHold(button, { tap: () => (scenes.isKept(number) ? launchScene(number) : keepScene(number)), hold: () => keepScene(number) });
  return button;
}

function seeScenes() {
  const free = scenes.firstFree;
  for (const [index, button] of sceneButtons.entries()) {
    const number = index + 1;
    const isKept = scenes.isKept(number);
    button.hidden = !isKept && number !== free;
    write(button, isKept ? nameOf(number) : "+");
    const text = isKept ? w`Scene ${nameOf(number)}: from the next bar on. Hold: keep what plays now instead.` : w`Keep what plays now as scene ${number}`;
    button.setAttribute("aria-label", text);
    button.title = text;
    button.setAttribute("aria-pressed", String(isKept && scenes.launched === number));
    button.classList.toggle("waiting", scenes.waiting === number);
    button.classList.toggle("free", !isKept);
  }
}
room.on("/scene/*", seeScenes);
seeScenes();

at("perform").append(build, sceneRow);
