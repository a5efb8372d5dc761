// Previews: sounds that a player hears alone before choosing them.

import { toast } from "./dom.js";
import * as listen from "./listen.js";
import { room } from "./room.js";

/// Plays a sound to this player alone, by a cue. First this device's stream must carry the cue.
/// - Parameter message: the OSC message that asks for the sound, such as `/sample/preview` and the
///   sound's id.
export async function preview(...message) {
  if (!listen.hears()) {
    toast("Turn the sound on first: it is heard on this device alone.");
    return false;
  }
  return (await listen.preview()) && room.send(...message);
}
