// The browser's Back button closes what lies over the pads before it leaves the page: each cover
// has its own entry in the browser's history.
//
// A cover that a hand closes leaves its entry in the history. The next cover uses that entry again;
// Back skips an entry that no cover uses.

const open = [];
/// How many history entries of covers lie at or below the present entry. After a reload some may be
/// there already.
let depth = history.state?.covers ?? 0;

/// Adds a cover: from now on Back calls `close`.
export function cover(close) {
  open.push(close);
  if (open.length <= depth) return;
  depth += 1;
  history.pushState({ covers: depth }, "");
}

/// The cover of `close` is closed already, by a hand or by Back.
export function uncover(close) {
  const at = open.indexOf(close);
  if (at >= 0) open.splice(at, 1);
}

addEventListener("popstate", ({ state }) => {
  const now = state?.covers ?? 0;
  const isBack = now < depth;
  depth = now;
  if (!isBack) return;
  if (open.length <= now) return history.back();
  while (open.length > now) open.pop()();
});
