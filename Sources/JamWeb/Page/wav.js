// @ts-check
// A WAV file, 24 bits, of decoded channels.

/// - Parameters: `channels`: Float32Arrays of one length, ±1; `rate`: frames a second.
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
