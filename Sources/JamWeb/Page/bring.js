// Exports kits and blocks as files, and imports them.

import { h, toast, w } from "./dom.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { reasonOf } from "./words.js";

/// A link that downloads a kit or a block.
export function fileOf({ kind, id, name }) {
  const path = id.split("/").map(encodeURIComponent).join("/");
  // A player's own blocks need that player's token.
  const href = kind === "kit" ? room.path(`kits/${path}`) : room.path(`blocks/${path}`, { player: room.player, token: room.token ?? "" });
  return h("a.text.small.filelabel", { href, download: `${name}.${kind}.zip`, textContent: "Export", "aria-label": w`Export ${name}` });
}

/// A field for a file. The file's name tells a block from a kit.
export function bringFile() {
  const file = h("input", { type: "file", accept: ".zip", hidden: true, onchange: () => { if (file.files[0]) take(file.files[0]); file.value = ""; } });
  return h("label.text.filelabel", {}, "Import a kit or a pattern", file);
}

/// Imports the file of a kit or of a block.
export async function take(file) {
  const isBlock = /\.block\.zip$/i.test(file.name);
  const name = file.name.replace(/(\.block|\.kit)?\.zip$/i, "");
  const id = isBlock ? [...name].slice(0, limits.name).join("") : idOf(name);
  // A closed door wants to know who brings it.
  const place = isBlock ? `blocks/${encodeURIComponent(id)}` : `kits/${id}`;
  const where = room.path(place, { player: room.player, token: room.token ?? "" });
  try {
    const answer = await fetch(where, { method: "PUT", headers: { "Content-Type": "application/zip" }, body: file });
    toast(answer.ok ? (isBlock ? w`${id} is saved among the patterns.` : w`${name} is saved, for everybody to choose.`) : await reasonOf(answer), 6);
  } catch {
    toast("That did not get through. Is the server there?");
  }
}

/// A kit's id has only small letters, digits and hyphens.
const idOf = (name) => name.normalize("NFD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 32) || "kit";
