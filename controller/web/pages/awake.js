// Keeps the screen on, so that no call or instruction comes to a dark screen.
// Browsers release the lock of a hidden page, so it is requested again. Without locks (plain HTTP) nothing is done.
// Invariant: at most one lock is held or requested, so that none is left when the screen may go dark.

let wanted = false;
let held = null; // the lock, or true while it is requested

/** Keep the screen on, or let it go dark again. */
export function keepAwake(yes) {
  wanted = yes;
  if (yes) take(); // called with every screen, so a lock that the PC has released is requested again
  else held?.release?.();
}

async function take() {
  if (!wanted || held !== null || document.visibilityState !== "visible" || !navigator.wakeLock) return;
  held = true;
  held = await navigator.wakeLock.request("screen").catch(() => null); // null: refused, to save power
  held?.addEventListener("release", () => { held = null; });
  if (!wanted) held?.release();
}

document.addEventListener("visibilitychange", take);
