// Invites others: the room's address as a code for phones, to share, and to copy.

import { cover, uncover } from "./back.js";
import { copyText, shareLink } from "./copy.js";
import { h, icon, say, style, t, toast, w, write } from "./dom.js";
import { joinAddress, joinCode, sayNoAddress } from "./join-address.js";
import { health } from "./people.js";
import { room } from "./room.js";

let sheet = null;

/// Shows the sheet. Call it from a tap: browsers share only then.
export async function invite() {
  if (sheet) return;
  sheet = build();
  document.body.append(sheet.dialog);
  await style("invite");
  sheet.dialog.showModal();
  cover(sheet.close);
  await fill(sheet);
}

function build() {
  const close = () => dialog.close();
  const code = h("div.code");
  const link = h("code.address", { hidden: true });
  const note = h("p.quiet", { textContent: "…" });
  const share = h("button.primary", { type: "button", hidden: true },
    icon("share"), h("span", { textContent: "Share the link" }));
  const copy = h("button.text", { type: "button", hidden: true, textContent: "Copy the address" });
  const wall = h("button.text", {
    type: "button", textContent: "Big screen for the wall", onclick: async () => {
      close();
      (await import("./wall.js")).show();
    },
  });
  const done = h("button.text", { type: "button", textContent: "Close", onclick: close });
  const title = h("h2", {
    id: "invite-title", tabIndex: -1, autofocus: true, textContent: "Play with others",
  });
  const dialog = h("dialog.sheet.invite", { "aria-labelledby": "invite-title", onclose: () => {
    uncover(close);
    dialog.remove();
    sheet = null;
  } }, title, code, link, note, h("div.row", {}, share, copy, wall, done));
  // A touch beside the sheet closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && isBeside(dialog, event)) close();
  });
  return { dialog, close, code, link, note, share, copy };
}

function isBeside(dialog, { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

async function fill({ code, link, note, share, copy }) {
  const address = await joinAddress();
  if (!address) return sayNoAddress(note);
  code.append(joinCode(address));
  write(link, address);
  link.hidden = copy.hidden = false;
  // The server says whether there is a password; this page may not have it yet.
  say(note, health?.password ?? room.password
    ? "Point a phone’s camera at it. The room has a password: tell it, it is not in the code."
    : "Point a phone’s camera at it; same Wi-Fi.");
  // Where the system has no share sheet, sharing would only copy.
  share.hidden = !(isSecureContext && navigator.share);
  share.addEventListener("click", async () => {
    const how = await shareLink(w`Play with me in ${room.name ?? "Bandshell"}`, address, link);
    if (how !== "left" && how !== "shared") tellCopied(how === "copied");
  });
  copy.addEventListener("click", async () => tellCopied(await copyText(address, link)));
  function tellCopied(isCopied) {
    // The page's messages lie behind the sheet, so the button tells it.
    say(copy, isCopied ? "Copied." : "Copy it by hand: it is selected.");
    toast(t(isCopied ? "Copied." : "Copy it by hand: it is selected."));
  }
}
