// Keeps the screen lit where a call or an order must not come to a dark one.
// Browsers give the lock up when a page is out of sight, so it is taken again; without one, as over plain HTTP, nothing is done.
// Invariant: at most one lock is held or asked for, so that none is left behind when the screen may go dark.

let wanted = false;
let held = null; // the lock, or true while it is asked for

/** Keep the screen lit, or let it go dark again. */
export function keepAwake(yes) {
  wanted = yes;
  if (yes) take(); // said with every screen: a lock that the PC has taken back is asked for again
  else held?.release?.();
}

async function take() {
  if (!wanted || held !== null || document.visibilityState !== "visible" || !navigator.wakeLock) return;
  held = true;
  held = await navigator.wakeLock.request("screen").catch(() => null); // null: the PC saves power, and decides
  held?.addEventListener("release", () => { held = null; });
  if (!wanted) held?.release();
}

document.addEventListener("visibilitychange", take);
