// Which texts stand in the files of the page.

import { keyOf, standing, tokensOf } from "./script-texts.mjs";

/// Units, and names of programs and formats: the same everywhere.
const NAMES = /\b(?:dB|ms|s|Hz|kHz|bpm|MB|LUFS|WAV|FLAC|Opus|MIDI|DAWproject|Reaper|Bandshell)\b/g;
const hasWords = (text) => /\p{L}{2}|^\p{L}\p{L}?\s/u.test(text.replace(/\{\d+\}/g, " ").replace(NAMES, ""));

/// What looks like a text of the page wherever it stands: a sentence, or a word with a large
/// letter.
const looksRead = (text) => /\p{L}{2,} \p{L}/u.test(text) || /^[A-Z“][a-z]/.test(text);
/// What is no text though it looks so: addresses, drawings, names of keys.
const isNoText = (text) => /^[/#.]|^(?:Key|Digit|Arrow|Page)[A-Z{]|^M\d|^[A-G]b$/.test(text);

/// Functions whose arguments nobody reads.
const UNREAD_CALLS = new Set([
  "on", "tell", "send", "get", "set", "want", "h", "at", "action", "import", "Event", "Error", "RangeError", "RegExp", "recall", "remember", "recallHere",
  "rememberHere", "querySelector", "querySelectorAll", "matches", "closest", "addEventListener", "removeAttribute", "getAttribute", "setAttribute",
  "setProperty", "matchMedia", "startsWith", "endsWith", "includes",
]);
/// Words that the scripts have among themselves; and what is written the same everywhere.
const OWN = {
  "block-carry.js": ["let be", "take off"], "block-gesture.js": ["take off"], "lane-keys.js": ["let be", "take off"], "lane-drag.js": ["take off", "block ghost"],
  "dialler.js": ["keep the mix", "listen from afar"], "listener.js": ["keep the mix", "listen from afar"], "kit-key.js": ["by hand"],
  "silence.js": ["not solo", "made a listener", "muted by a host", "heard again"], "notes.js": ["Semicolon", "Quote"], "help.js": ["Ctrl", "Esc"],
  "keyboard.js": ["Enter", "Space"], "pads.js": ["Enter", "Space"], "strip.js": ["Home", "Backspace", "Escape"], "people.js": ["Bearer {1}"],
  "loop-editor.js": ["loop notes"], "loop-strip.js": ["count in"], "note-grid.js": ["600 12px system-ui, sans-serif"],
  "language.js": ["English", "Deutsch", "Dansk", "Español", "日本語"],
};
/// Scripts whose large letters are names: of birds.
const OF_NAMES = new Set(["room.js"]);

/// The texts of a script, as { text, line, isRead }, to `found`; and what is wrong, to `fault`.
/// `isRead` is false where it may be a text, and may be something else.
export function textsOfScript(name, source, found, fault) {
  standing(tokensOf(source), (token, { at, call }) => {
    const text = token.kind === "template" ? keyOf(token.parts) : token.text;
    if (token.tag !== "") return hasWords(text) && found({ text, line: token.line, isRead: true });
    if (!hasWords(text) || isNoText(text) || OWN[name]?.includes(text)) return;
    const where = `${name}:${token.line}: “${text}”`;
    if (token.kind === "template") {
      if (at === "read" || at === "raw") fault(`${where} has values in it: w\`…\` looks it up`);
      else if (looksRead(text) && !UNREAD_CALLS.has(call) && !OF_NAMES.has(name)) fault(`${where} looks like a text: w\`…\` looks it up`);
    } else if (at === "raw") {
      fault(`${where} goes to the page as it is: t(…) looks it up`);
    } else {
      const isRead = at === "read" || (at === "elsewhere" && looksRead(text) && !UNREAD_CALLS.has(call) && !OF_NAMES.has(name));
      found({ text, line: token.line, isRead });
    }
  });
}

const unescaped = (text) => text.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');

/// The texts of the page's document.
export function textsOfDocument(source, found) {
  const body = source.slice(source.indexOf("<body"));
  for (const { 1: inside, 2: fact, index } of body.matchAll(/>([^<>]+)<|\s(?:title|aria-label|placeholder|alt)="([^"]+)"/g)) {
    const text = unescaped(inside ?? fact);
    if (hasWords(text)) found({ text, line: source.slice(0, source.indexOf("<body") + index).split("\n").length, isRead: true });
  }
}

/// The texts that a style sheet shows: `content: var(--sign-hold, " Hold")`.
export function textsOfStyle(source, found) {
  for (const { 1: text, index } of source.matchAll(/content: (?:var\(--[a-z-]+, )?"([^"]*\p{L}{2}[^"]*)"/gu)) {
    found({ text: text.trim(), line: source.slice(0, index).split("\n").length, isRead: true });
  }
}
