// The lines of the OSC monitor, as the server tells them: which are kept, and which are shown. This
// file knows neither page nor server.

/// Lines that are kept; the oldest go first.
const MOST = 500;

export class MonitorBook {
  /// The oldest first. Each is { id, count, time, sender, player, transport, address, values,
  /// verdict, reason, code }.
  rows = [];
  /// Messages of which the server told only their number.
  more = 0;
  #last = 0;

  /// Takes in a line of `/monitor`. A line like the one before it, from the same sender, is counted
  /// there: a moved fader is one row with its latest value.
  add([, sender, player, transport, address, values, verdict, reason, code], time) {
    const last = this.rows.at(-1);
    const fact = { sender, player, transport, address, values, verdict, reason, code, time };
    if (last && SAME.every((name) => last[name] === fact[name])) {
      Object.assign(last, fact, { count: last.count + 1 });
      return;
    }
    this.rows.push({ id: (this.#last += 1), count: 1, ...fact });
    if (this.rows.length > MOST) this.rows.splice(0, this.rows.length - MOST);
  }

  clear() {
    this.rows = [];
    this.more = 0;
  }

  /// The rows that are wanted, the newest first.
  /// - text: stands somewhere in each, in capitals or not.
  /// - isRefused: whether only refused messages are wanted.
  wanted({ text = "", isRefused = false, most = MOST } = {}) {
    const words = text.trim().toLowerCase();
    const found = [];
    for (let index = this.rows.length - 1; index >= 0 && found.length < most; index -= 1) {
      const row = this.rows[index];
      if (isRefused && row.verdict !== "refused") continue;
      if (words && !holds(row, words)) continue;
      found.push(row);
    }
    return found;
  }
}

const SAME = ["sender", "address", "verdict", "code"];
const SEARCHED = [...SAME, "player", "transport", "values", "reason"];

const holds = (row, words) =>
  SEARCHED.some((name) => String(row[name]).toLowerCase().includes(words));
