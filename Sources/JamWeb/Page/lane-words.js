// How a lane, or a pattern, plays, in words.

export const STATES = {
  waiting: "Next bar", playing: "Plays once", looping: "Goes round", stopped: "",
};
