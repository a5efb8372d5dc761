// The room as a Stream Deck sees it: which message a button sends, and how it is lit. Nothing here
// knows Companion or a socket.

/** The loop's buttons, each with the last word of its address. */
export const LOOP = ["record", "overdub", "play", "stop", "clear"];
export const PADS = 16;
export const SCENES = 8;

const whole = (value, least, most) => Math.min(most, Math.max(least, Math.round(Number(value) || least)));

/**
 * The message of an action: an address, and values as `message` in osc.js takes them.
 * @param {string} id
 * @param {Record<string, any>} options
 * @returns {[string, any[]]}
 */
export function order(id, options = {}) {
  switch (id) {
    case "pad": {
      const velocity = Math.min(100, Math.max(1, Number(options.velocity ?? 100))) / 100;
      return [`/pad/${whole(options.pad, 1, PADS)}`, [velocity]];
    }
    case "pad_up": return [`/pad/${whole(options.pad, 1, PADS)}`, [0]];
    case "loop": return [`/loop/${LOOP.includes(options.what) ? options.what : "play"}`, []];
    case "scene": return [`/scene/${whole(options.scene, 1, SCENES)}`, []];
    case "scene_keep": return [`/scene/${whole(options.scene, 1, SCENES)}/keep`, []];
    // The tempo stays: null leaves it out.
    case "buildup": return ["/buildup", [null, { int: whole(options.bars ?? 8, 1, 64) }]];
    case "drop": return ["/buildup/drop", []];
    case "buildup_cancel": return ["/buildup/cancel", []];
    case "kit_next": return ["/kit/next", []];
    case "kit_prev": return ["/kit/prev", []];
    case "tap": return ["/tempo/tap", []];
    case "undo": return ["/undo", []];
    case "panic": return ["/panic", []];
    case "send": return [address(options.address), values(options.values)];
    default: throw new Error(`no such action: ${id}`);
  }
}

function address(written) {
  const trimmed = String(written ?? "").trim();
  return trimmed.startsWith("/") ? trimmed : `/${trimmed}`;
}

/** Values as people write them: `-6`, `on`, or words. The server takes numbers of any type. */
function values(written) {
  const words = String(written ?? "").trim();
  if (words === "") return [];
  return words.split(/\s+/).map((word) => (Number.isNaN(Number(word)) ? word : Number(word)));
}

/** The address whose value lights a button of that action; null where it has no light. */
export function light(id, options = {}) {
  switch (id) {
    case "pad": return `/pad/${whole(options.pad, 1, PADS)}/lit`;
    case "loop": case "scene": case "buildup": case "drop": return order(id, options)[0];
    default: return null;
  }
}

/** What the server has told so far. */
export class Room {
  #values = new Map();
  /** The token that resumes the player after the connection was lost. */
  token = "";
  player = "";
  name = "";
  error = "";

  /** Messages that begin a connection. */
  greeting({ player, room, password }) {
    return [
      ["/hello", [player || "deck", room || "", password || "", this.token]],
      ["/subscribe", ["state"]],
    ];
  }

  /**
   * Takes a message in.
   * @returns {string} what has changed: "light", "variable", "error", "welcome", or ""
   */
  take({ address, values }) {
    switch (address) {
      case "/welcome":
        [this.name, this.player, , , , this.token] = values;
        return "welcome";
      case "/error":
        this.error = String(values[1] ?? "");
        return "error";
      default:
        if (values.length !== 1 || typeof values[0] === "object") return "";
        if (this.#values.get(address) === values[0]) return "";
        this.#values.set(address, values[0]);
        return typeof values[0] === "number" && !VARIABLES.some((each) => each.address === address) ? "light" : "variable";
    }
  }

  /** "on", "waiting" or "off". */
  state(address) {
    const value = Number(this.#values.get(address) ?? 0);
    return value >= 1 ? "on" : value > 0 ? "waiting" : "off";
  }

  /** The values of Companion's variables. */
  get variables() {
    const told = { room: this.name, player: this.player, error: this.error };
    for (const { id, address, digits } of VARIABLES) {
      const value = this.#values.get(address);
      told[id] = typeof value === "number" && digits !== undefined ? value.toFixed(digits) : value ?? "";
    }
    for (let pad = 1; pad <= PADS; pad++) told[`pad_${pad}`] = this.#values.get(`/pad/${pad}/name`) ?? "";
    return told;
  }

  /** Forgets what was told, where the connection is gone. */
  forget() {
    this.#values.clear();
  }
}

/** Values that are shown as Companion's variables. */
export const VARIABLES = [
  { id: "bpm", address: "/bpm", name: "Tempo as it sounds", digits: 1 },
  { id: "kit", address: "/kit/name", name: "Your kit" },
  { id: "buildup_bars", address: "/buildup/bars", name: "Bars until the drop" },
];

/** The buttons that are offered ready-made: [category, name, text, action, options, action on release]. */
export function buttons() {
  const found = [];
  for (let pad = 1; pad <= PADS; pad++) {
    found.push({
      id: `pad_${pad}`, category: "Pads", name: `Pad ${pad}`, text: `$(bandshell:pad_${pad})`, action: "pad",
      options: { pad, velocity: 100 }, release: "pad_up",
    });
  }
  for (const what of LOOP) {
    found.push({ id: `loop_${what}`, category: "Loop", name: `Loop: ${what}`, text: `Loop\n${what}`, action: "loop", options: { what } });
  }
  for (let scene = 1; scene <= SCENES; scene++) {
    found.push({ id: `scene_${scene}`, category: "Scenes", name: `Scene ${scene}`, text: `Scene\n${scene}`, action: "scene", options: { scene } });
  }
  found.push(
    { id: "buildup", category: "Build-up", name: "Build-up of 8 bars", text: "Build-up\n$(bandshell:buildup_bars)", action: "buildup", options: { bars: 8 } },
    { id: "drop", category: "Build-up", name: "Drop", text: "Drop", action: "drop", options: {} },
    { id: "tap", category: "Room", name: "Tap the tempo", text: "$(bandshell:bpm)", action: "tap", options: {} },
    { id: "undo", category: "Room", name: "Undo", text: "Undo", action: "undo", options: {} },
    { id: "panic", category: "Room", name: "Silence your sounds", text: "Panic", action: "panic", options: {} },
  );
  return found;
}
