// Signing in: a name, a PIN, large keys.
// The one rule: nothing of the table is behind it but whether a round is paused.

import { make, say, show } from "./dom.js";
import { signIn } from "./talk.js";

const NAME = "tablectl-name"; // whoever was here last
const DIGITS = "tablectl-digits"; // so many their PIN has: with the last one they sign in

/** Make the layer ready. `entered`: somebody has signed in. */
export function gate(form, words, entered) {
  const [name, pin] = [form.elements.name, form.elements.pin];
  say(form.querySelector("h2"), words.sign_in);
  say(form.querySelector(".who span"), words.name);
  say(form.querySelector(".pin span"), words.pin);
  say(form.querySelector(".go"), words.sign_in);
  say(form.querySelector(".paused"), words.paused);
  form.querySelector(".pad").replaceChildren(...["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", null].map((key) => padKey(key, pin, words)));
  pin.addEventListener("input", () => {
    const theirs = name.value.trim() === localStorage.getItem(NAME);
    if (theirs && pin.value.length === Number(localStorage.getItem(DIGITS))) form.requestSubmit();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (pin.readOnly) return; // it is on its way
    pin.readOnly = true;
    const error = await attempt(name, pin).catch(() => words.never);
    pin.readOnly = false;
    say(form.querySelector(".error"), error);
    pin.value = "";
    if (error === "") entered();
    else pin.focus();
  });
}

async function attempt(name, pin) {
  const error = await signIn(name.value.trim(), pin.value);
  if (error !== "") localStorage.removeItem(DIGITS); // it may be another PIN by now
  else for (const [key, value] of [[NAME, name.value.trim()], [DIGITS, pin.value.length]]) localStorage.setItem(key, value);
  return error;
}

function padKey(key, pin, words) {
  if (key === "") return make("span");
  const button = make("button", { type: "button" }, key ?? words.erase);
  button.addEventListener("click", () => {
    if (pin.readOnly) return;
    pin.value = key === null ? pin.value.slice(0, -1) : pin.value + key;
    pin.dispatchEvent(new Event("input"));
  });
  return button;
}

/** Show the layer, or take it away. `why`: somebody was signed out. */
export function bar(form, shown, why = "") {
  if (shown && form.hidden) {
    form.elements.name.value = localStorage.getItem(NAME) ?? "";
    form.elements.pin.value = "";
    say(form.querySelector(".error"), "");
    say(form.querySelector(".why"), why);
  }
  const fresh = shown && form.hidden;
  show(form, shown);
  if (fresh) (form.elements.name.value ? form.elements.pin : form.elements.name).focus();
}
