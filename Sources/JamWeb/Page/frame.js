// One loop for all drawings: each drawing is called once a frame, until it returns false.

const drawings = new Set();
let running = false;

function step(now) {
  for (const draw of drawings) if (draw(now) === false) drawings.delete(draw);
  running = drawings.size > 0;
  if (running) requestAnimationFrame(step);
}

/// Calls `draw(now)` each frame until it returns false; adding it again while it runs changes
/// nothing.
export function animate(draw) {
  drawings.add(draw);
  if (running) return;
  running = true;
  requestAnimationFrame(step);
}
