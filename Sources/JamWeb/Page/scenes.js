// The room's scenes: what plays together, kept and launched by anybody.

import { shown, toast, w } from "./dom.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

export const sceneCount = limits.scenes;

export const scenes = {
  isKept: (number) => room.get(`/scene/${number}/plays`, "") !== "",
  /// The scene that was launched last, and the one that waits for its bar line; 0 is none.
  get launched() { return room.get("/scene/launched", 0); },
  get waiting() { return room.get("/scene/waiting", 0); },
  /// The first place for another one; 0 is none.
  get firstFree() {
    for (let number = 1; number <= sceneCount; number += 1) if (!this.isKept(number)) return number;
    return 0;
  },
};

export const nameOf = (number) => shown(room.get(`/scene/${number}/name`, "") || String(number));
export const launchScene = (number) => room.send(`/scene/${number}`);

/// What plays now becomes the scene.
export function keepScene(number) {
  const before = room.get(`/scene/${number}/plays`, "");
  if (!room.send(`/scene/${number}/keep`)) return;
  const scope = new AbortController();
  setTimeout(() => scope.abort(), 3000);
  // Known values are told at once: the answer is the one that comes later.
  let isLater = false;
  room.on(`/scene/${number}/plays`, ([text]) => {
    if (!isLater || !text) return;
    scope.abort();
    // By its own address: another edit may have come between.
    // Where nothing changed there is nothing to take back.
    const undo = text === before ? [] : [["Undo", () => room.set(`/scene/${number}/plays`, before)]];
    toast(before ? w`Scene ${nameOf(number)} is what plays now.` : w`Kept as scene ${nameOf(number)}: tap it to play this again.`, 5, undo);
  }, scope.signal);
  isLater = true;
}

/// It is no scene any more.
export function forgetScene(number) {
  room.setTogether(["plays", "name"].map((what) => [`/scene/${number}/${what}`, ""]));
}
