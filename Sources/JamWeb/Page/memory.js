// @ts-check
// Values that this browser remembers. In a browser that stores nothing, nothing is remembered, and
// no error is thrown.

/** @typedef {"localStorage" | "sessionStorage"} Where */

/** @param {string} key @param {any} otherwise @param {Where} where */
export function recall(key, otherwise = null, where = "localStorage") {
  try {
    const text = window[where].getItem(`bandshell ${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {any} value @param {Where} where */
export function remember(key, value, where = "localStorage") {
  try {
    if (value === null) window[where].removeItem(`bandshell ${key}`);
    else window[where].setItem(`bandshell ${key}`, JSON.stringify(value));
  } catch {}
}

/// The same, for this tab only.
/** @param {string} key @param {any} otherwise */
export const recallHere = (key, otherwise = null) => recall(key, otherwise, "sessionStorage");
/** @param {string} key @param {any} value */
export const rememberHere = (key, value) => remember(key, value, "sessionStorage");
