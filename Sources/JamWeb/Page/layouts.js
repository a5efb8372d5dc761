// Layouts for controller apps: links that download them, and a code by which another device does.

import { h, say } from "./dom.js";
import { joinAddress, joinCode } from "./join-address.js";
import { room } from "./room.js";

/// The server's files, each with a link and a button for its code.
export function layouts() {
  const code = h("div.qr", { hidden: true });
  const note = h("p.quiet");

  /// A link on this device shows the player's own pads. The code carries no token, and shows those
  /// of the player's kit.
  const here = (name) => room.path(`layouts/${name}`, room.token ? { player: room.player, token: room.token } : kit());
  const kit = () => ({ kit: room.get("/kit", "starter") });

  async function showCode(name) {
    const address = await joinAddress();
    code.hidden = true;
    if (!address) return say(note, "This server listens on this machine alone, so nobody else can join. Start it without --http 127.0.0.1.");
    // The password must not be in a code that everybody sees.
    if (room.password) return say(note, "The room has a password, which is in no code: open this page on the device, and tap the layout there.");
    code.replaceChildren(joinCode(`${address}layouts/${name}?${new URLSearchParams(kit())}`));
    code.hidden = false;
    say(note, "Point the device’s camera at it, and open the file in the app. Then tap Connect there.");
  }

  function item(name, link) {
    Object.assign(link, { href: here(name), download: name, onclick: () => { link.href = here(name); } });
    return h("div.row.nowrap", { "data-layout": name }, link, h("button.text.small", { type: "button", textContent: "Show the code", onclick: () => showCode(name) }));
  }

  return h("div.stack", {},
    h("h3", { textContent: "Layouts" }),
    h("p.quiet", { textContent: "Ready-made controls with the names of your pads." }),
    item("touchosc-phone.tosc", h("a.text.small.filelabel", { textContent: "TouchOSC on a phone" })),
    item("touchosc-tablet.tosc", h("a.text.small.filelabel", { textContent: "TouchOSC on a tablet" })),
    item("open-stage-control.json", h("a.text.small.filelabel", { textContent: "Open Stage Control" })),
    code, note);
}
