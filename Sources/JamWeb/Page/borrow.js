// Borrowing: a layer of another player's loop is copied into one's own, and the other one rests
// until it is given back.

import { arrange, h, shown, toast, w, write } from "./dom.js";
import { book, own } from "./loop-strip.js";
import { open } from "./panel.js";
import { leftLoops } from "./people.js";
import { room } from "./room.js";

/// The owners of the layers that were asked for and have not come yet.
const asked = [];
function borrow(player, layer) {
  if (room.send("/borrow", player, layer)) asked.push(player);
}
room.on("refused", ([where]) => where === "/borrow" && asked.shift());

/// The layers of a loop that are neither lent nor borrowed, by number.
const free = (loop) => [...(loop?.layers ?? [])].filter(([, { owner, borrower }]) => !owner && !borrower).map(([number]) => number);

/// Whether a player has a layer that can be borrowed.
export const lends = (player) => free(book.loops.get(player)).length > 0;

/// Borrows the only layer of a player; of several, the person chooses one in the list of layers.
/// - layer: the one that is meant, if any.
export function borrowFrom(player, layer) {
  const numbers = free(book.loops.get(player));
  const meant = numbers.includes(layer) ? [layer] : numbers;
  if (meant.length === 1) borrow(player, meant[0]);
  else open("loops", { whose: player });
}

/// A button that mutes a player for this player's ears alone, or ends that.
function muteForMe(player) {
  const address = `/mix/${player}/mute`;
  const isMuted = room.get(address, 0) > 0;
  return [isMuted ? "Hear again" : "Mute for me", () => room.set(address, isMuted ? 0 : 1)];
}

// A touch of another player's notes, of its row or its name: `layer` is that of the note.
room.on("theirs", ([player, layer]) => {
  const lend = lends(player) ? [["Borrow", () => borrowFrom(player, layer)]] : [];
  const hasLeft = leftLoops().includes(player);
  const take = hasLeft ? [["Take over", () => room.send("/part/take", player)]] : lend;
  toast(w`That is what ${shown(player)} plays.`, 8, [...take, muteForMe(player)]);
});

// ---- What was borrowed is said once, to both.

let lent = new Map();
let borrowed = new Set();

/// Says that a layer which was asked for is one's own now, with the way back.
function sayBorrowed(layers) {
  const numbers = [...layers].filter(([, { owner }]) => owner).map(([number]) => number);
  for (const number of numbers) {
    const { owner } = layers.get(number);
    if (borrowed.has(number) || !asked.includes(owner)) continue;
    asked.splice(asked.indexOf(owner), 1);
    const back = () => room.send("/borrow/return", number);
    toast(w`Borrowed from ${shown(owner)}`, 8, [["Give back", back]]);
  }
  borrowed = new Set(numbers);
}

room.on("loop notes", () => {
  const mine = own();
  // After a reconnection the layers are not there until the server has told the notes.
  if (!mine || mine.held !== mine.mark) return;
  sayBorrowed(mine.layers);
  const away = [...mine.layers].filter(([, { borrower }]) => borrower);
  const now = new Map(away.map(([number, { borrower }]) => [number, borrower]));
  for (const [number, borrower] of now) {
    if (lent.get(number) !== borrower) toast(w`${shown(borrower)} has borrowed your layer ${number}. It rests meanwhile.`, 6);
  }
  lent = now;
});

// ---- In the list of layers.

/// The line of an own layer that is lent or borrowed.
export function loanLine(number, signal) {
  const text = h("small.quiet");
  const back = h("button.text.small", { type: "button", "data-return": number, textContent: "Give back", "aria-label": w`Give back layer ${number}`,
    onclick: () => room.send("/borrow/return", number) });
  const line = h("div.row.head", { hidden: true }, text, back);
  const see = () => {
    const { owner = "", borrower = "" } = own()?.layers.get(number) ?? {};
    line.hidden = !owner && !borrower;
    back.hidden = !owner;
    write(text, owner ? w`Borrowed from ${shown(owner)}` : borrower ? w`Lent to ${shown(borrower)}: it rests` : "");
  };
  room.on("loop notes", see, signal);
  see();
  return line;
}

/// The layers of others, each with a button to borrow it, as `element`; `find(player)` gives the
/// first row of that player.
export function others() {
  const list = h("ul.plain");
  const title = h("h3.over", { textContent: "Others play" });
  const rows = new Map();
  const see = () => {
    const shownRows = [];
    // The loops of players who have left are taken over whole.
    const left = leftLoops();
    for (const [player, loop] of book.loops) {
      if (player === room.player || left.includes(player)) continue;
      for (const number of free(loop)) {
        const key = `${player}/${number}`;
        if (!rows.has(key)) rows.set(key, row(player, number));
        shownRows.push(rows.get(key));
      }
    }
    for (const [key, element] of rows) if (!shownRows.includes(element)) rows.delete(key);
    title.hidden = shownRows.length === 0;
    arrange(list, shownRows);
  };
  room.on("loop notes", see);
  room.on("people", see);
  see();
  const find = (player) => [...rows].find(([key]) => key.startsWith(`${player}/`))?.[1];
  return { element: h("div", {}, title, list), find };
}

function row(player, number) {
  return h("li.group.row.head", {},
    h("span", { given: `${shown(player)} · ${w`Layer ${number}`}` }),
    h("button.text.small", { type: "button", "data-borrow": `${player}/${number}`, textContent: "Borrow", "aria-label": w`Borrow layer ${number} of ${shown(player)}`,
      onclick: () => borrow(player, number) }));
}
