// A button that means one thing tapped and another one held. With keys, the menu key, or Shift + F10, is the hold.

/// Milliseconds, and pixels that a finger that holds may stray.
const [LONG, STRAY] = [450, 12];

/// Calls `tap` or `hold`, one of them for each touch.
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
