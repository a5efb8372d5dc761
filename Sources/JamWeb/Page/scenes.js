// The room's scenes: everything that plays together. Anybody can keep and launch one.

import { shown, toast, w } from "./dom.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

export const sceneCount = limits.scenes;

export const scenes = {
  isKept: (number) => room.get(`/scene/${number}/plays`, "") !== "",
  /// The scene that was launched last, and the scene that waits for its bar line; 0 is none.
  get launched() { return room.get("/scene/launched", 0); },
  get waiting() { return room.get("/scene/waiting", 0); },
  /// The first free number for another scene; 0 is none.
  get firstFree() {
    for (let number = 1; number <= sceneCount; number += 1) if (!this.isKept(number)) return number;
    return 0;
  },
};

export const nameOf = (number) => shown(room.get(`/scene/${number}/name`, "") || String(number));
export const launchScene = (number) => room.send(`/scene/${number}`);

/// Makes the scene from everything that plays now.
export function keepScene(number) {
  const before = room.get(`/scene/${number}/plays`, "");
  if (!room.send(`/scene/${number}/keep`)) return;
  const scope = new AbortController();
  setTimeout(() => scope.abort(), 3000);
  // `room.on` calls at once with the value that is known. The answer is the value that comes later.
  let isLater = false;
  room.on(`/scene/${number}/plays`, ([text]) => {
    if (!isLater || !text) return;
    scope.abort();
    // Undo sets the scene's own address, because the last edit may be another one by now. If
    // nothing has changed, there is nothing to undo.
    const undo = text === before ? [] : [["Undo", () => room.set(`/scene/${number}/plays`, before)]];
    toast(before ? w`Scene ${nameOf(number)} is what plays now.` : w`Kept as scene ${nameOf(number)}: tap it to play this again.`, 5, undo);
  }, scope.signal);
  isLater = true;
}

/// Removes a scene.
export function forgetScene(number) {
  room.setTogether(["plays", "name"].map((what) => [`/scene/${number}/${what}`, ""]));
}
