// The panel Project: the name of the room's music, versions to return to, other projects, and files
// for export.

import { ownChoice } from "./controls.js";
import { ExportFiles } from "./export-files.js";
import { h, locale, say, shown, t, toast, w, write } from "./dom.js";
import * as lastTake from "./last-take.js";
import { parts } from "./panel.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

/// The project that the room plays.
const project = { name: "", measures: 4, version: 0, label: "" };
/// The projects that the server stores, by name.
const kept = new Map();
const versions = new Map();
let isOpen = false;

const title = h("h3");
const state = h("p.quiet");
const name = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "Name of this project", placeholder: "Name it", spellcheck: false });
const named = h("button.text", { type: "submit", textContent: "Rename" });
const exported = h("a.text.filelabel", { textContent: "Export", hidden: true });
const label = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "What is new in this version", placeholder: "What is new (or nothing)" });
const versionList = h("ul.plain");
const versionGroup = h("div.group", { hidden: true }, h("h3", { textContent: "Versions" }), versionList);
const loops = new ExportFiles((file) => room.send("/project/export", project.name, file));
const loopGroup = h("div.group", { hidden: true }, h("h3", { textContent: "Export its loops" }), loops.element,
  h("p.quiet", { textContent: "All that goes round, once, as it was saved last: it is heard without a gap when it is repeated." }));
const list = h("ul.plain", { "aria-label": "Projects" });
const none = h("p.quiet", { textContent: "No other project is saved here." });

export function make() {
  const element = h("div.stack", {}, h("div.project-now", {}, lastTake.element, now()), versionGroup, loopGroup, others(), anew(), bring());
  const takes = h("div");
  return parts(
    ["Project", element, { show: () => { isOpen = true; ask(); lastTake.show(); }, hide: () => { isOpen = false; } }],
    ["Takes", takes, { show: async () => {
      const list = await import("./takes.js");
      if (!takes.firstChild) takes.append(list.make());
      list.show();
    }, hide: () => import("./takes.js").then((list) => list.hide()) }]);
}

function ask() {
  kept.clear();
  versions.clear();
  room.send("/projects");
  if (project.name) room.send("/project/versions", project.name);
  fill();
}

room.on("/project/state", ([name, measures, version, label]) => {
  Object.assign(project, { name, measures, version, label });
  see();
  if (isOpen) ask();
});
room.on("/projects/item", ([name, measures, bpm, signature, players, count, changed, where]) => {
  kept.set(name, { name, measures, bpm, signature, players, count, changed: Number(changed), where });
  soon();
});
room.on("/projects/gone", ([name]) => { kept.delete(name); soon(); });
room.on("/project/version", ([name, number, label, saved]) => {
  if (name.toLowerCase() !== project.name.toLowerCase()) return;
  versions.set(number, { number, label, saved: Number(saved) });
  soon();
});

let later = 0;
function soon() {
  clearTimeout(later);
  later = setTimeout(fill, 40);
}

