// Runs before the page is drawn, so that it does not flash in another theme or
// layout, or in English.
(() => {
  const chosen = (key) => {
    try { return JSON.parse(localStorage.getItem(`bandshell ${key}`)); } catch { return null; }
  };
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const choice = chosen("theme") || "system";
    const theme = (choice === "system" ? system.matches : choice !== "light") ? "dark" : "light";
    // Two dark themes are for a stage: a black one, and one with colours that people with any
    // colour vision can tell apart.
    const look = ["black", "clear"].includes(choice) ? choice : "";
    if (root.dataset.theme === theme && (root.dataset.look ?? "") === look) return;
    root.dataset.theme = theme;
    root.dataset.look = look;
    dispatchEvent(new Event("themechange"));
  };
  system.addEventListener?.("change", apply);
  addEventListener("themechoice", apply);
  apply();
  // Behind More is what the first screen leaves out (more.js).
  root.toggleAttribute("data-more", chosen("more") === true);
  // The first wished language that the page has. Only the part before the hyphen counts: "da-DK" is
  // Danish.
  const wishes = [chosen("language"), ...navigator.languages].map((tag) => String(tag).split("-")[0]);
  root.lang = wishes.find((tag) => ["en", "de", "da", "es", "ja"].includes(tag)) ?? "en";
  // The page stays hidden until its words are loaded, or cannot be loaded (language.js).
  if (root.lang !== "en") root.dataset.words = "coming";
})();
