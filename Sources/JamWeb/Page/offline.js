// Keeps the page for a time without its server (service-worker.js). Browsers allow that on secure
// addresses. Loaded some time after the page has joined, or when no server answers.

import { recallHere, rememberHere } from "./memory.js";
import { room } from "./room.js";

const worker = navigator.serviceWorker;

/// Whether this page was opened without a server, from what the browser keeps of it.
function isKept() {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation?.serverTiming?.some(({ name }) => name === "kept") ?? false;
}

/// Whether the server has other files than those that the browser keeps. A server that lists none
/// is another server.
async function isOld() {
  const answer = await fetch("/service-worker.js", { cache: "no-store" });
  const [list] = (await answer.text()).match(/\{[^}]*\}/) ?? ["{}"];
  const files = Object.entries(JSON.parse(list));
  const kept = await Promise.all(files.map(([path]) => caches.match(path)));
  return files.length === 0
    || files.some(([, tag], index) => !kept[index]?.headers.get("ETag")?.includes(tag));
}

const tell = (away) => worker.controller?.postMessage({ away });

async function register() {
  try {
    await worker.register("/service-worker.js", { updateViaCache: "none" });
  } catch {
    // An older server has no such file, and some browsers keep nothing for private windows.
  }
}

/// Milliseconds: a page that was fetched anew is not fetched anew once more for so long.
const AGAIN = 60_000;

/// The server is reached. A page that was opened without it may be older than the server.
async function meet() {
  tell(false);
  if (isKept() && (await isOld())) {
    // A new worker keeps the new files: behind it this page would not be known as an old one.
    if (Date.now() - recallHere("fetched anew", 0) < AGAIN) return;
    rememberHere("fetched anew", Date.now());
    return location.reload();
  }
  await register();
}

if (worker) {
  room.on("connected", () => meet().catch(console.error));
  room.on("heard again", () => tell(false));
  for (const what of ["quiet", "disconnected"]) room.on(what, () => tell(true));
  if (room.isConnected) meet().catch(console.error);
  else tell(true);
}
