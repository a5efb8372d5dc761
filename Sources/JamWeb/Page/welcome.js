// The greeting of a room in which nothing plays: one tap plays a groove. While the player's groove
// goes round, its parts stand below the loops: each can rest, and be replaced by the own playing.
// So do those of a player who has left. Of somebody who is here the name alone stands there.

import { at, h, icon, say, shown, style, t, w } from "./dom.js";
import { people, toldLoops } from "./people.js";
import { room } from "./room.js";

const MOODS = { happy: "Happy", sad: "Sad", dark: "Dark", dreamy: "Dreamy", tense: "Tense" };
const PARTS = { drums: "Drums", bass: "Bass", chords: "Chords" };

/// The mood that was asked for last.
let mood = "any";
function play(wish) {
  mood = wish;
  room.send("/groove", wish);
}

const labelled = (name, drawing, label) =>
  h("button", { type: "button", "data-action": name }, icon(drawing), h("span", { textContent: label }));

function inviteButton() {
  const button = labelled("invite", "share", "Invite");
  button.title = t("Show others the way into this room");
  button.addEventListener("click", async () => (await import("./invite.js")).invite());
  return button;
}

// ---- The greeting, over the empty strip of loops: nothing moves when it goes.

function greeting() {
  const first = labelled("groove", "play", "Play me something");
  first.classList.add("primary");
  first.addEventListener("click", () => play("any"));
  // Others may play by hand, or on lanes, which only their own pages show.
  const isAlong = () => people.length > 1 && room.get("/play") > 0;
  const see = () => say(first.lastElementChild, isAlong() ? "Play along" : "Play me something");
  for (const what of ["people", "/play"]) room.on(what, see);
  const mood = ([word, label]) =>
    h("button.text.small", { type: "button", "data-mood": word, textContent: label, onclick: () => play(word) });
  const moods = h("div.moods", { role: "group", "aria-label": "Mood" }, Object.entries(MOODS).map(mood));
  const facts = { id: "welcome", role: "group", "aria-label": "Nothing plays yet", hidden: true };
  return h("div.welcome", facts, first, moods, inviteButton());
}

// ---- The groove.

function partButton(part, label) {
  const address = `/groove/${part}`;
  const turn = () => room.set(address, room.get(address) > 0 ? 0 : 1);
  const rest = h("button.part", { type: "button", "data-part": part, textContent: label, onclick: turn });
  const take = () => room.send("/groove/replace", part);
  const replace = h("button.replace", { type: "button", "data-replace": part, onclick: take }, icon("record"));
  const text = w`Play this part yourself: ${t(label)}`;
  replace.title = text;
  replace.setAttribute("aria-label", text);
  room.on(address, ([on]) => {
    rest.setAttribute("aria-pressed", String(on > 0));
    rest.title = t(on > 0 ? "Sounds. Tap: it rests from the next bar on" : "Rests. Tap: it sounds from the next bar on");
  });
  return h("span.split", { "data-of": part }, rest, replace);
}

function moodChoice() {
  const list = h("select", { "aria-label": "Mood", "data-action": "mood" }, new Option(t("Any mood"), "any"),
    Object.entries(MOODS).map(([word, label]) => new Option(t(label), word)));
  list.addEventListener("change", () => play(list.value));
  return list;
}

function grooveRow(row) {
  const another = labelled("another", "loops", "Another");
  another.title = t("Another groove from the next bar line on");
  another.addEventListener("click", () => play(mood));
  room.on("/groove", ([light]) => another.classList.toggle("waiting", light === 0.5));
  const moods = moodChoice();
  const invite = inviteButton();
  const whose = h("span.whose");
  const along = labelled("groove", "play", "Play along");
  along.addEventListener("click", () => play("any"));
  row.setAttribute("role", "group");
  row.append(whose, along, ...Object.entries(PARTS).map(([part, label]) => partButton(part, label)), another, moods, invite);
  return () => {
    const parts = ownParts();
    const player = groovePlayer();
    for (const part of row.querySelectorAll("[data-of]")) part.hidden = !parts.includes(part.dataset.of);
    // A groove that its player left behind is everybody's, so its row says whose it was.
    const isLeft = parts !== "" && player && player !== room.player;
    whose.hidden = parts !== "" && !isLeft;
    along.hidden = parts !== "";
    another.hidden = moods.hidden = parts === "";
    along.disabled = !mayPlay();
    const of = player && player !== room.player ? w`Groove of ${shown(player)}` : t("Groove");
    const text = parts === "" ? w`${shown(player)}’s groove plays` : of;
    whose.textContent = whose.title = text;
    row.setAttribute("aria-label", of);
    moods.value = mood;
    invite.hidden = people.length > 1;
  };
}

// ---- What is shown.

const RUNS = ["waiting", "playing", "looping"];
const hasLanes = () => room.below("/lane/")
  .some(([address, [word]]) => address.endsWith("/state") && RUNS.includes(word));
/// Whether somebody's loop or lane goes round, or is about to.
const isMusic = () => hasLanes() || room.get("/loop/state", "empty") !== "empty"
  || [...toldLoops.values()].some(([, state]) => state && state !== "empty");
/// The parts that this player steers: of its own groove, or of a player's who has left.
const ownParts = () => room.get("/groove/parts", "");
/// The player who has a groove, also somebody who is here.
const groovePlayer = () => room.get("/groove/player", "");
/// A server that knows no grooves never tells this.
const isKnown = () => room.all("/groove/parts") !== undefined;
const mayPlay = () => room.isConnected && room.get("/role", "player") !== "listener";

export async function start() {
  await style("welcome");
  const welcome = greeting();
  const row = at("groove");
  const seeGroove = grooveRow(row);
  at("looprow").append(welcome);
  let looks = 0;
  const see = () => {
    looks = 0;
    const isGroove = isKnown() && (ownParts() !== "" || groovePlayer() !== "");
    const greets = isKnown() && mayPlay() && !isGroove && !isMusic();
    // A player who pressed a button of the greeting by a key goes on from the strip.
    if (welcome.contains(document.activeElement) && !greets) at("loopview").focus();
    welcome.hidden = !greets;
    row.hidden = !isGroove;
    seeGroove();
  };
  // The server tells many values at once, so the room is looked at once a frame.
  const look = () => { looks ||= requestAnimationFrame(see); };
  const addresses = ["/groove/parts", "/groove/player", "/loop/state", "/role", "/player/loop", "/player/gone", "/play"];
  for (const address of addresses) room.on(address, look);
  room.on("people", look);
  room.on("connected", look);
  room.on("disconnected", look);
  room.on("begun again", look);
  room.on("quiet", look);
  room.on("heard again", look);
  room.on("/lane/*", (_, address) => address.endsWith("/state") && look());
  see();
}

