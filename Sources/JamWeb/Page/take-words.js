// The words for takes: their names, lengths, bars and tempo.

import { locale, shown, t, w } from "./dom.js";

const NAMES = 4; // At most so many players are named.

/// Seconds as a text with minutes and seconds.
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/// A moment as text. `seconds`: since 1970.
export function when(seconds) {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? w`today, ${date.toLocaleTimeString(locale, { timeStyle: "short" })}` : date.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/// A take's name, or else the time when it was played.
export const titleOf = (take) => take.name || when(take.began);

/// The text about the bars that a listener hears. While the bars are not known, the take is still
/// being prepared.
export function barsOf(take) {
  if (!take.bars) return t("being prepared …");
  if (take.first === 1 && take.last === take.bars) return take.bars === 1 ? t("1 bar") : w`${take.bars} bars`;
  return take.first === take.last ? w`bar ${take.first} of ${take.bars}` : w`bars ${take.first}–${take.last} of ${take.bars}`;
}

/// The names of the players; of many only the first ones.
export function playersOf({ players }) {
  const named = players.length > NAMES ? players.slice(0, NAMES - 1) : players;
  const rest = players.length - named.length;
  return named.map(shown).concat(rest ? w`+${rest} more` : []).join(", ");
}

/// The tempo; nothing while the take is being prepared, since the tempo is not known before.
export const tempoOf = (take) => (take.bars ? `${Math.round(take.bpm * 10) / 10} bpm` : "");
