// The shift manager's keyboard: digits for rulings, then for the reasons of the chosen one, Enter, Esc, and ? for what they do.
// Invariant: a key does what a touch of the same button does; a key without a button on the screen does nothing.

import { at, make } from "./dom.js";
import { glossary } from "./glossary.js";
import { sheet } from "./keysheet.js";

const DIGIT = /^[1-9]$/;

/** Draw what the keys do; `help`: the button that shows it. */
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
