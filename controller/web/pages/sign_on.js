// Sign-on of the next dealer by id and PIN, on large keys or a keyboard, or by badge.
// Invariant: a PIN stays on the screen only while it is being typed.

import { badges } from "./badge.js";
import { at, mark, say, show } from "./dom.js";
import { may, write } from "./keys.js";
import { pad } from "./pin.js";

const FORGOTTEN = 30_000; // ms after the last key until the form is cleared

const form = at(".sign-on");
const { name, pin } = form.elements;
let words = null;
let field = name; // field for the large keys
let badge = null; // code of the badge that was read
let timer = null;

/** Draw the form if no dealer is signed on and one may sign on here. Returns true if it is shown. */
export function signOn(told) {
  words = told.words;
  const shown = told.sign_on !== null && may() !== null;
  const fresh = shown && form.hidden;
  show(form, shown);
  if (!shown) return false;
  say(form.querySelector(".name span"), words.id);
  say(form.querySelector(".pin span"), words.pin);
  say(form.querySelector(".go"), words.enter);
  say(form.querySelector(".pad button:last-child"), words.erase);
  if (fresh) clear();
  else drawBadge();
  return true;
}

function drawBadge() {
  mark(form, "data-badge", badge !== null);
  name.readOnly = badge !== null;
  if (badge !== null) name.value = words.badge;
}

function clear() {
  form.reset();
  badge = null;
  say(form.querySelector(".error"), "");
  drawBadge();
  name.focus();
}

async function attempt() {
  if (pin.readOnly) return; // already sent
  if (pin.value === "" && !(badge !== null && may() === "alone")) return pin.focus();
  pin.readOnly = true;
  const who = badge === null ? { name: name.value.trim() } : { badge };
  const error = await said({ ...who, pin: pin.value });
  pin.readOnly = false;
  clear();
  say(form.querySelector(".error"), error);
}

async function said(what) {
  try {
    const answer = await write(`/session/dealer?role=dealer&lang=${document.documentElement.lang}`, JSON.stringify(what));
    return answer.ok ? "" : ((await answer.json()).detail ?? "");
  } catch {
    return words.never;
  }
}

function read(code) {
  if (form.hidden || pin.readOnly) return;
  clear();
  badge = code;
  drawBadge();
  stay();
  if (may() === "alone") attempt();
  else pin.focus();
}

form.querySelector(".pad").replaceChildren(...pad(() => field, { erase: "" }));
badges(read);
form.addEventListener("focusin", ({ target }) => {
  if (target === name || target === pin) field = target;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (field === name && pin.value === "") pin.focus();
  else attempt();
});
form.addEventListener("input", stay);
for (const one of [name, pin]) one.addEventListener("input", stay);

function stay() {
  clearTimeout(timer);
  timer = setTimeout(() => form.hidden || clear(), FORGOTTEN);
}
