// Nothing jumps under a finger: strips wait with moving until a touch is over, and one that has just come to lie where
// another one lay cannot be touched by whoever meant that.
// Invariant: a touch does what stood there when the finger went down.

const QUIET = 500; // ms after a touch in which nothing moves
const HELD = 10_000; // ms for which a finger holds them at most: it may be a hand that rests there
const STRANGE = 400; // ms after a strip has come to the place of another one

let touched = -Infinity;
let down = false;
let waiting = null;

/** Watch the touches within this element. */
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

/** Do this now, or once the touch is over. What waits is done once. */
export function calmly(act) {
  clearTimeout(waiting);
  const left = touched + (down ? HELD : QUIET) - performance.now();
  if (left <= 0) return act();
  waiting = setTimeout(() => calmly(act), Math.min(left, 50));
}

/** These strips have another place on the page now. */
export function moved(strips) {
  const now = performance.now();
  for (const strip of strips) strip.moved = now;
}

/** Draw a list by `draw`, and remember which of its strips have come to where another one lay. */
export function moving(element, draw) {
  const before = [...element.children];
  draw();
  moved([...element.children].filter((strip, index) => before[index] !== undefined && before[index] !== strip));
}
