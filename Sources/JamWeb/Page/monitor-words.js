// Reasons of the OSC monitor, by code. The server's own are in English, with details: another
// language shows these in front of them. `words.js` has the other codes; it speaks to people who
// play on the page, and says of what the page itself sent wrong only that it failed.

export default {
  "unknown-address": "There is no such address.",
  "pad-out-of-range": "There is no such pad.",
  "not-finite": "That is no number.",
  "wrong-type": "It takes another kind of value.",
  "argument-missing": "A value is missing.",
  "too-many-arguments": "Those are more values than it takes.",
  "read-only": "It can only be read.",
  "sent-only": "Only the server sends that.",
  "own-only": "That is about the sender alone.",
  "only-in-score": "Only a file with recorded music holds that.",
  "seq-out-of-place": "It stands at the wrong place of its bundle.",
  "heard-out-of-place": "It stands at the wrong place of its bundle.",
  "pattern-not-allowed": "Patterns of addresses work on own pads and settings only.",
  "pattern-broken": "The pattern of addresses cannot be read.",
  "pattern-too-long": "The pattern of addresses is too long.",
  "pattern-matches-nothing": "The pattern of addresses matches nothing.",
  "no-value": "It has no value.",
  "no-range": "It has no range from 0 to 1.",
  "bad-packet": "That is no OSC message.",
  "bad-framing": "That is no OSC message.",
  "bundle-too-deep": "That is no OSC message.",
  "packet-too-long": "That is longer than the server takes.",
  "wrong-cookie": "That is not the cookie that was sent to it.",
  "too-many-messages": "It sends too much: some of it was left out.",
  "too-many-matches": "It sends too much: some of it was left out.",
  "too-much-time": "It sends too much: some of it was left out.",

  "velocities-are-midi": "Its whole numbers are MIDI’s from now on: 127 is full.",
  "values-are-midi": "Its whole numbers are MIDI’s from now on: 127 is full.",
  "clock-in-pairs": "Each tick of the MIDI clock comes twice: is it connected by two cables?",
  "still-played": "Others play some of it: that stays with them.",
};
