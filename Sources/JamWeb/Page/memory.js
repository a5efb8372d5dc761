// What this browser remembers. A browser that keeps nothing forgets kindly.

export function recall(key, otherwise = null) {
  try {
    const text = localStorage.getItem(`bandshell ${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(`bandshell ${key}`);
    else localStorage.setItem(`bandshell ${key}`, JSON.stringify(value));
  } catch {}
}
