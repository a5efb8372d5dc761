// @ts-check
// OSC 1.0 packets ↔ values. Types i f d h s t T F N b. Whole numbers below 2³¹ go out as i, other
// numbers as f, BigInts as h.

const text = new TextEncoder();
const read = new TextDecoder();

/// Milliseconds between the NTP epoch (1900) and the Unix epoch.
const NTP = 2208988800000;

/**
 * @typedef {number | string | boolean | bigint | null | Uint8Array | Double} Value
 *   a value in a message
 */

/** @param {string} value */
function stringBytes(value) {
  const bytes = text.encode(value);
  const padded = new Uint8Array((bytes.length + 4) & ~3);
  padded.set(bytes);
  return padded;
}

/** @param {"i" | "f" | "d" | "h"} tag @param {number | bigint} value */
function number(tag, value) {
  const bytes = new Uint8Array(tag === "i" || tag === "f" ? 4 : 8);
  const view = new DataView(bytes.buffer);
  if (tag === "i") view.setInt32(0, Number(value));
  else if (tag === "f") view.setFloat32(0, Number(value));
  else if (tag === "d") view.setFloat64(0, Number(value));
  else view.setBigInt64(0, BigInt(value));
  return bytes;
}

/// A number that must keep its full precision in a message, such as a time.
export class Double {
  /** @param {number} value */
  constructor(value) { this.value = value; }
}

/** @param {Value} value @returns {[tag: string, bytes?: Uint8Array]} */
function argument(value) {
  if (value === true) return ["T"];
  if (value === false) return ["F"];
  if (value === null) return ["N"];
  if (typeof value === "bigint") return ["h", number("h", value)];
  if (typeof value === "string") return ["s", stringBytes(value)];
  if (value instanceof Double) return ["d", number("d", value.value)];
  if (value instanceof Uint8Array) {
    const padded = new Uint8Array(4 + ((value.length + 3) & ~3));
    padded.set(number("i", value.length));
    padded.set(value, 4);
    return ["b", padded];
  }
  const isInt = Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  return isInt ? ["i", number("i", value)] : ["f", number("f", value)];
}

/** @param {Uint8Array[]} parts */
function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {string} address @param {Value[]} values */
export function message(address, ...values) {
  let tags = ",";
  /** @type {Uint8Array[]} */
  const parts = [];
  for (const value of values) {
    const [tag, bytes] = argument(value);
    tags += tag;
    if (bytes) parts.push(bytes);
  }
  return join([stringBytes(address), stringBytes(tags), ...parts]);
}

/// Several messages that belong together, in one packet that takes effect at once.
/** @param {Uint8Array[]} packets */
export function bundle(...packets) {
  const parts = [stringBytes("#bundle"), number("h", 1n)];
  for (const packet of packets) parts.push(number("i", packet.length), packet);
  return join(parts);
}

/// Calls `take(address, values, time)` for each message. `time` is the time of the message's
/// bundle, in milliseconds since 1970; null means "now".
/// - Throws: RangeError where the packet is damaged.
/**
 * @param {Uint8Array} bytes
 * @param {(address: string, values: any[], time: number | null) => void} take
 * @param {number | null} time
 */
export function parse(bytes, take, time = null, depth = 0) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] === 0x23) {
    if (depth > 8) throw new RangeError("bundles nest too deep");
    const when = timetag(view, 8);
    for (let at = 16; at < bytes.length; ) {
      const size = view.getInt32(at);
      if (size < 0 || at + 4 + size > bytes.length) throw new RangeError("an element is longer than its bundle");
      parse(bytes.subarray(at + 4, at + 4 + size), take, when, depth + 1);
      at += 4 + size;
    }
    return;
  }
  let at = 0;
  const string = () => {
    const end = bytes.indexOf(0, at);
    if (end < 0) throw new RangeError("a string has no end");
    const value = read.decode(bytes.subarray(at, end));
    at = (end + 4) & ~3;
    return value;
  };
  const address = string();
  const tags = at < bytes.length ? string() : ",";
  const values = [];
  for (const tag of tags.slice(1)) {
    if (tag === "i") { values.push(view.getInt32(at)); at += 4; }
    else if (tag === "f") { values.push(view.getFloat32(at)); at += 4; }
    else if (tag === "d") { values.push(view.getFloat64(at)); at += 8; }
    else if (tag === "h") { values.push(Number(view.getBigInt64(at))); at += 8; }
    else if (tag === "t") { values.push(timetag(view, at)); at += 8; }
    else if (tag === "s" || tag === "S") values.push(string());
    else if (tag === "b") {
      const size = view.getInt32(at);
      if (size < 0 || at + 4 + size > bytes.length) throw new RangeError("a blob is longer than its message");
      values.push(bytes.subarray(at + 4, at + 4 + size));
      at += 4 + ((size + 3) & ~3);
    }
    else if (tag === "T") values.push(true);
    else if (tag === "F") values.push(false);
    else if (tag === "N") values.push(null);
    else throw new RangeError(`type ${tag} is not known here`);
  }
  take(address, values, time);
}

/** @param {DataView} view @param {number} at */
function timetag(view, at) {
  const seconds = view.getUint32(at);
  const fraction = view.getUint32(at + 4);
  if (seconds === 0 && fraction === 1) return null;
  return seconds * 1000 + (fraction / 2 ** 32) * 1000 - NTP;
}
