// Sign-in layer: name, PIN, large keys.
// Invariant: while it is shown, the page contains nothing of the table except whether a round is paused.

import { keepAwake } from "./awake.js";
import { badges } from "./badge.js";
import { mark, say, show } from "./dom.js";
import { pad } from "./pin.js";
import { badgeIs, me, signIn } from "./talk.js";

const NAME = "tablectl-name"; // name of the person who signed in last
localStorage.removeItem("tablectl-digits"); // earlier versions stored the length of the PIN

let badge = null; // code of a badge, in place of the name

/** Prepare the layer. `entered`: called after a sign-in; `elsewhere`: called with a badge while it is hidden. */
export function gate(form, words, entered, elsewhere) {
  const [name, pin] = [form.elements.name, form.elements.pin];
  say(form.querySelector("h2"), words.sign_in);
  say(form.querySelector(".who span"), words.name);
  say(form.querySelector(".pin span"), words.pin);
  say(form.querySelector(".go"), words.sign_in);
  say(form.querySelector(".paused"), words.paused ?? ""); // a floor has no such text
  form.querySelector(".pad").replaceChildren(...pad(() => pin, words));
  name.addEventListener("input", () => { badge = null; mark(form, "data-badge", null); });
  const submit = async () => {
    if (pin.readOnly) return; // already sent
    pin.readOnly = true;
    const error = await attempt(name, pin).catch(() => words.never);
    pin.readOnly = false;
    say(form.querySelector(".error"), error);
    pin.value = "";
    if (error === "") entered();
    else pin.focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  badges((code) => {
    if (pin.readOnly || badgeIs() === null) return;
    if (form.hidden) return elsewhere(code);
    badge = code;
    mark(form, "data-badge", true);
    [name.value, pin.value] = [words.badge, ""];
    if (badgeIs() === "alone") submit();
    else pin.focus();
  });
}

async function attempt(name, pin) {
  const said = badge === null ? { name: name.value.trim() } : { badge };
  const error = await signIn({ ...said, pin: pin.value });
  if (error === "") localStorage.setItem(NAME, badge === null ? said.name : me().name);
  return error;
}

/** Show or hide the layer. `why`: reason of a sign-out. */
export function bar(form, shown, why = "") {
  if (shown && form.hidden) {
    badge = null;
    mark(form, "data-badge", null);
    form.elements.name.value = localStorage.getItem(NAME) ?? "";
    form.elements.pin.value = "";
    say(form.querySelector(".error"), "");
    say(form.querySelector(".why"), why);
  }
  const fresh = shown && form.hidden;
  keepAwake(!shown);
  show(form, shown);
  if (fresh) (form.elements.name.value ? form.elements.pin : form.elements.name).focus();
}
