// @ts-check
// Writes a WAV file with 24 bits from decoded channels.

/// The frames [from, to) of a channel. A cut beginning fades in over 1 ms, a cut end fades out over
/// 5 ms; an end that is the channel's own stays as it is.
/** @param {Float32Array} channel @param {number} from @param {number} to @param {number} rate */
export function part(channel, from, to, rate) {
  const cut = channel.slice(from, to);
  const [attack, release] = [from > 0 ? rate / 1000 : 0, to < channel.length ? rate / 200 : 0].map((frames) => Math.min(Math.round(frames), cut.length >> 1));
  for (let i = 0; i < attack; i += 1) cut[i] *= i / attack;
  for (let i = 0; i < release; i += 1) cut[cut.length - 1 - i] *= i / release;
  return cut;
}

/// - Parameters: `channels`: Float32Arrays of one length, nominally ±1; `rate`: frames per second.
/** @param {Float32Array[]} channels @param {number} rate */
export function wav(channels, rate) {
  const count = channels.length;
  const frames = channels[0].length;
  const size = frames * count * 3;
  const bytes = new Uint8Array(44 + size);
  const view = new DataView(bytes.buffer);
  /** @param {number} at @param {string} text */
  const word = (at, text) => { for (let i = 0; i < 4; i += 1) bytes[at + i] = text.charCodeAt(i); };
  word(0, "RIFF");
  view.setUint32(4, 36 + size, true);
  word(8, "WAVE");
  word(12, "fmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, count, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * count * 3, true);
  view.setUint16(32, count * 3, true);
  view.setUint16(34, 24, true);
  word(36, "data");
  view.setUint32(40, size, true);
  let at = 44;
  for (let frame = 0; frame < frames; frame += 1) for (const channel of channels) {
    const value = Math.round(Math.min(1, Math.max(-1, channel[frame])) * 8388607);
    bytes[at] = value & 255;
    bytes[at + 1] = (value >> 8) & 255;
    bytes[at + 2] = (value >> 16) & 255;
    at += 3;
  }
  return bytes;
}
