// Files that are dragged onto the page: a pad takes the sound that is dropped on it. Kits and
// patterns are imported, wherever they are dropped.

import { MOST, channelsOf, decoded, putOnPad, titleOf } from "./bring-sound.js";
import { choosePad } from "./chosen.js";
import { style, t, toast, w } from "./dom.js";
import { open } from "./panel.js";
import { pads } from "./pads.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { soundingPart } from "./sample-shape.js";
import { part } from "./wav.js";

style("sampler");

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
const isKitFile = (file) => /\.zip$/i.test(file.name);

/// The pad under a pointer; undefined beside the pads.
const padAt = (event) => pads[Number(event.target.closest?.(".pad")?.dataset.pad) - 1];

let marked = null;
function mark(pad) {
  if (marked === pad) return;
  marked?.element.classList.remove("target");
  marked = pad ?? null;
  marked?.element.classList.add("target");
}

// A file that is dropped beside a pad must not open in place of the page: the player would be out.
addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  mark(padAt(event));
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(null); });
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  mark(null);
  // A part of the page that takes files itself has taken them by now.
  if (event.defaultPrevented) return;
  event.preventDefault();
  const pad = padAt(event);
  const all = [...event.dataTransfer.files];
  const files = all.filter((file) => !isKitFile(file));
  all.filter(isKitFile).forEach(importKit);
  if (!files.length) return;
  if (pad) bring(pad, files);
  else toast("Drop it on a pad: the sound plays there.", 6);
});

const importKit = async (file) => (await import("./bring.js")).take(file);

/// Puts the first file on the pad, and each further one on the next empty pad.
async function bring(first, files) {
  if (!room.isConnected) return room.tell("unsent", []);
  const empty = pads.filter((pad) => pad.isEmpty && pad !== first && !pad.element.hidden);
  const [file, ...more] = files;
  await take(first, file);
  for (const [index, other] of more.entries()) {
    const left = more.length - index;
    if (!empty[index]) return toast(w`${left} more have no empty pad. Drop them one by one.`, 8);
    await take(empty[index], other);
  }
}

async function take(pad, file) {
  const was = room.get(pad.address("/name"), "");
  const title = titleOf(file);
  toast(w`Reading ${title} …`, 20);
  const [sound, problem] = await decoded(file, title);
  if (problem) return toast(problem, 8);
  const channels = channelsOf(sound);
  const sounding = soundingPart(channels, sound.sampleRate);
  if (!sounding) return toast(w`${title} is silent.`, 8);
  if (sounding.to - sounding.from > MOST * sound.sampleRate) {
    return toast(w`${title} is longer than a minute. Choose which part the pad gets.`, 12,
      [["Choose", () => choosePart(pad, file)]]);
  }
  const name = [...title].slice(0, limits.name).join("");
  const rate = sound.sampleRate;
  const cut = channels.map((channel) => part(channel, sounding.from, sounding.to, rate));
  try {
    await putOnPad({ name, pad: pad.number, channels: cut, rate });
    choosePad(pad.number);
    const next = was ? w`Undo brings ${was} back.` : t("Everybody can choose it.");
    toast(`${w`It is on pad ${pad.number}.`} ${next}`);
  } catch (failure) {
    toast(failure.message, 8);
  }
}

/// The panel Recordings cuts long sounds.
async function choosePart(pad, file) {
  choosePad(pad.number);
  await open("kits", { file });
}
