// Lapsed session, after a while without touches: the table is still shown, and every act needs the PIN first.
// Invariant: a ruling asks for the PIN in its own form (`rule`), all other acts here; either ends the lapse.

import { at, make, show } from "./dom.js";
import { Shown } from "./pin.js";
import { badgeIs, comeBack, hasLapsed, me } from "./talk.js";

let shown = null;
let then = null; // act that waits for the PIN
let next = null; // the same act after the PIN, until the page has been drawn again

export function ready(words) {
  const form = at("form.lapsed");
  shown = new Shown(words);
  form.replaceChildren(make("p", {}, words.lapsed), shown.element, make("button.go", { type: "submit" }, words.go_on));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!shown.filled) return shown.focus();
    const wrong = await comeBack(shown.take()).catch(() => words.gone);
    shown.refuse(wrong);
    if (wrong !== "") return; // the act keeps waiting
    [next, then] = [then, null];
  });
}

/** Draw the form. `making`: a ruling is in progress, and asks itself. */
export function draw(words, making) {
  if (next !== null && !hasLapsed()) {
    queueMicrotask(next);
    next = null;
  }
  const needed = hasLapsed() && !making;
  if (!hasLapsed()) then = null; // the PIN was typed elsewhere
  show(at("form.lapsed"), needed);
  if (needed) shown.of(words.pin_of.replace("{name}", me().name));
  else shown.clear();
}

/** Drop the waiting act. */
export const forget = () => { then = null; };

/** Handle a badge. */
export function read(code) {
  if (!hasLapsed()) return;
  shown.read(code, badgeIs());
  if (shown.filled) at("form.lapsed").requestSubmit();
}

/** Returns true if the PIN is needed first; it is then asked for, and `act` is called after it. */
export function first(act = null) {
  if (!hasLapsed()) return false;
  then = act;
  (at("form.rule .pin input") ?? shown).focus();
  return true;
}
