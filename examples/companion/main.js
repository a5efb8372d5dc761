// A module for Bitfocus Companion (API 1.11): it joins a room by TCP, sends what buttons ask for, and
// lights them by what the server tells. osc.js and model.js hold everything that needs no Companion.

import { connect } from "node:net";

import { InstanceBase, InstanceStatus, combineRgb, runEntrypoint } from "@companion-module/base";

import { Frames, framed, message, messages } from "./osc.js";
import { LOOP, PADS, Room, SCENES, VARIABLES, buttons, light, order } from "./model.js";

const AGAIN_MILLISECONDS = 2_000;
// The full state has some thousand values: Companion is told of them together.
const SHOW_MILLISECONDS = 40;

const number = (id, label, least, most, value) => ({ type: "number", id, label, min: least, max: most, default: value });
const pad = number("pad", "Pad", 1, PADS, 1);
const scene = number("scene", "Scene", 1, SCENES, 1);
const what = { type: "dropdown", id: "what", label: "What", default: "play", choices: LOOP.map((id) => ({ id, label: id })) };

/** Name and options of each action; `order` knows the messages. */
const ACTIONS = {
  pad: ["Hit a pad", [pad, number("velocity", "Velocity in %", 1, 100, 100)]],
  pad_up: ["Let go of a pad", [pad]],
  loop: ["Loop", [what]],
  scene: ["Launch a scene", [scene]],
  scene_keep: ["Keep a scene", [scene]],
  buildup: ["Build-up", [number("bars", "Bars", 1, 64, 8)]],
  drop: ["Drop", []],
  buildup_cancel: ["Call the build-up off", []],
  kit_next: ["Next kit", []],
  kit_prev: ["Kit before", []],
  tap: ["Tap the tempo", []],
  undo: ["Undo", []],
  panic: ["Silence your sounds", []],
  send: ["Send any message", [
    { type: "textinput", id: "address", label: "Address", default: "/master/gain" },
    { type: "textinput", id: "values", label: "Values", default: "-6" },
  ]],
};

class Bandshell extends InstanceBase {
  #room = new Room();
  #socket;
  #timer;
  #showing;

  async init(config) {
    this.config = config;
    this.#room.token = config.token ?? "";
    this.setActionDefinitions(Object.fromEntries(Object.entries(ACTIONS).map(([id, [name, options]]) =>
      [id, { name, options, callback: ({ options }) => this.#say(...order(id, options)) }])));
    this.setFeedbackDefinitions(this.#feedbacks());
    this.setVariableDefinitions([
      ...VARIABLES.map(({ id, name }) => ({ variableId: id, name })),
      { variableId: "room", name: "Room" }, { variableId: "player", name: "Your name" }, { variableId: "error", name: "Last error" },
      ...Array.from({ length: PADS }, (_, i) => ({ variableId: `pad_${i + 1}`, name: `Sound of pad ${i + 1}` })),
    ]);
    this.setPresetDefinitions(this.#presets());
    this.#open();
  }

  async configUpdated(config) {
    // Another player or room wants a place of its own.
    const isSame = config.host === this.config.host && config.player === this.config.player && config.room === this.config.room;
    this.#close();
    await this.init(isSame ? config : { ...config, token: "" });
  }

  async destroy() {
    this.#say("/bye", []);
    this.#close();
  }

  getConfigFields() {
    const field = (id, label, value) => ({ type: "textinput", id, label, width: 6, default: value });
    return [
      field("host", "Host", "127.0.0.1"),
      { type: "number", id: "port", label: "OSC port", width: 6, min: 1, max: 65_535, default: 8_000 },
      field("player", "Your name", "deck"), field("room", "Room (empty: the first one)", ""),
      field("password", "Password of the room", ""),
    ];
  }

  #open() {
    this.updateStatus(InstanceStatus.Connecting);
    const frames = new Frames();
    const socket = connect(this.config.port, this.config.host);
    this.#socket = socket;
    // One that was left may still tell something, and its end is none of the next one's.
    const isLeft = () => socket !== this.#socket;
    socket.setNoDelay(true);
    socket.on("connect", () => {
      for (const [address, values] of this.#room.greeting(this.config)) this.#say(address, values);
    });
    socket.on("data", (bytes) => {
      if (isLeft()) return;
      try {
        for (const packet of frames.take(bytes)) for (const each of messages(packet)) this.#take(each);
      } catch (error) {
        this.log("warn", `${error.message}: is this the OSC port?`);
        socket.destroy();
      }
    });
    socket.on("error", (error) => {
      if (!isLeft()) this.updateStatus(InstanceStatus.ConnectionFailure, error.message);
    });
    socket.on("close", () => {
      if (isLeft()) return;
      this.#room.forget();
      this.checkFeedbacks();
      this.#timer = setTimeout(() => this.#open(), AGAIN_MILLISECONDS);
    });
  }

  #close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#showing);
    this.#showing = undefined;
    this.#socket?.end();
    this.#socket = undefined;
    this.#room.forget();
  }

  #say(address, values) {
    if (this.#socket?.readyState === "open") this.#socket.write(framed(message(address, values)));
  }

  #take(each) {
    switch (this.#room.take(each)) {
      case "welcome":
        this.updateStatus(InstanceStatus.Ok);
        this.config = { ...this.config, token: this.#room.token };
        this.saveConfig(this.config);
        return this.setVariableValues(this.#room.variables);
      case "error":
        this.log("warn", this.#room.error);
        return this.#show();
      case "variable": case "light": return this.#show();
      default:
    }
  }

  #show() {
    this.#showing ??= setTimeout(() => {
      this.#showing = undefined;
      this.setVariableValues(this.#room.variables);
      this.checkFeedbacks();
    }, SHOW_MILLISECONDS);
  }

  /** Two feedbacks for each action that has a light: on, and waiting for its bar line. */
  #feedbacks() {
    const found = {};
    for (const [id, [name, options]] of Object.entries(ACTIONS)) {
      if (light(id) === null) continue;
      for (const [state, words, color] of [["on", "is on", combineRgb(0, 160, 80)], ["waiting", "waits", combineRgb(180, 140, 0)]]) {
        found[`${id}_${state}`] = {
          type: "boolean", name: `${name}: ${words}`, defaultStyle: { bgcolor: color },
          options: options.filter((option) => option.id !== "velocity" && option.id !== "bars"),
          callback: ({ options }) => this.#room.state(light(id, options)) === state,
        };
      }
    }
    return found;
  }

  #presets() {
    return Object.fromEntries(buttons().map(({ id, category, name, text, action, options, release }) => [id, {
      type: "button", category, name,
      style: { text, size: "auto", color: combineRgb(255, 255, 255), bgcolor: combineRgb(0, 0, 0) },
      steps: [{ down: [{ actionId: action, options }], up: release ? [{ actionId: release, options }] : [] }],
      feedbacks: light(action, options) === null ? [] : [
        { feedbackId: `${action}_on`, options, style: { bgcolor: combineRgb(0, 160, 80) } },
        { feedbackId: `${action}_waiting`, options, style: { bgcolor: combineRgb(180, 140, 0) } },
      ],
    }]));
  }
}

runEntrypoint(Bandshell, []);
