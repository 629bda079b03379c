// Keyboard of a console: the button of each key, and the help sheet.
// Invariant: a key does the same as a touch of its button; a key without a visible button does nothing.

import { unlessRead } from "./badge.js";
import { at, make, say } from "./dom.js";
import { badgeIs } from "./talk.js";

const WRITES = "input, textarea, select";

/** Draw the help sheet and handle the keys. `help`: button that shows it; `meant(event)`: button of a key, or null. */
export function sheet(help, words, rows, meant) {
  const dialog = at("dialog.keys");
  say(dialog.querySelector("h2"), words.keys);
  dialog.querySelector("dl").replaceChildren(...rows.map(([key, does]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, does))));
  help.setAttribute("aria-label", words.keys);
  help.addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", () => dialog.close());
  addEventListener("keydown", (event) => pressed(event, help, meant));
  return dialog;
}

let gone = 0; // time until which keys are ignored, as they were meant for a removed field

/** Ignore keys until nobody has typed for two seconds, because a field was removed while somebody typed. */
export const hush = () => { gone = performance.now() + 2000; };

function pressed(event, help, meant) {
  if (event.timeStamp < gone && !event.target.closest(WRITES)) return hush(event.preventDefault());
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || at("dialog[open]") !== null || !at(".gate").hidden) return;
  if (event.key !== "Escape" && event.target.closest(WRITES)) return;
  const button = event.key === "?" ? help : meant(event);
  if (button === null || !canBeTouched(button)) return;
  event.preventDefault();
  if (badgeIs() === null || !isOfBadges(event.key)) button.click();
  else unlessRead(() => canBeTouched(button) && button.click());
}

const isOfBadges = (key) => /^[0-9a-z]$/i.test(key); // a badge reader types these, too
const canBeTouched = (button) => !button.disabled && button.checkVisibility();
