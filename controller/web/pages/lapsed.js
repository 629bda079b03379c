// Where nobody has touched the page for a while: the table is still seen, and the PIN is asked before anything is done.
// Invariant: a ruling asks for it in its own confirm (`rule`), everything else asks here; either lets them go on.

import { at, make, say, show } from "./dom.js";
import { Shown } from "./pin.js";
import { badgeIs, comeBack, hasLapsed, me } from "./talk.js";

let shown = null;
let then = null; // what is done once they are back
let next = null; // the same, once they are and the table is seen again

/** Make it ready. */
export function ready(words) {
  const form = at("form.lapsed");
  shown = new Shown(words);
  form.replaceChildren(make("p", {}, words.lapsed), shown.element, make("button.go", { type: "submit" }, words.go_on));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!shown.filled) return shown.focus();
    const wrong = await comeBack(shown.take()).catch(() => words.gone);
    shown.refuse(wrong);
    if (wrong !== "") return; // what waits goes on waiting
    [next, then] = [then, null];
  });
}

/** Draw it. `making`: whether a ruling is being made, which asks by itself. */
export function draw(words, making) {
  if (next !== null && !hasLapsed()) {
    queueMicrotask(next);
    next = null;
  }
  const needed = hasLapsed() && !making;
  if (!hasLapsed()) then = null; // they came back elsewhere
  show(at("form.lapsed"), needed);
  if (needed) shown.of(words.pin_of.replace("{name}", me().name));
  else shown.clear();
}

/** What waits for it is not meant any more. */
export const forget = () => { then = null; };

/** A badge was read. */
export function read(code) {
  if (!hasLapsed()) return;
  shown.read(code, badgeIs());
  if (shown.filled) at("form.lapsed").requestSubmit();
}

/** Whether the PIN is wanted first: then it is asked for, and this is done after it. */
export function first(act = null) {
  if (!hasLapsed()) return false;
  then = act;
  (at("form.rule .pin input") ?? shown).focus();
  return true;
}
