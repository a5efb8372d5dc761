// Runs before anything is drawn, so that the page does not flash in the other theme, or in English.
(() => {
  const chosen = (key) => {
    try { return JSON.parse(localStorage.getItem(`bandshell ${key}`)); } catch { return null; }
  };
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const choice = chosen("theme") || "system";
    const theme = (choice === "system" ? system.matches : choice !== "light") ? "dark" : "light";
    // Two dark ones are for a stage: black, and colours that everybody tells apart.
    const look = ["black", "clear"].includes(choice) ? choice : "";
    if (root.dataset.theme === theme && (root.dataset.look ?? "") === look) return;
    root.dataset.theme = theme;
    root.dataset.look = look;
    dispatchEvent(new Event("themechange"));
  };
  system.addEventListener?.("change", apply);
  addEventListener("themechoice", apply);
  apply();
  // The first of these that the page speaks, by what stands before its hyphen: "da-DK" is Danish.
  const wishes = [chosen("language"), ...navigator.languages].map((tag) => String(tag).split("-")[0]);
  root.lang = wishes.find((tag) => ["en", "de", "da", "es", "ja"].includes(tag)) ?? "en";
  // Nothing is shown until the words are there, or will not come (language.js).
  if (root.lang !== "en") root.dataset.words = "coming";
})();
