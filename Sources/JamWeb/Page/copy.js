// Passes on a text or a link: by the system's share sheet, or by the clipboard.

/// Copies `text`. Where the browser forbids that, as on plain HTTP, this shows `holder`, which
/// contains the text, and selects it.
/// - Returns: false where the person has to copy the selected text.
export async function copyText(text, holder) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // On plain HTTP browsers have no clipboard API, but selecting and copying still works there.
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

/// Shares a link. Call it from a tap: browsers allow sharing only then.
/// - Returns: `shared`; `copied`; `selected` where the person has to copy the selected link; or
///   `left` where the person closed the share sheet.
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
