// Small helpers to make elements. Text goes in as text, never as markup, and in the page's
// language: `h`, `say` and `toast` look each text up. Names that people gave go in by `given` and
// `write`, which look nothing up.

import { t } from "./language.js";

export { language, languages, locale, named, pieces, t, w } from "./language.js";

/// The properties and attributes whose text people read.
const READ = new Set(["textContent", "title", "placeholder", "label", "aria-label"]);

/// Makes an element. `facts` are properties, `data-…`, `aria-…` and `role` attributes, `on…`
/// listeners, and `given`: text that is not looked up in the page's language.
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

/// Loads a style sheet of the page. Await the result before showing anything that needs the sheet.
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

/// Makes `elements` the children of `parent`. A child that is in its place already is not moved, so
/// it keeps the focus, and the finger that holds it.
export function arrange(parent, elements) {
  for (const child of [...parent.children]) if (!elements.includes(child)) child.remove();
  for (const [index, element] of elements.entries()) {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  }
}

export const at = (id) => document.getElementById(id);

/// Whether typed letters go into this element.
export const typesText = (element) => element?.closest?.("textarea, select, [contenteditable], input:not([type=range]):not([type=checkbox]):not([type=radio])");

/// Shows a text of the page's own, in the page's language.
export const say = (element, text) => write(element, t(text));

/// Sets a text as it is, and only if it differs: unchanged text costs nothing.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/// A player's name as people read it. Names stand in OSC addresses, so they have `_` for spaces.
export const shown = (name) => name.replaceAll("_", " ").replaceAll("  ", " \u00a0");

/// Scrolls to an element and marks it for a moment, to show where something landed.
export function show(element) {
  element.scrollIntoView({ block: "center", inline: "nearest" });
  element.classList.add("landed");
  setTimeout(() => element.classList.remove("landed"), 2500);
}

let toastTimer = 0;
/// `toasted` is the message on the screen. `setAside` is a message with buttons that one without
/// buttons replaced: it comes back for the rest of its time, for at least 2 seconds.
let toasted = { text: "", actions: [], until: 0 };
let setAside = null;

/// Whether a message is on the screen.
export const isToasting = () => at("toast").classList.contains("shown");

/// Shows a message that goes away by itself, or by its ×. `actions`, [[name, act], …], are the
/// buttons behind it.
export function toast(text, seconds = 4, actions = []) {
  const line = at("toast");
  const left = (toasted.until - performance.now()) / 1000;
  const isSame = isToasting() && toasted.text === text && actions.length + toasted.actions.length === 0;
  if (actions.length) setAside = null;
  else if (left > 0 && toasted.actions.length && isToasting()) setAside = { text: toasted.text, seconds: Math.max(2, left), actions: toasted.actions };
  toasted = { text, actions, until: performance.now() + seconds * 1000 };
  // The same message once more only stays longer: a screen reader need not read it again.
  if (!isSame) lay(line, text, actions);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hideToast, seconds * 1000);
}

function lay(line, text, actions) {
  const close = h("button.toast-close", { type: "button", "aria-label": "Close", onclick: () => {
    setAside = null;
    hideToast();
  } }, icon("close"));
  // A tap on a message that is cut shows all of it.
  const words = h("span.toast-text", { textContent: text, onclick: () => line.classList.add("whole") });
  const buttons = actions.map(([name, act]) => h("button", { type: "button", textContent: name, onclick: () => {
    hideToast();
    act();
  } }));
  line.replaceChildren(words, ...buttons, close);
  line.classList.remove("whole");
  line.classList.add("shown");
  takePlace(line);
}

function hideToast() {
  const line = at("toast");
  clearTimeout(toastTimer);
  line.classList.remove("shown");
  givePlace(line);
  // A button that cannot be seen must not be pressed, by a key for example.
  for (const button of line.querySelectorAll("button")) button.remove();
  const before = setAside;
  setAside = null;
  if (before) toast(before.text, before.seconds, before.actions);
}

/// Takes a message away that is no longer true.
export function untoast(text) {
  if (setAside?.text === text) setAside = null;
  if (isToasting() && toasted.text === text) hideToast();
}

// ---- The place of messages and hints, between the strip of loops and the pads. A low page has no
// height for it: there they take the place of the strip, which is hidden meanwhile.

const saying = new Set();
/// More and panels change the strip's height while something is said in its place.
let watching = null;

/// Gives a message or a hint its place.
export function takePlace(said) {
  saying.add(said);
  // The page of a take has no strip.
  const strip = at("loopview");
  if (!watching && strip) {
    watching = new ResizeObserver(place);
    watching.observe(strip);
  }
  place();
}

export function givePlace(said) {
  saying.delete(said);
  place();
}

/// Lays messages and hints where their place is now. Call it after what moves that place.
export function place() {
  const holder = document.querySelector(".said");
  if (!holder) return;
  holder.classList.remove("low");
  const isLow = saying.size > 0 && holder.clientHeight === 0;
  document.body.toggleAttribute("data-said", isLow);
  if (!isLow) return;
  holder.classList.add("low");
  const strip = at("loopview").getBoundingClientRect();
  // The lowest of all pages has no strip while Keys is open.
  const box = strip.width ? strip : document.querySelector(".top").getBoundingClientRect();
  for (const side of ["left", "top", "width", "height"]) holder.style.setProperty(`--${side}`, `${box[side]}px`);
}
addEventListener("resize", place);

/// Keeps a canvas as large as its box, in device pixels. `sized(width, height, ratio)` is called
/// with each new size.
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

/// A colour of the page's style sheet, as text for a canvas.
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
