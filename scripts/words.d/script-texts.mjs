// Which texts stand in a script of the page. The script is cut into tokens; which of its strings
// people read is told by where they stand. It is no parser: it knows brackets, calls, keys of
// objects and templates, as far as the page's own code goes.

const BEFORE_REGEX = /^(?:[([{,;:=!&|?+\-*%<>~^]|=>|&&|\|\||\?\?|===|!==|return|typeof|case|in|of)$/;

/// Cuts `source` into tokens: { kind: word, number, mark, string, template or regex, text, line }.
/// A template also has its `parts`, and the tokens of what stands between them as `inside`.
export function tokensOf(source, line = 1) {
  const tokens = [];
  let at = 0;
  const add = (kind, text, more = {}) => tokens.push({ kind, text, line, ...more });
  while (at < source.length) {
    const rest = source.slice(at, at + 300);
    const sign = source[at];
    const blank = rest.match(/^\s+/)?.[0] ?? (sign === "/" && "/*".includes(source[at + 1]) ? commentAt(source, at) : null);
    if (blank !== null) {
      line += blank.split("\n").length - 1;
      at += blank.length;
    } else if (sign === '"' || sign === "'") {
      const end = endOfString(source, at);
      add("string", unescaped(source.slice(at + 1, end)));
      at = end + 1;
    } else if (sign === "`") {
      const { parts, inside, end, lines } = templateAt(source, at, line);
      add("template", "", { parts, inside });
      line += lines;
      at = end;
    } else if (sign === "/" && (tokens.length === 0 || BEFORE_REGEX.test(tokens.at(-1).text) && tokens.at(-1).kind !== "string")) {
      const text = regexAt(source, at);
      add("regex", text);
      at += text.length;
    } else {
      const text = rest.match(/^(?:[\p{L}_$#][\p{L}\d_$]*|\d[\d._a-z]*|=>|\?\?=|\?\?|\?\.|===|!==|==|!=|&&|\|\||\.\.\.|.)/u)[0];
      add(/^[\p{L}_$#]/u.test(text) ? "word" : /^\d/.test(text) ? "number" : "mark", text);
      at += text.length;
    }
  }
  return tokens;
}

function commentAt(source, at) {
  const end = source[at + 1] === "/" ? source.indexOf("\n", at) : source.indexOf("*/", at) + 2;
  return source.slice(at, end < at ? source.length : end);
}

function endOfString(source, from) {
  let at = from + 1;
  while (source[at] !== source[from]) at += source[at] === "\\" ? 2 : 1;
  return at;
}

const unescaped = (text) => text.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1");

function regexAt(source, from) {
  let at = from + 1;
  for (let isClass = false; isClass || source[at] !== "/"; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "[") isClass = true;
    else if (source[at] === "]") isClass = false;
  }
  return source.slice(from, at + 1) + source.slice(at + 1).match(/^[a-z]*/)[0];
}

function templateAt(source, from, line) {
  const parts = [];
  const inside = [];
  let [at, start, lines] = [from + 1, from + 1, 0];
  const cut = () => parts.push(unescaped(source.slice(start, at)));
  while (source[at] !== "`") {
    if (source[at] === "\\") at += 2;
    else if (source.startsWith("${", at)) {
      cut();
      const end = endOfValue(source, at + 2);
      inside.push(tokensOf(source.slice(at + 2, end), line + lines));
      at = start = end + 1;
    } else {
      if (source[at] === "\n") lines += 1;
      at += 1;
    }
  }
  cut();
  return { parts, inside, end: at + 1, lines };
}

function endOfValue(source, from) {
  let [at, depth] = [from, 0];
  while (depth > 0 || source[at] !== "}") {
    if (source[at] === "`") at = templateAt(source, at, 1).end;
    else if (source[at] === '"') at = endOfString(source, at) + 1;
    else {
      depth += source[at] === "{" ? 1 : source[at] === "}" ? -1 : 0;
      at += 1;
    }
  }
  return at;
}

/// The key of a template: its values are numbered.
export const keyOf = (parts) => parts.reduce((text, part, index) => `${text}{${index}}${part}`);

// ---- Where a text stands.

/// What is read of an element, and what the page's own parts take as texts, by the keys of their
/// facts.
const READ_KEYS = new Set(["textContent", "title", "placeholder", "label", "aria-label", "alt", "note", "names", "show", "spoken"]);
/// Which arguments are texts, by the function; the first is 0.
const READ_CALLS = {
  toast: [0], say: [1], notice: [0, 1], t: [0], sayOnPad: [1], trigger: [0], addPanel: [1], macros: [0, 1], reset: [0],
  parts: [0, 1, 2, 3], padChoice: [0], list: [1], button: [0], control: [1], "#switch": [0], problem: [0],
};
/// What makes a text of a template.
const TAGS = new Set(["w", "pieces"]);
/// What takes texts as they are: they must be looked up before.
const RAW_CALLS = { write: [1], Option: [0] };
const RAW_FIELDS = new Set(["title", "textContent", "ariaLabel", "placeholder"]);

/// How the strings and templates of a script stand there: calls `found(token, stands)`, where
/// `stands` is
/// - `read`: people read it, and it is looked up on its way;
/// - `raw`: people read it as it is, so that it must have been looked up;
/// - `compared`: it is one side of a comparison;
/// - `elsewhere`, with the function that it is given to.
export function standing(tokens, found) {
  const frames = [{ open: "", key: null, raw: false }];
  for (const [index, token] of tokens.entries()) {
    const [before, next] = [tokens[index - 1], tokens[index + 1]];
    const frame = frames.at(-1);
    if (token.kind === "string" || token.kind === "template") {
      const isKey = frame.open === "{" && next?.text === ":" && (before?.text === "{" || before?.text === ",");
      const isCompared = [before, next].some((other) => other?.kind === "mark" && ["===", "!==", "==", "!="].includes(other.text));
      const tag = token.kind === "template" && TAGS.has(before?.text) ? before.text : "";
      if (isKey) frame.key = token.text;
      else found({ ...token, tag }, isCompared ? { at: "compared" } : place(frames));
      for (const inner of token.inside ?? []) standing(inner, found);
    } else if (token.kind === "mark") {
      step(token, tokens, index, frames);
    } else if (token.kind === "word" && frame.open === "{" && next?.text === ":" && ["{", ","].includes(before?.text)) {
      frame.key = token.text;
    }
  }
}

function step(token, tokens, index, frames) {
  const [before, frame] = [tokens[index - 1], frames.at(-1)];
  if ("([{".includes(token.text)) {
    const isCall = token.text === "(" && before?.kind === "word" && !["if", "for", "while", "return", "of", "in"].includes(before.text);
    const isBody = token.text === "{" && [")", "=>"].includes(before?.text);
    frames.push({ open: isBody ? "body" : token.text, call: isCall ? before.text : "", argument: 0, key: null, first: tokens[index + 1] });
  } else if (")]}".includes(token.text)) {
    if (frames.length > 1) frames.pop();
  } else if (token.text === ",") {
    frame.argument += 1;
    frame.key = null;
    frame.raw = false;
  } else if (token.text === ";") {
    frame.raw = false;
  } else if (token.text === "=" && before?.kind === "word" && RAW_FIELDS.has(before.text) && tokens[index - 2]?.text === ".") {
    frame.raw = true;
  }
}

function place(frames) {
  for (let index = frames.length - 1; index >= 0; index -= 1) {
    const frame = frames[index];
    if (frame.raw) return { at: "raw" };
    if (frame.open === "{") {
      if (READ_KEYS.has(frame.key)) return { at: "read" };
      // The names of a choice's words are an object themselves.
      if (frames[index - 1]?.key !== "names") return { at: "elsewhere", call: "" };
    } else if (frame.open === "body") {
      return { at: "elsewhere", call: "" };
    } else if (frame.call) {
      if (READ_CALLS[frame.call]?.includes(frame.argument) || (frame.call === "h" && frame.argument > 1)) return { at: "read" };
      if (RAW_CALLS[frame.call]?.includes(frame.argument)) return { at: "raw" };
      if (frame.call === "setAttribute" && frame.argument === 1 && frame.first?.text.startsWith("aria-label")) return { at: "raw" };
      return { at: "elsewhere", call: frame.call };
    }
  }
  return { at: "elsewhere", call: "" };
}
