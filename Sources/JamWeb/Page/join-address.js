// The room's address for others: an address that they can reach, never this machine's own name for
// itself, such as localhost.

import { h, say, w } from "./dom.js";
import { health, look } from "./people.js";
import { base } from "./room.js";

export const isOwn = (host) => /^(localhost|.*\.localhost|127\..*|::1|\[::1\]|0\.0\.0\.0)$/.test(host);

/// Whether the server has told where it is: it tells nobody who does not know the room's password.
export const isKnown = () => Boolean(health?.osc);

/// The address; null where only this machine can reach the server, and where it is unknown.
export async function joinAddress() {
  await look(true);
  const here = location.hostname;
  let host = here;
  if (isOwn(here)) host = health?.osc?.hosts?.find((other) => !isOwn(other)) ?? null;
  if (!host) return null;
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${location.protocol}//${bracketed}${location.port ? `:${location.port}` : ""}${base}`;
}

/// Says why there is no address.
export function sayNoAddress(note) {
  say(note, isKnown()
    ? "This server listens on this machine alone, so nobody else can join. Start it without --http 127.0.0.1."
    : "How others join stands here once you are in the room.");
}

/// The QR code of an address, drawn by the server: dark on light whatever the page's ground is. An
/// address that is too long for a code leaves nothing.
export function joinCode(address) {
  const code = h("img", { src: `${base}qr.svg?text=${encodeURIComponent(address)}`, alt: w`QR code of ${address}`, onerror: () => code.remove() });
  return code;
}
