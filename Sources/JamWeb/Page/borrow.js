// Borrowing: a layer of another player's loop is copied into one's own, and the other one rests
// until it is given back.

import { arrange, h, shown, toast, w, write } from "./dom.js";
import { book, own } from "./loop-strip.js";
import { room } from "./room.js";

const borrow = (player, layer) => room.send("/borrow", player, layer);

/// The layers of a loop that are neither lent nor borrowed, by number.
const free = (loop) => [...(loop?.layers ?? [])].filter(([, { owner, borrower }]) => !owner && !borrower).map(([number]) => number);

/// The most buttons that a message has.
const MOST = 3;

// A touch of another player's notes, or of its row: `layer` is that of the note.
room.on("theirs", ([player, layer]) => {
  const numbers = free(book.loops.get(player));
  const meant = numbers.includes(layer) ? [layer] : numbers.slice(0, MOST);
  toast(w`That is what ${shown(player)} plays.`, meant.length > 0 ? 8 : 4,
    meant.map((number) => [meant.length > 1 ? w`Borrow layer ${number}` : "Borrow", () => borrow(player, number)]));
});

// ---- Whoever has borrowed a layer of one's own is named once.

let lent = new Map();
room.on("loop notes", () => {
  const mine = own();
  // After a reconnection the layers are not there until the server has told the notes.
  if (!mine || mine.held !== mine.mark) return;
  const borrowed = [...mine.layers].filter(([, { borrower }]) => borrower);
  const now = new Map(borrowed.map(([number, { borrower }]) => [number, borrower]));
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

/// The layers of others, each with a button to borrow it.
export function others() {
  const list = h("ul.plain");
  const title = h("h3.over", { textContent: "Others play" });
  const rows = new Map();
  const see = () => {
    const shownRows = [];
    for (const [player, loop] of book.loops) {
      if (player === room.player) continue;
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
  see();
  return h("div", {}, title, list);
}

function row(player, number) {
  return h("li.group.row.head", {},
    h("span", { given: `${shown(player)} · ${w`Layer ${number}`}` }),
    h("button.text.small", { type: "button", "data-borrow": `${player}/${number}`, textContent: "Borrow", "aria-label": w`Borrow layer ${number} of ${shown(player)}`,
      onclick: () => borrow(player, number) }));
}
