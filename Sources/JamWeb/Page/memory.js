// @ts-check
// What this browser remembers. A browser that keeps nothing forgets kindly.

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

/// The same for this tab alone.
/** @param {string} key @param {any} otherwise */
export const recallHere = (key, otherwise = null) => recall(key, otherwise, "sessionStorage");
/** @param {string} key @param {any} value */
export const rememberHere = (key, value) => remember(key, value, "sessionStorage");
