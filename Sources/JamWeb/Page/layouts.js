// Layouts for controller apps: links that download them, and a code by which another device does.

import { h, say } from "./dom.js";
import { joinAddress, joinCode, sayNoAddress } from "./join-address.js";
import { room } from "./room.js";

const LINK = "a.text.small.filelabel";

/// The server's files, each with a link and a button for its code.
export function layouts() {
  const code = h("div.qr", { hidden: true });
  const note = h("p.quiet");

  /// A link on this device shows the player's own pads. The code carries no token, and shows those
  /// of the player's kit.
  const kit = () => ({ kit: room.get("/kit", "starter") });
  const own = () => (room.token ? { player: room.player, token: room.token } : kit());
  const here = (name) => room.path(`layouts/${name}`, own());

  async function showCode(name) {
    const address = await joinAddress();
    code.hidden = true;
    if (!address) return sayNoAddress(note);
    // The password must not be in a code that everybody sees.
    if (room.password) {
      return say(note,
        "The room has a password, which is in no code: open this page on the device.");
    }
    const query = new URLSearchParams(kit());
    code.replaceChildren(joinCode(`${address}layouts/${name}?${query}`));
    code.hidden = false;
    say(note,
      "Point the device’s camera at it, open the file in the app, and tap Connect there.");
  }

  function item(name, link) {
    link.href = here(name);
    link.download = name;
    // The token may have come, or changed, since.
    link.onclick = () => { link.href = here(name); };
    const show = h("button.text.small", {
      type: "button", textContent: "Show the code", onclick: () => showCode(name),
    });
    return h("div.row.nowrap.layout", { "data-layout": name }, link, show);
  }

  return h("div.stack", {},
    h("h3", { textContent: "Layouts" }),
    h("p.quiet", { textContent: "Ready-made controls with the names of your pads." }),
    item("touchosc-phone.tosc", h(LINK, { textContent: "TouchOSC on a phone" })),
    item("touchosc-tablet.tosc", h(LINK, { textContent: "TouchOSC on a tablet" })),
    item("open-stage-control.json", h(LINK, { textContent: "Open Stage Control" })),
    code, note);
}
