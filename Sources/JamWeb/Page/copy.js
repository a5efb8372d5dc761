// Hands a text or a link on: by the system's own sheet, or by the clipboard.

/// Copies `text`. Where the browser forbids that, as on plain HTTP, `holder`, in which the text
/// stands, is shown and selected.
/// - Returns: false where it is left to the hand.
export async function copyText(text, holder) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API vanishes on a plain-HTTP origin; selecting and copying does not.
    holder.hidden = false;
    if (holder.select) {
      holder.focus();
      holder.select();
    } else {
      const range = document.createRange();
      range.selectNodeContents(holder);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    }
    return document.execCommand("copy");
  }
}

/// Hands a link on. Called by a tap: browsers allow it only then.
/// - Returns: `shared`, `copied`, `selected` where it is left to the hand, or `left` where somebody
///   thought better of it.
export async function shareLink(title, url, holder) {
  if (isSecureContext && navigator.share) {
    try {
      await navigator.share({ title, url });
      return "shared";
    } catch (problem) {
      if (problem.name === "AbortError") return "left";
    }
  }
  return (await copyText(url, holder)) ? "copied" : "selected";
}
