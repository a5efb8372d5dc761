// Translates the texts of index.html and page.css, once, when the page starts in another language
// than English.

const READ = ["title", "aria-label", "placeholder", "alt"];

/// The words that the style sheet shows behind a pad's number.
const SIGNS = ["Hold", "Loop", "Roll", "Choke", "Muted", "Not solo", "Offline", "Listening"];

/// - Parameter t: returns a text in the page's language.
export function translate(root, t) {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    if (node.nodeType === Node.TEXT_NODE) {
      const text = t(node.data);
      if (text !== node.data) node.data = text;
    } else {
      for (const name of READ) if (node.hasAttribute(name)) node.setAttribute(name, t(node.getAttribute(name)));
    }
  }
  for (const sign of SIGNS) document.documentElement.style.setProperty(`--sign-${sign.toLowerCase().replace(" ", "-")}`, JSON.stringify(` ${t(sign)}`));
}
