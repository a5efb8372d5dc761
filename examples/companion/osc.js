// OSC 1.0 messages, and their frames on a TCP connection: a length of four bytes in front of each
// packet. Nothing here knows Companion or a socket.

const utf8 = new TextEncoder();
const text = new TextDecoder();

const padded = (size) => (size + 3) & ~3;

/** A string with its zeros. */
function written(string) {
  const bytes = utf8.encode(string);
  const all = new Uint8Array(padded(bytes.length + 1));
  all.set(bytes);
  return all;
}

/**
 * One message. A number is a float, `{ int: 3 }` an int, a string a string, a boolean `T` or `F`,
 * and null `N`, which leaves an optional argument out.
 * @param {string} address
 * @param {(number | string | boolean | null | { int: number })[]} values
 * @returns {Uint8Array}
 */
export function message(address, values = []) {
  let tags = ",";
  const parts = [];
  for (const value of values) {
    if (value === null) tags += "N";
    else if (value === true) tags += "T";
    else if (value === false) tags += "F";
    else if (typeof value === "string") {
      tags += "s";
      parts.push(written(value));
    } else {
      const bytes = new Uint8Array(4);
      const view = new DataView(bytes.buffer);
      if (typeof value === "number") view.setFloat32(0, value);
      else view.setInt32(0, value.int);
      tags += typeof value === "number" ? "f" : "i";
      parts.push(bytes);
    }
  }
  return joined([written(address), written(tags), ...parts]);
}

/** The packet with its length in front, as a TCP connection carries it. */
export function framed(packet) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, packet.length);
  return joined([length, packet]);
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

/**
 * The messages of a packet, those of bundles one after another. What cannot be read is left out.
 * @returns {{ address: string, values: any[] }[]}
 */
export function messages(packet) {
  const found = [];
  read(packet, found, 0);
  return found;
}

function read(packet, found, depth) {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  try {
    if (packet[0] !== 0x23) found.push(readMessage(packet, view));
    else if (depth < 8) {
      // "#bundle", its zero, and eight bytes of timetag.
      for (let place = 16; place + 4 <= packet.length; ) {
        const size = view.getUint32(place);
        read(packet.subarray(place + 4, place + 4 + size), found, depth + 1);
        place += 4 + size;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

function readMessage(packet, view) {
  let place = 0;
  const string = () => {
    const end = packet.indexOf(0, place);
    if (end < 0) throw new RangeError("a string does not end");
    const found = text.decode(packet.subarray(place, end));
    place = padded(end + 1);
    return found;
  };
  const skip = (size) => (place += size) - size;
  const address = string();
  const values = [];
  for (const tag of string().slice(1)) {
    switch (tag) {
      case "f": values.push(view.getFloat32(skip(4))); break;
      case "i": values.push(view.getInt32(skip(4))); break;
      case "d": values.push(view.getFloat64(skip(8))); break;
      case "h": case "t": values.push(view.getBigInt64(skip(8))); break;
      case "s": case "S": values.push(string()); break;
      case "T": values.push(true); break;
      case "F": values.push(false); break;
      case "N": case "I": values.push(null); break;
      case "c": case "m": case "r": values.push(view.getUint32(skip(4))); break;
      case "b": {
        const size = view.getUint32(skip(4));
        values.push(packet.slice(place, place + size));
        place += padded(size);
        break;
      }
      default: throw new RangeError(`type ${tag}`);
    }
  }
  return { address, values };
}

/** Cuts what comes over a connection into packets. */
export class Frames {
  #bytes = new Uint8Array(0);

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array[]} the packets that are whole now
   * @throws RangeError where the length is none of this server's: the connection has to begin anew
   */
  take(bytes) {
    this.#bytes = joined([this.#bytes, bytes]);
    const packets = [];
    while (this.#bytes.length >= 4) {
      const size = new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getUint32(0);
      if (size > 65_536) throw new RangeError(`a packet of ${size} bytes`);
      if (this.#bytes.length < 4 + size) break;
      packets.push(this.#bytes.slice(4, 4 + size));
      this.#bytes = this.#bytes.subarray(4 + size);
    }
    return packets;
  }
}
