// What one hears alone, before it is chosen.

import { toast } from "./dom.js";
import * as listen from "./listen.js";
import { room } from "./room.js";

/// Only this player hears it, on the cue: this device's stream changes over to it first.
/// - Parameter message: what asks for it, as `/sample/preview` and the sound.
export async function preview(...message) {
  if (!listen.hears()) {
    toast("Turn the sound on first: it is heard on this device alone.");
    return false;
  }
  return (await listen.preview()) && room.send(...message);
}
