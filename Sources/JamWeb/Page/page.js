// The first page: listen, the OSC settings, who is here. Whatever people chose is shown as text, never as markup.

const at = (id) => document.getElementById(id);
const address = new URL(location.href);
const roomName = address.pathname.match(/^\/rooms\/([^/]+)\//)?.[1] ?? encodeURIComponent(address.searchParams.get("room") ?? "");
const base = roomName ? `/rooms/${roomName}/` : "/";
let password = sessionStorage.getItem(`password ${base}`) ?? address.searchParams.get("password") ?? "";
const withPassword = (path) => base + path + (password ? `?password=${encodeURIComponent(password)}` : "");

// ---- What the server says, every two seconds while the page is seen.

let room = null;
let failures = 0;
let pollTimer = 0;

async function poll() {
  clearTimeout(pollTimer);
  let wait = 2000;
  if (!document.hidden) {
    const asked = performance.now();
    try {
      const headers = password ? { Authorization: `Bearer ${password}` } : {};
      const answer = await fetch(`${base}health`, { cache: "no-store", headers, signal: AbortSignal.timeout(4000) });
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const said = await answer.json();
      // The figures were read in the middle of the round trip, and are as old as they say.
      room = { ...said, at: (asked + performance.now()) / 2 - (said.age ?? 0) };
      failures = 0;
      show(said);
    } catch (problem) {
      failures += 1;
      wait = Math.min(500 * 2 ** failures, 4000);
      room = null;
      setState("reconnecting", "reconnecting …");
    }
  }
  clearTimeout(pollTimer);
  pollTimer = setTimeout(poll, wait);
}

function setState(state, text) {
  document.body.dataset.state = state;
  if (at("state").textContent !== text) at("state").textContent = text;
}

function show(said) {
  setState("connected", "connected");
  at("room").textContent = said.room;
  document.title = `${said.room} · Bandshell`;
  const isShut = said.password && !said.players;
  at("entry").hidden = !isShut;
  document.body.dataset.room = isShut ? "shut" : "open";
  if (isShut && password) at("entry-note").textContent = "That is not the word. Try again.";
  showSettings(said.osc);
  showPlayers(said.players ?? [], said.listeners);
  at("bpm").textContent = said.bpm ? String(Math.round(said.bpm * 10) / 10) : "–";
  showBeats(said.beatsPerBar ?? 0);
}

function showSettings(osc) {
  const own = location.hostname.replace(/^\[|\]$/g, "");
  const isLocal = /^(localhost|127\..*|::1)$/.test(own);
  const host = isLocal && osc.hosts.length ? osc.hosts[0] : own;
  for (const element of [at("host"), ...document.querySelectorAll(".host")]) element.textContent = host;
  for (const element of [at("port"), ...document.querySelectorAll(".port")]) element.textContent = osc.port;
  const bracketed = host.includes(":") ? `[${host}]` : host;
  at("origin").textContent = `http://${bracketed}:${location.port || 80}${base}`;
  const others = osc.hosts.filter((other) => other !== host);
  at("lan").textContent = others.length ? `Elsewhere in the network this machine is also ${others.join(", ")}.` : "";
}

function showPlayers(players, listeners) {
  const items = players.map((player) => {
    const item = document.createElement("li");
    const colour = document.createElement("span");
    colour.className = "colour";
    if (/^#[0-9a-f]{6}$/i.test(player.colour)) colour.style.backgroundColor = player.colour;
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = player.name;
    const kit = document.createElement("span");
    kit.className = "kit";
    kit.textContent = player.host ? `${player.kit} · host` : player.kit;
    item.append(colour, name, kit);
    return item;
  });
  at("players").replaceChildren(...items);
  at("nobody").hidden = items.length > 0;
  at("listeners").textContent = listeners ? `${listeners} ${listeners === 1 ? "listens" : "listen"}.` : "";
}

// ---- The beat, drawn from the clock that was read, not from when an answer came.

function showBeats(count) {
  const shown = Math.min(count, 32);
  if (at("beats").childElementCount === shown) return;
  at("beats").replaceChildren(...Array.from({ length: shown }, () => document.createElement("i")));
}

let drawn = "";

function draw(now) {
  requestAnimationFrame(draw);
  let text = "\u00a0";
  let lit = -1;
  if (room?.bpm) {
    // bpm counts quarter notes; the beats that people count may be others.
    const passed = room.playing ? ((now - room.at) / 60000) * room.bpm * (room.beatUnit / 4) : 0;
    const beats = Math.floor(room.beat - 1 + room.phase + passed);
    const bar = room.bar + Math.floor(beats / room.beatsPerBar);
    lit = ((beats % room.beatsPerBar) + room.beatsPerBar) % room.beatsPerBar;
    text = room.playing ? `bar ${bar}, beat ${lit + 1}` : "stopped";
    if (!room.playing) lit = -1;
  }
  if (text === drawn) return;
  drawn = text;
  at("position").textContent = text;
  [...at("beats").children].forEach((dot, index) => dot.classList.toggle("on", index === lit));
}

// ---- Listening: one <audio> on the endless stream, started by the tap that browsers want.

const audio = at("audio");
const canPlay = audio.canPlayType('audio/ogg; codecs="opus"') !== "";
let wanted = false;
let retry = 0;
let retryTimer = 0;
let stallTimer = 0;

const notes = {
  off: "Tap to hear the room.",
  connecting: "Connecting …",
  playing: "About 2 s behind the room: for hearing, not for playing along. For that, use bandshell listen.",
  stalled: "The sound was interrupted. Reconnecting …",
  impossible: "This browser cannot play Ogg Opus. Use Chrome, Firefox or a recent Safari, or bandshell listen in a terminal.",
};

function setAudio(state) {
  document.body.dataset.audio = state;
  at("listen").setAttribute("aria-pressed", String(wanted));
  at("listen").textContent = wanted ? "Stop listening" : "Listen";
  if (at("audio-note").textContent !== notes[state]) at("audio-note").textContent = notes[state];
}

function connect() {
  clearTimeout(retryTimer);
  clearTimeout(stallTimer);
  audio.src = withPassword("listen.opus");
  audio.play().catch((problem) => {
    if (problem.name === "NotAllowedError") stop();
  });
  expectSound(8000);
}

// Sound must come within a time, or the connection is made anew: a stalled stream never catches up by itself.
function expectSound(milliseconds) {
  clearTimeout(stallTimer);
  stallTimer = setTimeout(reconnect, milliseconds);
}

function reconnect() {
  if (!wanted) return;
  clearTimeout(stallTimer);
  clearTimeout(retryTimer);
  setAudio("stalled");
  retry += 1;
  retryTimer = setTimeout(connect, Math.min(250 * 2 ** retry, 5000));
}

function stop() {
  wanted = false;
  clearTimeout(retryTimer);
  clearTimeout(stallTimer);
  audio.pause();
  audio.removeAttribute("src");
  audio.load();
  setAudio("off");
}

audio.addEventListener("playing", () => {
  clearTimeout(stallTimer);
  retry = 0;
  if (wanted) setAudio("playing");
});
audio.addEventListener("waiting", () => {
  if (wanted && document.body.dataset.audio === "playing") {
    setAudio("stalled");
    expectSound(4000);
  }
});
for (const end of ["ended", "error"]) audio.addEventListener(end, reconnect);
// A call or another program may pause it: then the button says so.
audio.addEventListener("pause", () => {
  if (wanted && !audio.ended && document.body.dataset.audio === "playing") stop();
});
addEventListener("online", () => wanted && document.body.dataset.audio !== "playing" && reconnect());

at("listen").addEventListener("click", () => {
  if (wanted) return stop();
  if (!canPlay) return setAudio("impossible");
  wanted = true;
  retry = 0;
  setAudio("connecting");
  if (navigator.mediaSession) {
    navigator.mediaSession.metadata = new MediaMetadata({ title: room?.room ?? "Bandshell", artist: "Bandshell" });
  }
  connect();
});

// ---- The password, and copying.

at("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  password = at("password").value;
  sessionStorage.setItem(`password ${base}`, password);
  at("entry-note").textContent = "";
  poll();
});

let toastTimer = 0;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = at(button.dataset.copy).textContent.trim();
  const done = await copy(text);
  at("copied").textContent = done ? `Copied: ${text}` : `Copy it by hand: ${text}`;
  at("copied").classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => at("copied").classList.remove("shown"), 2500);
});

// The clipboard API vanishes on a plain-HTTP origin; selecting and copying does not.
async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {}
  }
  const field = document.createElement("textarea");
  field.className = "offscreen";
  field.value = text;
  document.body.append(field);
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return done;
}

poll();
requestAnimationFrame(draw);
