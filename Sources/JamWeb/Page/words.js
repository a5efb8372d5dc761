// What the server refuses is told in the protocol's words; here it is told in the page's.

import { room } from "./room.js";

const PASSWORD = "This room has a password.";
const UNDONE = "There is nothing to undo: you have changed nothing, or taken it all back.";
const REDONE = "There is nothing to redo.";
const UNHEARD = "Turn the sound on first: it is heard on this device alone.";
const NO_LOOP = "Your loop is empty: Record takes down what you hit.";

/// The page's own words, by the refusal's code.
const SAYINGS = {
  "password-needed": PASSWORD,
  "wrong-password": PASSWORD,
  "wrong-host-word": "That is not the host word. The server printed it when it started.",
  "too-many-guesses": "Too many wrong words came from here. Wait a few seconds, then try again.",
  "listener": "You are here to listen. Under Room, People, you choose to play.",
  "own-channel": "Only a host may change that for somebody else.",
  "nothing-to-browse": "The pad is empty. Sounds for it are under Kits.",
  "no-input": "This server has no input to record from.",
  "cue-unheard": UNHEARD,
  "click-unheard": UNHEARD,
  "transport-stands": "The beat stands still: press Play first.",
  "loop-empty": NO_LOOP,
  "nothing-sounds": NO_LOOP,
  "no-such-layer": "That layer is gone.",
  "no-build-up": "There is no build-up.",
  "nothing-to-undo": UNDONE,
  "nothing-to-undo-in-room": UNDONE,
  "nothing-to-redo": REDONE,
  "nothing-to-redo-in-room": REDONE,
};

/// What is to be done on the page, behind the server's own words.
const ADVICE = {
  "host-only": "The host word makes you one, under Room, People.",
  "pad-empty": "Sounds for it are under Kits.",
  "kit-pad-empty": "Other sounds are under Kits.",
  "lane-empty": "Drag a block onto it.",
  "block-name-taken": "Choose another name.",
  "blocks-full": "Delete one first.",
  "all-blocks-full": "Delete one first.",
  "ready-made-block": "Copy makes one of your own.",
  "block-of-other": "Copy makes one of your own.",
  "project-name-taken": "Choose another name, or open it.",
};

// An address or an option, or what only programs write.
const FOREIGN = /(?:^|[\s(])(?:\/[a-z<]|--[a-z])|[A-Z]+=/;

/// A refusal of the server's in the words of the page: no addresses, no options.
/// - code: what the server calls it; without one it has the server's own words.
export function words(reason, code = "") {
  const lock = room.get("/lock", "none");
  if (code === "locked" && lock !== "none") return `A host has locked the ${lock}.`;
  return SAYINGS[code] ?? [plain(reason), ADVICE[code]].filter(Boolean).join(" ");
}

function plain(reason) {
  // Advice for programs stands behind the first colon or semicolon, where it was refused in brackets at the end.
  const parts = reason.replace(/ \(\/[^)]*\)$/, "").split(/(?=[:;] )/);
  const end = parts.findIndex((part) => FOREIGN.test(part));
  const kept = (end < 0 ? parts : parts.slice(0, end)).join("");
  return kept ? `${kept[0].toUpperCase()}${kept.slice(1).replace(/\.$/, "")}.` : "That did not work.";
}
