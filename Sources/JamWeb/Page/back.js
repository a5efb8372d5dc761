// The browser's Back closes what lies over the pads before it leaves the page: each cover is an entry of the history.
//
// What is closed by hand leaves its entry behind, and the next cover uses it; Back passes over one that nothing uses.

const open = [];
/// How many entries of covers lie below the present one, this one included; after a reload some may be there.
let depth = history.state?.covers ?? 0;

/// From now on Back calls `close`.
export function cover(close) {
  open.push(close);
  if (open.length <= depth) return;
  depth += 1;
  history.pushState({ covers: depth }, "");
}

/// `close` is closed, by whatever.
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