/// A moment as people write it.
function when(seconds) {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

// ---- The present project.

function now() {
  const rename = h("form.row.nowrap", { onsubmit: (event) => {
    event.preventDefault();
    if (name.value.trim() && name.value.trim() !== project.name) room.send("/project/name", name.value.trim());
    name.blur();
  } }, name, named);
  const save = h("form.row.nowrap", { onsubmit: (event) => {
    event.preventDefault();
    const text = label.value.trim();
    if (text ? room.send("/project/save", text) : room.send("/project/save")) label.value = "";
  } }, label, h("button.primary", { type: "submit", textContent: "Save", "data-action": "save-project" }));
  see();
  return h("div.group", {}, title, state, rename, save, h("div.row", {}, exported),
    h("p.quiet", { textContent: "Everything is saved while you play. Save names a version that you can come back to." }));
}

function see() {
  write(title, project.name || t("No name yet"));
  say(state, project.version && project.label ? w`Version ${project.version}, “${project.label}”` : project.version ? w`Version ${project.version}` : project.name ? "No version saved yet" : "Save gives it the room’s name, or name it first.");
  if (document.activeElement !== name) name.value = project.name;
  loopGroup.hidden = exported.hidden = !project.name;
  if (project.name) leadTo(exported, project.name);
  loops.see(`projects/${encoded(project.name)}/loops.`, project.name);
  say(named, project.name ? "Rename" : "Name it");
}

/// Encodes a text as the server does in addresses.
function encoded(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

// ---- Its versions.

function versionRow({ number, label: text, saved }) {
  return h("li.row.head", {}, h("span.who", {}, h("b", { given: text || w`Version ${number}` }), h("small.kitname", { given: `${text ? `${w`Version ${number}`} · ` : ""}${when(saved)}` })),
    h("button.text.small", { type: "button", textContent: "Go back", "aria-label": w`Go back to version ${number}`, onclick: () => room.send("/project/open", project.name, number) }));
}

// ---- The others.

const others = () => h("div.group", {}, h("h3", { textContent: "Open another" }), list, none);

/// A link's file is the project `name`.
function leadTo(link, name) {
  link.href = room.path(`projects/${encodeURIComponent(name)}`);
  link.download = `${name}.bandshell.zip`;
  link.setAttribute("aria-label", w`Export ${name}`);
  return link;
}

function projectRow(item) {
  const facts = [item.players, `${Math.round(item.bpm * 10) / 10} bpm`, item.signature, when(item.changed)].filter(Boolean).map(shown);
  const about = item.where ? w`is played in room ${shown(item.where)}` : facts.join(" · ");
  return h("li.row.head", {},
    h("span.who", {}, h("b", { given: item.name }), h("small.kitname", { given: about })),
    leadTo(h("a.text.small.filelabel", { textContent: "Export" }), item.name),
    h("button.text.small", {
      type: "button", textContent: "Open", "aria-label": w`Open ${item.name}`, "data-project": item.name,
      disabled: Boolean(item.where), onclick: () => room.send("/project/open", item.name),
    }));
}

/// Whether a project is the one that the room plays. The server takes names that differ in small and
/// large letters alone for the same.
const isOpened = ({ name }) => name.toLowerCase() === project.name.toLowerCase();

function fill() {
  const all = [...kept.values()].filter((item) => !isOpened(item)).sort((a, b) => b.changed - a.changed);
  list.replaceChildren(...all.map(projectRow));
  none.hidden = all.length > 0;
  const mine = [...versions.values()].sort((a, b) => b.number - a.number);
  versionList.replaceChildren(...mine.map(versionRow));
  versionGroup.hidden = mine.length === 0;
}

// ---- A new project.

function anew() {
  let measures = 4;
  const line = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "Name of the new project", placeholder: "Name of the new project" });
  const form = h("form.row.nowrap", { onsubmit: (event) => {
    event.preventDefault();
    const text = line.value.trim();
    if (text && room.send("/project/new", text, measures)) line.value = "";
  } }, line, h("button.text", { type: "submit", textContent: "Create" }));
  return h("div.group", {}, h("h3", { textContent: "A new one" }), form,
    ownChoice({ label: "Bars of each new loop", words: [1, 2, 4, 8, 16], value: measures, chosen: (count) => { measures = count; } }),
    h("p.quiet", { textContent: "For everybody in the room. What is played now is saved, and each player’s Undo brings back its own." }));
}

// ---- A project file from another server.

function bring() {
  const file = h("input", { type: "file", accept: ".zip", hidden: true, onchange: () => { if (file.files[0]) take(file.files[0]); file.value = ""; } });
  return h("div.group", {}, h("h3", { textContent: "From another server" }),
    h("label.text.filelabel", {}, "Import a project", file));
}

async function take(file) {
  const wanted = file.name.replace(/(\.bandshell)?\.zip$/i, "").slice(0, limits.name);
  toast(w`${wanted} is on its way …`, 60);
  try {
    // A closed door wants to know who brings it.
    const who = { player: room.player, token: room.token ?? "" };
    const where = room.path(`projects/${encodeURIComponent(wanted)}`, who);
    const headers = { "Content-Type": "application/zip" };
    const answer = await fetch(where, { method: "PUT", headers, body: file });
    if (!answer.ok) return toast(await (await import("./words.js")).reasonOf(answer), 10);
    toast(w`${wanted} is saved here now: open it.`);
    ask();
  } catch {
    toast("That did not get through. Is the server there?", 8);
  }
}
