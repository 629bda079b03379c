// Keyboard of the shift manager: digits for rulings, then for the reasons of the chosen one; Enter, Esc; ? for help.
// Invariant: a key does the same as a touch of its button; a key without a visible button does nothing.

import { at, make } from "./dom.js";
import { glossary } from "./glossary.js";
import { sheet } from "./keysheet.js";

const DIGIT = /^[1-9]$/;

/** Set up the keys and their help; `help`: the button that shows it. */
export function keyboard(help, words) {
  const rows = [["1 … 9", words.key_digit], ["Enter", words.key_enter], ["Esc", words.key_escape], ["?", words.key_help]];
  const dialog = sheet(help, words, rows, meant);
  const all = make("button", { type: "button" }, words.glossary);
  dialog.append(all);
  glossary(all, () => words.never);
}

function meant({ key, target }) {
  if (key === "Escape") return [".amend", ".rule", ".acts form", ".story"].map((part) => at(`${part} .leave`)).find((one) => one?.checkVisibility()) ?? null;
  if (DIGIT.test(key)) return document.querySelectorAll("form.rule:not([hidden]) .why .choice")[key - 1] ?? document.querySelector(`.rulings:not([hidden]) > div [data-key="${key}"]`);
  return key === "Enter" && !target.closest("button, summary, a") ? (at(".rule .confirm") ?? at(".here")) : null;
}
