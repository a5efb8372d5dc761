// Runs before anything is drawn, so that the page does not flash in the other theme.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let choice = "system";
    try { choice = JSON.parse(localStorage.getItem("bandshell theme")) || "system"; } catch {}
    const dark = choice === "system" ? system.matches : choice === "dark";
    if (document.documentElement.dataset.theme === (dark ? "dark" : "light")) return;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    dispatchEvent(new Event("themechange"));
  };
  system.addEventListener?.("change", apply);
  addEventListener("themechoice", apply);
  apply();
})();
