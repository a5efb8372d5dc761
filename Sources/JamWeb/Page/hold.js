// A button with two meanings, one for a tap and one for a hold. On a keyboard the menu key, or
// Shift + F10, is the hold.

/// LONG: milliseconds that a finger holds. STRAY: pixels that the finger may move meanwhile.
const [LONG, STRAY] = [450, 12];

/// Calls either `tap` or `hold` for each touch.
export function onHold(button, { tap, hold }) {
  let timer = 0;
  let start = null;
  let isHeld = false;
  const end = () => {
    clearTimeout(timer);
    start = null;
  };
  const act = () => {
    end();
    isHeld = true;
    hold();
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    isHeld = false;
    start = [event.clientX, event.clientY];
    timer = setTimeout(act, LONG);
  });
  button.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > STRAY) end();
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(name, end);
  button.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (!isHeld) act();
  });
  button.addEventListener("click", () => {
    if (!isHeld) tap();
    isHeld = false;
  });
}
