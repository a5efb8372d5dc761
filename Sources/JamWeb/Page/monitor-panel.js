// The part OSC of the panel Room: messages that OSC apps send, and their outcomes. The server tells
// them only while this is open.

import { arrange, h, say, shown, t, w, write } from "./dom.js";
import { language } from "./language.js";
import { MonitorBook } from "./monitor-lines.js";
import reasons from "./monitor-words.js";
import { room } from "./room.js";
import { ownWords } from "./words.js";

/// Rows on the screen, and how often they are drawn: at any number of messages the page has the
/// same work.
const MOST_ROWS = 60;
const DRAWN_EACH = 150;

const VERDICTS = {
  understood: "Understood", noticed: "Understood, but", refused: "Refused", ignored: "Left out",
};

/// Outcomes for which the server has a code and no words.
const OUTCOMES = {
  release: "A button came up: that has no effect.",
  touch: "A finger touches a control: that has no effect.",
  repeated: "The same packet came twice: it counts once.",
  unanswered: "Refused like those before it.",
};

export function make() {
  const book = new MonitorBook();
  const elements = new Map();
  let isPaused = false;
  let isOpen = false;
  let timer = 0;

  const scope = h("p.quiet", { role: "status" });
  const filter = h("input.line", {
    type: "search", maxLength: 100, placeholder: "Only lines with …",
    "aria-label": "Only lines with …", autocapitalize: "none", spellcheck: false,
    oninput: () => draw(),
  });
  const refused = h("input", { type: "checkbox", role: "switch", onchange: () => draw() });
  const pause = h("button.text", {
    type: "button", "aria-pressed": "false", textContent: "Pause",
    onclick: () => {
      isPaused = !isPaused;
      pause.setAttribute("aria-pressed", String(isPaused));
    },
  });
  const clear = h("button.text", { type: "button", textContent: "Clear", onclick: () => {
    book.clear();
    draw();
  } });
  const body = h("tbody");
  const table = h("table.monitor", { role: "table", "aria-label": "Messages, the newest first" },
    h("thead", {}, h("tr", { role: "row" }, head("From"), head("Message"), head("Outcome"))), body);
  const about = h("p.quiet", {
    textContent: "Messages of OSC apps, and their outcomes. Words and chat are hidden.",
  });
  const nothing = h("p.quiet");
  const more = h("p.quiet");

  function draw() {
    clearTimeout(timer);
    timer = 0;
    const rows = book.wanted({ text: filter.value, isRefused: refused.checked, most: MOST_ROWS });
    const wanted = new Set(rows.map(({ id }) => id));
    for (const [id, known] of elements) {
      if (wanted.has(id)) continue;
      known.element.remove();
      elements.delete(id);
    }
    arrange(body, rows.map((row) => element(row)));
    table.hidden = rows.length === 0;
    nothing.hidden = rows.length > 0;
    say(nothing, book.rows.length
      ? "No line is so." : "Nothing came yet. Move something on the controller.");
    more.hidden = book.more === 0;
    write(more, book.more ? w`and ${book.more} more` : "");
  }

  function element(row) {
    const known = elements.get(row.id) ?? new Row();
    elements.set(row.id, known);
    known.see(row);
    return known.element;
  }

  function soon() {
    if (isOpen) timer ||= setTimeout(draw, DRAWN_EACH);
  }

  room.on("/monitor", (values) => {
    // While it stands still, what comes is only counted: nothing moves under a finger.
    if (isPaused) book.more += 1;
    else book.add(values, new Date());
    soon();
  });
  room.on("/monitor/more", ([count]) => {
    book.more += count;
    soon();
  });
  room.on("/monitor/scope", ([whose]) => say(scope, whose === "all"
    ? "You are a host: you see what everybody in this room sends."
    : "You see what programs at this device’s network address send. A host sees everybody: the host word makes you one, under People."));

  return {
    element: h("div.stack", {},
      h("div.row", {}, filter, pause, clear),
      h("label.switch", {}, h("span.name", { textContent: "Refused messages only" }), refused),
      nothing, table, more, scope,
      about),
    show: () => {
      isOpen = true;
      room.want("monitor");
      draw();
    },
    hide: () => {
      isOpen = false;
      clearTimeout(timer);
      timer = 0;
      room.want("monitor", false);
    },
  };
}

const head = (name) => h("th", { scope: "col", role: "columnheader", textContent: name });

/// The reason of a line in the page's language. `more` is the server's own text, which is English
/// and names what it is about; the page in English shows it alone.
function why({ verdict, reason, code }) {
  if (OUTCOMES[code] && !reason) return { text: t(OUTCOMES[code]), more: "" };
  const isPlain = language === "en" || verdict === "understood";
  const own = isPlain ? "" : reasons[code] ? t(reasons[code]) : ownWords(code);
  return { text: own || reason || code, more: own ? reason : "" };
}

/// A row of the table. It is made once, and changed while equal messages come.
class Row {
  #drawn = "";

  constructor() {
    this.who = h("b");
    this.where = h("small");
    this.what = h("code");
    this.count = h("small");
    this.verdict = h("b");
    this.why = h("span");
    this.more = h("small", { lang: "en" });
    this.element = h("tr", { role: "row" },
      h("td", { role: "cell" }, this.who, " ", this.where),
      h("td", { role: "cell" }, this.what, " ", this.count),
      h("td", { role: "cell" }, this.verdict, " ", this.why, " ", this.more));
  }

  see(row) {
    const drawn = `${row.count} ${row.player}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.element.dataset.verdict = row.verdict;
    write(this.who, shown(row.player) || row.sender);
    const time = row.time.toTimeString().slice(0, 8);
    const where = [row.player ? row.sender : "", row.transport, time];
    write(this.where, where.filter(Boolean).join(" · "));
    write(this.what, row.values ? `${row.address} ${row.values}` : row.address);
    write(this.count, row.count > 1 ? `× ${row.count}` : "");
    say(this.verdict, VERDICTS[row.verdict] ?? "Left out");
    const { text, more } = why(row);
    write(this.why, text);
    write(this.more, more);
  }
}
