// Keeps the screen lit while somebody is signed in: a call must not come to a dark one.
// Browsers give the lock up when a page is out of sight, so it is taken again; without one, as over plain HTTP, nothing is done.

let wanted = false;
let held = null;

/** Keep the screen lit, or let it go dark again. */
export function keepAwake(yes) {
  wanted = yes;
  if (yes) take();
  else held?.release();
}

async function take() {
  if (!wanted || held !== null || document.visibilityState !== "visible" || !navigator.wakeLock) return;
  try {
    held = await navigator.wakeLock.request("screen");
  } catch {
    return; // the PC saves power: it decides
  }
  held.addEventListener("release", () => { held = null; });
  if (!wanted) held.release();
}

document.addEventListener("visibilitychange", take);
