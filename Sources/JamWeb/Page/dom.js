// Small helpers to make elements. Text goes in as text, never as markup, and in the page's
// language: `h`, `say` and `toast` look each text up. Names that people gave go in by `given` and
// `write`, which look nothing up.

import { t } from "./language.js";

export { language, languages, locale, named, pieces, t, w } from "./language.js";

/// The properties and attributes that people read.
const READ = new Set(["textContent", "title", "placeholder", "label", "aria-label"]);

/// An element; `facts` are properties, `data-…`, `aria-…` and `role` attributes, `on…` listeners,
/// and `given`: text that is not ours.
export function h(name, facts = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, fact] of Object.entries(facts)) {
    if (fact === undefined || fact === null) continue;
    const value = READ.has(key) ? t(fact) : fact;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "given") element.textContent = value;
    else if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  const seen = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...seen.map((child) => (typeof child === "string" ? t(child) : child)));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

const styles = new Map();

/// Fetches a style sheet of the page's: what needs it is not seen before it is there.
export function style(name) {
  if (!styles.has(name)) styles.set(name, new Promise((go) => {
    document.head.append(h("link", { rel: "stylesheet", href: `/${name}.css`, onload: go, onerror: go }));
  }));
  return styles.get(name);
}

/// A drawing of the page's sprite.
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/// Changes which drawing an icon shows.
export function redraw(holder, name) {
  const use = holder.querySelector("use");
  if (use.getAttribute("href") !== `#i-${name}`) use.setAttribute("href", `#i-${name}`);
}

/// Makes `elements` the children. What is in its place is not moved: it keeps the focus, and the finger that holds it.
export function arrange(parent, elements) {
  for (const child of [...parent.children]) if (!elements.includes(child)) child.remove();
  for (const [index, element] of elements.entries()) {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  }
}

export const at = (id) => document.getElementById(id);

/// Whether letters are meant for this element.
export const typesText = (element) => element?.closest?.("textarea, select, [contenteditable], input:not([type=range]):not([type=checkbox]):not([type=radio])");

/// Says a text of ours.
export const say = (element, text) => write(element, t(text));

/// Sets a text as it is, where it changes: unchanged text costs nothing.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/// A player's name as people read it: names stand in addresses, and have `_` for spaces.
export const shown = (name) => name.replaceAll("_", " ").replaceAll("  ", " \u00a0");

/// Shows where something landed.
export function show(element) {
  element.scrollIntoView({ block: "center", inline: "nearest" });
  element.classList.add("landed");
  setTimeout(() => element.classList.remove("landed"), 2500);
}

let toastTimer = 0;
/// The line that is shown, and one with buttons that a line without any took the place of: it comes back for what time it had left.
let toasted = { text: "", actions: [], until: 0 };
let setAside = null;

/// Whether a line is shown just now.
export const isToasting = () => at("toast").classList.contains("shown");

/// A line that goes away by itself. `actions`, [[name, act], …], are buttons behind it.
export function toast(text, seconds = 4, actions = []) {
  const line = at("toast");
  const left = (toasted.until - performance.now()) / 1000;
  if (actions.length) setAside = null;
  else if (left > 0 && toasted.actions.length && isToasting()) setAside = { text: toasted.text, seconds: Math.max(2, left), actions: toasted.actions };
  toasted = { text, actions, until: performance.now() + seconds * 1000 };
  line.replaceChildren(t(text), ...actions.map(([name, act]) => h("button", { type: "button", textContent: name, onclick: () => {
    hideToast();
    act();
  } })));
  line.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hideToast, seconds * 1000);
}

function hideToast() {
  const line = at("toast");
  line.classList.remove("shown");
  // What is not seen cannot be pressed.
  for (const button of line.querySelectorAll("button")) button.remove();
  const before = setAside;
  setAside = null;
  if (before) toast(before.text, before.seconds, before.actions);
}

/// Takes a message away that is not true any more.
export function untoast(text) {
  if (!isToasting() || toasted.text !== text) return;
  clearTimeout(toastTimer);
  hideToast();
}

/// A pixel-sharp canvas as large as its box; `sized()` tells each new size.
export function fitCanvas(canvas, sized) {
  const fit = () => {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width === width && canvas.height === height) return;
    canvas.width = width;
    canvas.height = height;
    sized?.(width, height, ratio);
  };
  new ResizeObserver(fit).observe(canvas);
  fit();
}

/// A colour of the page's, as the canvas wants it.
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
