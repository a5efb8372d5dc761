// The texts of the server's refusals. The server's own texts are in the protocol's words; where
// they name addresses or options, which nobody types here, the page has its own text, by the
// refusal's code.

import { language, named, t, w } from "./language.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

const PASSWORD = "This room has a password.";
const UNDONE = "There is nothing to undo: you have changed nothing, or taken it all back.";
const REDONE = "There is nothing to redo.";
const CHANGED_SINCE = "It stays as it is: somebody else has changed it since, or it is not yours to set any more.";
const UNHEARD = "Turn the sound on first: it is heard on this device alone.";
const NO_LOOP = "Your loop is empty: play, then Catch.";
const NO_SOUND = "That sound is not here any more.";
const NO_BLOCK = "That pattern is not here any more.";
const NO_PLACE = "That hit could not be placed where you heard it, and did not sound.";
const NOT_KEPT = "Nothing is saved here beyond the server’s end; what it said at its start tells why.";
const UNPROVEN = "The server does not know this connection yet. Reload the page, then try again.";
const CROWD = "Too many play from where you are. One of them has to leave first.";
const FAULT = "That did not work.";

/// The page's own texts, by the refusal's code.
const SAYINGS = {
  "host-only": "Only a host may do that. The host word makes you one, under Room, People.",
  "not-host": "You are no host. The host word makes you one, under Room, People.",
  "own-channel": "Only a host may change that for somebody else.",
  "other-player": "Only a host may do that for somebody else.",
  "listener": "You are here to listen. Under Room, People, you choose to play.",
  "made-listener": "A host made you a listener. A host can make you a player again.",
  "at-the-door": "You play for yourself until a host lets you in.",
  "unheard-at-door": "Turn the sound on first: until a host lets you in, you play for yourself alone.",
  "seat-empty": "Nobody sits there.",
  "nothing-to-take-back": "That player has left nothing that could be taken back.",
  "wrong-host-word": "That is not the host word. The server printed it when it started.",
  "too-many-guesses": "Too many wrong words came from here. Wait a few seconds, then try again.",
  "wrong-token": "The server does not know you any more. Reload the page, then try again.",
  "host-unproven": UNPROVEN,
  "address-unproven": UNPROVEN,
  "other-player-unproven": UNPROVEN,
  "host-needs-name": "Choose a name first.",

  "password-needed": PASSWORD,
  "wrong-password": PASSWORD,
  "not-in-room": "You are not in this room. Reload the page to come in.",
  "address-full": CROWD,
  "unproven-address-full": CROWD,
  "unproven-full": CROWD,
  "guests-full": CROWD,
  "kept-out": "A host has put you out of this room. Wait some minutes, or ask a host to let you in.",
  "name-kept-out": "A host has put that name out of this room. Choose another name.",
  "put-out": "A host has put you out of this room.",
  "bad-name": w`That is no name: use 1 to ${limits.name} characters, and no slashes.`,
  "bad-room-name": "That is no name for a room.",
  "no-such-room": "There is no such room here.",
  "too-many-subscriptions": "Too many programs of this device are connected already. End one of them first.",
  "too-many-watchers": "Too many watch this already. A host always may.",
  "own-port": "That port is the server's own. Name the port at which your controller receives.",
  "too-many-unproven-subscriptions": CROWD,
  "unknown-controller": "That controller is not there any more.",
  "controller-taken": "That controller shows somebody else’s lights.",
  "connections-full": "The server has no place for another connection. Try again in a while.",
  "no-speakers": "This room is heard on no loudspeakers of the server.",

  "heard-while-live": NO_PLACE,
  "heard-in-future": NO_PLACE,
  "heard-too-long-ago": NO_PLACE,
  "heard-before-joining": NO_PLACE,
  "timetag-too-far-ahead": NO_PLACE,
  "out-of-order": "That came too late to count.",

  "clock-while-voting": "The room votes on its tempo: no clock leads it now.",
  "no-vote": "The room does not vote on its tempo.",
  "no-build-up": "There is no build-up.",
  "transport-stands": "The beat stands still: press Play for everybody first.",

  "pad-empty": "That pad is empty. Sounds for it are under Kits.",
  "nothing-to-browse": "That pad is empty. Sounds for it are under Kits.",
  "no-such-instrument": "That instrument is not here.",
  "not-of-samples": "Recorded sounds have no such setting.",
  "no-progression": "There are no chords to play yet: choose some, or type them.",
  "no-such-chord": "That chord is not there any more.",
  "no-such-progression": "Those chords are not here any more.",
  "progression-name-taken": "There are chords of that name already. Choose another.",
  "progression-name-is-chords": "That name is chords itself. Choose another.",
  "progression-of-other": "Somebody else saved those chords: only they or a host remove them.",
  "progressions-full": "The room has as many chords as it can keep. Remove some first.",
  "scene-empty": "That scene is empty.",
  "no-lane-for-groove": "There are too few empty lanes for a groove: clear some under Loops, Patterns.",
  "no-groove-part": "That part of the groove is not here any more.",
  "nothing-for-scene": "Nobody plays a loop or a pattern: there is nothing to keep as a scene.",
  "bad-scene": "That is no scene that can be read.",
  "no-such-kit": "That kit is not here any more.",
  "no-kit-at-index": "That kit is not here any more.",
  "no-key-in-kit": "No sound on your pads says its key: drums have none.",
  "kit-was-deleted": "A host has removed that kit.",
  "kits-not-kept": NOT_KEPT,
  "kit-being-saved": "Your last kit is still being saved. Wait a moment.",
  "no-such-sound": NO_SOUND,
  "not-brought-along": NO_SOUND,
  "sound-not-listed": NO_SOUND,
  "nothing-brought-along": "There are no own sounds yet.",
  "already-recording": "Somebody records already. Wait until it has ended.",
  "nobody-records": "Nobody records.",
  "no-input": "This server has no input to record from.",
  "cue-unheard": UNHEARD,
  "click-unheard": UNHEARD,

  "loop-empty": NO_LOOP,
  "nothing-sounds": NO_LOOP,
  "no-such-layer": "That layer is gone.",
  "no-such-layer-of": "That layer is gone.",
  "own-layer": "That layer is yours already.",
  "not-borrowed": "That layer is not borrowed: there is nothing to give back.",
  "overdub-ended": "The overdub has ended: your loop is full. Remove a layer first.",
  "loop-length-fixed": "Your loop keeps its length as long as it has layers. Clear it first.",
  "no-such-note": "That note is gone.",
  "note-past-end": "That is past the end of the loop.",
  "layer-full": "That layer is full. Remove some notes first.",
  "step-past-end": "That step is past the end: give the pad more steps.",
  "bad-step-count": "A pad cannot have so many steps.",
  "nothing-to-catch": "There is nothing to catch yet. Play something first.",
  "catch-while-recording": "A recording is under way: it takes down what you play.",

  "no-such-block": NO_BLOCK,
  "no-such-block-of": NO_BLOCK,
  "block-not-shared": NO_BLOCK,
  "block-name-taken": "You have a pattern of that name already. Choose another name.",
  "blocks-full": "The room has as many patterns as it can keep. Remove one first.",
  "all-blocks-full": "The room has as many patterns as it can keep. Remove one first.",
  "ready-made-block": "That pattern is ready-made. Copy makes one of your own.",
  "block-of-other": "That pattern is somebody else’s. Copy makes one of your own.",
  "block-not-kept": "The pattern can be played, but is not saved beyond the server’s end.",
  "last-hit-of-block": "That is its last hit. Remove the pattern instead.",
  "lane-empty": "That lane is empty. Drag a pattern onto it.",

  "no-such-project": "That project is not here any more.",
  "no-such-project-version": "That version is not here any more.",
  "project-name-taken": "There is a project of that name already. Choose another name, or open it.",
  "projects-full": "The server has as many projects as it can keep. A host can remove some.",
  "projects-not-kept": NOT_KEPT,
  "takes-not-kept": NOT_KEPT,
  "too-many-exports": "Some of your files are being made. Wait until one is ready.",
  "no-such-export": "That file is not being made.",
  "bad-export-option": "A file cannot be made in that way.",
  "no-such-take": "That take is not here any more.",
  "no-take-started": "No take was started.",
  "take-started": "A take was started already.",

  "nothing-to-undo": UNDONE,
  "nothing-to-undo-in-room": UNDONE,
  "nothing-to-redo": REDONE,
  "not-taken-back": `${t(CHANGED_SINCE)} ${t("Undo again takes back what you did before.")}`,
  "not-done-again": `${t(CHANGED_SINCE)} ${t("Redo again does again what you took back before.")}`,
  "nothing-to-redo-in-room": REDONE,

  // The page sent something wrong. The fault is the page's, and not the user's.
  "unknown-address": FAULT,
  "pad-out-of-range": FAULT,
  "out-of-range": "That is more or less than it can be.",
  "unknown-word": "There is no such choice.",
  "bad-signature": "That is no time signature.",
  "not-finite": FAULT,
  "wrong-type": FAULT,
  "argument-missing": FAULT,
  "too-many-arguments": FAULT,
  "text-too-long": "That text is too long.",
  "read-only": FAULT,
  "sent-only": FAULT,
  "own-only": FAULT,
  "only-in-score": FAULT,
  "seq-out-of-place": FAULT,
  "heard-out-of-place": FAULT,
  "pattern-not-allowed": FAULT,
  "pattern-broken": FAULT,
  "pattern-too-long": FAULT,
  "pattern-matches-nothing": FAULT,
  "no-value": FAULT,
  "no-range": FAULT,
};

