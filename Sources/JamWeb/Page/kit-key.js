// The key of a kit's sounds.

import { h, t } from "./dom.js";
import { kitFacts } from "./people.js";
import { room } from "./room.js";

const NOTES = ["C", "C#/Db", "D", "D#/Eb", "E", "F", "F#/Gb", "G", "G#/Ab", "A", "A#/Bb", "B"];
const RECORDED = "";
const FOLLOW = "room";
const BY_HAND = "by hand";

/// A chooser of the key of the player's pads. It is visible while the kit has sounds that tell
/// their key. One choice is one edit, which Undo takes back.
export function keyChooser() {
  const byHand = new Option(t("Set by hand"), BY_HAND);
  byHand.disabled = byHand.hidden = true;
  const select = h("select", { "aria-label": "Key", onchange: () => room.send("/kit/tune", select.value) },
    new Option(t("As recorded"), RECORDED), new Option(t("Follow the room’s key"), FOLLOW), ...NOTES.map((name) => new Option(name, name.split("/")[0])), byHand);
  const element = h("label.row", { hidden: true }, h("span", { textContent: "Key" }), select);
  let asked = 0;
  let soon = 0;
  async function see() {
    const turn = ++asked;
    const id = room.get("/kit");
    const said = (await kitFacts()).get(id) ?? (id ? (await kitFacts(true)).get(id) : null);
    if (turn !== asked) return;
    // A pad may play a sound of another kit; this kit does not know the key of that sound.
    const pads = (said?.keys ?? []).filter(({ pad }) => (room.get(`/pad/${pad}/sample`) ?? `${id}/${pad}`) === `${id}/${pad}`);
    element.hidden = pads.length === 0;
    select.value = room.get("/kit/follow") ? FOLLOW : heard(pads);
  }
  const seeSoon = () => { clearTimeout(soon); soon = setTimeout(see, 30); };
  room.on("/kit", see);
  room.on("/kit/follow", seeSoon);
  room.on("/pad/*", (_, address) => { if (/\/(transpose|sample)$/.test(address)) seeSoon(); });
  see();
  return element;
}

/// The key that the pads' transpositions result in, if all pads have the same.
function heard(pads) {
  const shifts = pads.map(({ pad, transpose }) => room.get(`/pad/${pad}/transpose`, transpose) - transpose);
  if (shifts.every((shift) => shift === 0)) return RECORDED;
  const notes = new Set(pads.map(({ note }, index) => (((note + shifts[index]) % 12) + 12) % 12));
  const [note] = notes;
  return notes.size === 1 && Number.isInteger(note) ? NOTES[note].split("/")[0] : BY_HAND;
}
