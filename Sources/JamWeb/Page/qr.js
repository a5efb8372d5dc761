// QR codes, byte mode, error correction M, versions 1 to 10 (213 bytes). Source: ISO/IEC 18004.

import { w } from "./dom.js";

// For each version: the number of error correction bytes per block, and the blocks' data lengths.
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

function correction(data, length) {
  let generator = [1];
  for (let i = 0; i < length; i += 1) {
    const next = new Array(generator.length + 1).fill(0);
    generator.forEach((value, at) => {
      next[at] ^= value;
      next[at + 1] ^= times(value, EXP[i]);
    });
    generator = next;
  }
  const rest = new Uint8Array(length);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest.copyWithin(0, 1);
    rest[length - 1] = 0;
    for (let i = 0; i < length; i += 1) rest[i] ^= times(generator[i + 1], factor);
  }
  return rest;
}

function codewords(bytes, version) {
  const [extra, lengths] = BLOCKS[version - 1];
  const room = lengths.reduce((a, b) => a + b);
  const bits = [];
  const push = (value, count) => { for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1); };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < room * 8; pad ^= 0xfd) push(pad, 8);
  const all = [];
  for (let i = 0; i < bits.length; i += 8) all.push(bits.slice(i, i + 8).reduce((a, b) => a * 2 + b));
  let at = 0;
  const data = lengths.map((length) => all.slice(at, (at += length)));
  const checks = data.map((block) => correction(block, extra));
  const out = [];
  for (let i = 0; i < Math.max(...lengths); i += 1) for (const block of data) if (i < block.length) out.push(block[i]);
  for (let i = 0; i < extra; i += 1) for (const block of checks) out.push(block[i]);
  return out;
}

const MASKS = [
  (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function remainder(value, polynomial, bits) {
  let rest = value << bits;
  for (let i = 31 - Math.clz32(rest); i >= bits; i -= 1) if ((rest >> i) & 1) rest ^= polynomial << (i - bits);
  return (value << bits) | rest;
}

/// The modules of the code for `text`: rows of 0 and 1.
export function modules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex(([, lengths], i) => bytes.length + (i < 9 ? 2 : 3) <= lengths.reduce((a, b) => a + b)) + 1;
  if (version === 0) throw new RangeError("the text is too long for this code");
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (x, y, value) => { if (x >= 0 && y >= 0 && x < size && y < size) grid[y][x] = value ? 1 : 0; };
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let y = -4; y <= 4; y += 1) for (let x = -4; x <= 4; x += 1) {
      const ring = Math.max(Math.abs(x), Math.abs(y));
      set(cx + x, cy + y, ring !== 2 && ring !== 4);
    }
  }
  for (let i = 8; i < size - 8; i += 1) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  const places = ALIGNMENT[version - 1];
  for (const cx of places) for (const cy of places) {
    if ((cx === 6 && cy === 6) || (cx === 6 && cy === places.at(-1)) || (cy === 6 && cx === places.at(-1))) continue;
    for (let y = -2; y <= 2; y += 1) for (let x = -2; x <= 2; x += 1) set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
  }
  const information = (mask) => {
    const bits = remainder(mask, 0x537, 10) ^ 0x5412; // Level M is 00.
    for (let i = 0; i < 15; i += 1) {
      const bit = (bits >> i) & 1;
      if (i < 6) set(8, i, bit);
      else if (i < 8) set(8, i + 1, bit);
      else if (i === 8) set(7, 8, bit);
      else set(14 - i, 8, bit);
      if (i < 8) set(size - 1 - i, 8, bit);
      else set(8, size - 15 + i, bit);
    }
    set(8, size - 8, 1);
  };
  information(0);
  if (version >= 7) {
    const bits = remainder(version, 0x1f25, 12);
    for (let i = 0; i < 18; i += 1) {
      set(size - 11 + (i % 3), Math.floor(i / 3), (bits >> i) & 1);
      set(Math.floor(i / 3), size - 11 + (i % 3), (bits >> i) & 1);
    }
  }
  const free = [];
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let i = 0; i < size; i += 1) for (const x of [right, right - 1]) {
      const y = up ? size - 1 - i : i;
      if (grid[y][x] === null) free.push([x, y]);
    }
  }
  const words = codewords(bytes, version);
  const best = MASKS.map((mask, number) => {
    free.forEach(([x, y], i) => { grid[y][x] = ((words[i >> 3] ?? 0) >> (7 - (i & 7)) & 1) ^ (mask(x, y) ? 1 : 0); });
    information(number);
    return { cost: cost(grid), copy: grid.map((row) => [...row]) };
  }).reduce((a, b) => (b.cost < a.cost ? b : a));
  return best.copy;
}

function cost(grid) {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  const finder = [1, 0, 1, 1, 1, 0, 1];
  for (let i = 0; i < size; i += 1) {
    for (const at of [(j) => grid[i][j], (j) => grid[j][i]]) {
      let run = 1;
      for (let j = 1; j <= size; j += 1) {
        if (j < size && at(j) === at(j - 1)) run += 1;
        else {
          if (run >= 5) sum += run - 2;
          run = 1;
        }
      }
      for (let j = 0; j + 7 <= size; j += 1) {
        if (!finder.every((value, k) => at(j + k) === value)) continue;
        const quiet = (from) => [0, 1, 2, 3].every((k) => from + k < 0 || from + k >= size || at(from + k) === 0);
        if (quiet(j - 4) || quiet(j + 7)) sum += 40;
      }
    }
    for (let j = 0; j < size; j += 1) {
      dark += grid[i][j];
      if (i && j && grid[i][j] === grid[i - 1][j] && grid[i][j] === grid[i][j - 1] && grid[i][j] === grid[i - 1][j - 1]) sum += 3;
    }
  }
  return sum + 10 * Math.floor(Math.abs((dark / size / size) * 20 - 10));
}

/// The code as an SVG drawing, dark on light whatever the page's ground is.
export function drawCode(text) {
  const grid = modules(text);
  const quiet = 4;
  const size = grid.length + 2 * quiet;
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", w`QR code of ${text}`);
  svg.setAttribute("shape-rendering", "crispEdges");
  const ground = document.createElementNS(name, "rect");
  for (const [key, value] of [["width", size], ["height", size], ["fill", "#fff"]]) ground.setAttribute(key, value);
  const path = document.createElementNS(name, "path");
  path.setAttribute("fill", "#000");
  path.setAttribute("d", grid.map((row, y) => row.map((on, x) => (on ? `M${x + quiet} ${y + quiet}h1v1h-1z` : "")).join("")).join(""));
  svg.append(ground, path);
  return svg;
}