/// Simpler texts for other languages, without the details of the server's own texts.
const PLAIN = language === "en" ? {} : await import("./plain-refusals.js").then(({ default: plain }) => plain, () => ({}));

/// Advice to the player about what to do on the page. It follows the server's own text.
const ADVICE = {
  "kit-pad-empty": "Other sounds are under Kits.",
};

const LOCKED = { tempo: "A host has locked the tempo.", loops: "A host has locked the loops.", kits: "A host has locked the kits.", key: "A host has locked the key." };

/// The page's own text of a refusal; empty where it has none.
/// - code: the server's code of the refusal.
export function ownWords(code) {
  if (code === "locked") return t(LOCKED[room.get("/lock")] ?? "A host has locked that.");
  const saying = SAYINGS[code] ?? PLAIN[code];
  return saying ? t(saying) : "";
}

/// The text of a refusal: the page's own, or else the server's, as a sentence.
export function words(reason, code = "") {
  return ownWords(code) || [sentence(reason), t(ADVICE[code] ?? "")].filter(Boolean).join(" ");
}

/// The same for an answer by HTTP, whose header has the code.
export async function reasonOf(answer) {
  return words((await answer.text()).trim(), answer.headers.get("Bandshell-Error") ?? "");
}

function sentence(text) {
  return text ? `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, "")}.` : FAULT;
}

/// The name of an edit. The server tells a phrase of few that the page translates as a whole, or
/// the words of an address, such as `pad 3 gain`.
export function edit(told) {
  // The page says "filter" for the address's word "modulation".
  const what = told.replace(/^modulation\b/, "filter");
  const all = what.match(/^(taking back )?all of (.+)$/);
  if (all) return all[1] ? w`taking back all of ${all[2]}` : w`all of ${all[2]}`;
  if (language === "en" || t(what) !== what) return t(what);
  const [first, ...others] = what.split(" ");
  // The word after "kit" is the kit's name, which is not translated.
  return [named(first), ...(first === "kit" ? others : others.map(named))].join(" ");
}
