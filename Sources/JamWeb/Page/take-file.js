// @ts-check
// A take by its address: the room and the take's id, and waiting for the files that the server
// makes of it. This uses nothing of the page.

/** @typedef {{ base: string, id: string }} Place */

/// The room's address and the take's id, of a page at `/rooms/attic/take/2026-11-23-213000`.
/** @param {string} path @returns {Place} */
export function placeOf(path) {
  const [, room, id] = path.match(/^(?:\/rooms\/([^/]+))?\/take\/([^/]*)$/) ?? [];
  try {
    return { base: room ? `/rooms/${encodeURIComponent(decodeURIComponent(room))}/` : "/", id: decodeURIComponent(id ?? "") };
  } catch {
    return { base: "/", id: "" };
  }
}

/// The format to play: the smallest one that the browser supports.
/** @param {(type: string) => string} canPlay  an audio element's `canPlayType` */
export function soundForm(canPlay) {
  if (canPlay('audio/ogg; codecs="opus"')) return "opus";
  return canPlay("audio/flac") ? "flac" : "wav";
}

/// Milliseconds between two requests.
const PAUSE = 500;
/// The number of requests without progress after which the file is given up: five minutes.
const PATIENCE = 600;

/// Asks until the server has made a file.
/// - `ask` asks once, without waiting (`wait=0`); `told` gets the progress, 0…1; `rest` waits.
/// - Returns: whether the file is there.
/**
 * @param {() => Promise<Response>} ask
 * @param {(part: number) => void} told
 * @param {(milliseconds: number) => Promise<void>} rest
 */
export async function made(ask, told, rest) {
  let [last, patience, restarts] = [0, PATIENCE, 0];
  while (patience > 0) {
    const answer = await ask();
    if (answer.status !== 202 && answer.status !== 503) return answer.ok;
    patience -= 1;
    if (answer.status === 202) {
      const { part } = await answer.json();
      // After a failure the server begins anew with the next request, so the progress falls back.
      // One restart is accepted.
      if (part < last) restarts += 1;
      if (restarts > 1) return false;
      if (part !== last) patience = PATIENCE;
      last = part;
      told(part);
    }
    await rest(PAUSE);
  }
  return false;
}
