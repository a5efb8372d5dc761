// Opens the page while its server is out of reach. While the server is there, every file comes from
// the server: nothing of the page is ever older than its server.
//
// The server writes one line in front of this: `FILES`, which names each file of the page with the
// hash of its bytes, and `VERSION`, the hash of all of them. So a new server has another worker,
// which keeps the new files and forgets the old ones.

const FILES = self.FILES ?? {};
const HOME = "page ";
const KEPT = HOME + self.VERSION;
/// Milliseconds after which a server that has not answered is taken for unreachable.
const PATIENCE = 2500;

/// The pages that were opened from the kept files, or whose server is gone. Their files come from
/// the kept ones, too.
const away = new Set();

/// Fetches one file. If the server changed in the middle, it is another file: nothing is kept then.
async function take(path) {
  const answer = await fetch(path, { cache: "no-cache", credentials: "same-origin" });
  const tag = answer.headers.get("ETag") ?? "";
  if (!answer.ok || !tag.includes(FILES[path])) throw new Error(`${path} is another one`);
  return answer;
}

async function keep() {
  const cache = await caches.open(KEPT);
  // One file after the other: this must not compete with what is played.
  for (const path of Object.keys(FILES)) {
    if (!(await cache.match(path))) await cache.put(path, await take(path));
  }
}

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(HOME) && name !== KEPT) await caches.delete(name);
  }
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep());
});
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

/// A file as it is kept; undefined if it is not.
const kept = async (path) => (await caches.open(KEPT)).match(path);

/// The page's own address, of the first room or of any other.
const isPage = (path) => path === "/" || /^\/rooms\/[^/]+\/$/.test(path);

/// The kept page, which can read in its own `serverTiming` that it was opened so.
async function keptPage() {
  const page = await kept("/");
  if (!page) return null;
  const headers = new Headers(page.headers);
  // The body is unpacked already.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  headers.set("Server-Timing", "kept");
  return new Response(page.body, { headers });
}

async function opened(event) {
  const late = new Promise((go) => { setTimeout(go, PATIENCE); });
  const answer = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  const first = await Promise.race([answer, late]).catch(() => null);
  if (first) return first;
  const page = await keptPage();
  if (!page) return answer;
  away.add(event.resultingClientId);
  return page;
}

self.addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !("/" in FILES)) return;
  if (request.mode === "navigate") {
    if (isPage(pathname)) event.respondWith(opened(event));
  } else if (away.has(clientId) && pathname in FILES) {
    event.respondWith(kept(pathname).then((file) => file ?? fetch(request)));
  }
});

// A page says whether its server is away.
self.addEventListener("message", ({ data, source }) => {
  if (!source?.id || typeof data?.away !== "boolean") return;
  if (data.away) away.add(source.id);
  else away.delete(source.id);
});
