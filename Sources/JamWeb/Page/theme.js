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
    // The colours of sounds: bright ones, or those that every eye tells apart.
    const colours = look === "clear" || chosen("colours") === "clear" ? "clear" : "";
    const now = [theme, look, colours].join();
    if (root.dataset.shown === now) return;
    root.dataset.shown = now;
    Object.assign(root.dataset, { theme, look, colours });
    // The browser's own bars follow the page, and not the system.
    const ground = look ? "#000" : theme === "dark" ? "#151412" : "#f6f4f0";
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = ground;
    dispatchEvent(new Event("themechange"));
  };
  system.addEventListener?.("change", apply);
  addEventListener("themechoice", apply);
  apply();
  // Behind More is what the first screen leaves out (more.js).
  if (chosen("more") === true) root.dataset.more = "";
  // The first wished language that the page has. Only the part before the hyphen counts: "da-DK" is
  // Danish.
  const wishes = [chosen("language"), ...navigator.languages].map((tag) => String(tag).split("-")[0]);
  root.lang = wishes.find((tag) => ["en", "de", "da", "es", "ja"].includes(tag)) ?? "en";
  // The page stays hidden until its words are loaded, or cannot be loaded (language.js).
  if (root.lang !== "en") root.dataset.words = "coming";
})();
