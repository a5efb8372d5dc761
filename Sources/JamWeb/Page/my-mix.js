// @ts-check
// A mix of the player's own: a volume and a mute for each player, for this player's ears alone. The
// room keeps it, by name, and this device listens to the player's cue while it differs from what
// everybody hears.

/// Milliseconds after which a cue that was refused is asked for again.
export const AGAIN = 60_000;

/// The names that a mix has values for, of those that differ from what everybody hears.
/** @param {{ below(prefix: string): [string, any[]][] }} state as the page's room */
export function changed(state) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const [address, [value]] of state.below("/mix/")) {
    const name = nameIn(address);
    if (name !== null && Number(value) !== 0) names.add(name);
  }
  return names;
}

/// The name in `/mix/<name>/gain` and `/mix/<name>/mute`; null in any other address.
/** @param {string} address */
export const nameIn = (address) => /^\/mix\/(.+)\/(?:gain|mute)$/.exec(address)?.[1] ?? null;

/// Asks for the player's cue while the player's mix differs.
/**
 * @param {{
 *   state: { below(prefix: string): [string, any[]][] },
 *   want: (what: string, on: boolean) => unknown,
 *   after: (wait: number, act: () => void) => unknown, problem: () => void,
 * }} parts `problem()` says that the server has no such stream left
 */
export function follower({ state, want, after, problem }) {
  let isAsked = false;
  let waits = false;
  let wasRefused = false;
  function look() {
    const wants = changed(state).size > 0 && !waits;
    if (wants === isAsked) return;
    isAsked = wants;
    want("mix", wants);
  }
  return {
    look,
    refused() {
      isAsked = false;
      waits = true;
      after(AGAIN, () => {
        waits = false;
        look();
      });
      if (!wasRefused) problem();
      wasRefused = true;
    },
  };
}
