// The shift manager's keyboard: digits for rulings, Enter, Esc, and ? for what they do.
// The one rule: a key does what a touch of what stands on the screen does, and nothing that does not stand there.

import { unlessRead } from "./badge.js";
import { at, make, say } from "./dom.js";
import { glossary } from "./glossary.js";
import { badgeIs } from "./talk.js";

const WRITES = "input, textarea, select";
const DIGIT = /^[1-9]$/;

/** Draw what the keys do; `help`: the button that shows it. */
export function keyboard(help, words) {
  const dialog = at("dialog.keys");
  say(dialog.querySelector("h2"), words.keys);
  const rows = [["1 … 9", words.key_digit], ["Enter", words.key_enter], ["Esc", words.key_escape], ["?", words.key_help]];
  dialog.querySelector("dl").replaceChildren(...rows.map(([key, does]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, does))));
  const all = make("button", { type: "button" }, words.glossary);
  dialog.append(all);
  glossary(all);
  help.setAttribute("aria-label", words.keys);
  help.addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", () => dialog.close());
  addEventListener("keydown", (event) => pressed(event, dialog));
}

function pressed(event, dialog) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || dialog.open || !at(".gate").hidden) return;
  const button = meant(event);
  if (button === null || !canBeTouched(button)) return;
  event.preventDefault();
  if (badgeIs() === null || !DIGIT.test(event.key)) button.click();
  else unlessRead(() => canBeTouched(button) && button.click());
}

const canBeTouched = (button) => !button.disabled && button.checkVisibility();

function meant({ key, target }) {
  if (key === "Escape") return at(".rule .leave, .acts form .leave, .story .leave");
  if (target.closest(WRITES)) return null;
  if (key === "?") return at("header .help");
  if (DIGIT.test(key)) return document.querySelectorAll(".rulings > div button")[key - 1] ?? null;
  return key === "Enter" && !target.closest("button, summary, a") ? (at(".rule .confirm") ?? at(".here")) : null;
}
