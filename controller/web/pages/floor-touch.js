// Nothing jumps under a finger: strips do not move during a touch, and a strip that has just taken the place of another
// one ignores touches for a moment.
// Invariant: a touch acts on what was there when the finger went down.

const QUIET = 500; // ms after a touch in which nothing moves
const HELD = 10_000; // longest ms for which a finger stops movements, as a hand may rest on the screen
const STRANGE = 400; // ms for which a strip at a new place ignores touches

let touched = -Infinity;
let down = false;
let waiting = null;

/** Watch touches within this element, and ignore those on strips that have just moved. */
export function watch(element) {
  element.addEventListener("pointerdown", () => { [touched, down] = [performance.now(), true]; }, { capture: true, passive: true });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => {
    if (down) [touched, down] = [performance.now(), false];
  }, { capture: true, passive: true });
  element.addEventListener("click", (event) => {
    const strip = event.target.closest("li");
    const isStrange = event.detail > 0 && performance.now() - (strip?.moved ?? -Infinity) < STRANGE;
    if (isStrange) event.stopImmediatePropagation();
  }, true);
}

/** Call `act` now, or after the touch. Of several waiting calls only the last is made. */
export function calmly(act) {
  clearTimeout(waiting);
  const left = touched + (down ? HELD : QUIET) - performance.now();
  if (left <= 0) return act();
  waiting = setTimeout(() => calmly(act), Math.min(left, 50));
}

/** Note that these strips have a new place on the page. */
export function moved(strips) {
  const now = performance.now();
  for (const strip of strips) strip.moved = now;
}

/** Draw a list by `draw`, and note the strips that have taken the place of another one. */
export function moving(element, draw) {
  const before = [...element.children];
  draw();
  moved([...element.children].filter((strip, index) => before[index] !== undefined && before[index] !== strip));
}
