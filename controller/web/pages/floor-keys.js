// The floor's keyboard: digits for calls, C to come, W for the wall.
// Invariant: from the strip to the confirmed ruling no mouse is needed.

import { at, mark } from "./dom.js";
import { sheet } from "./keysheet.js";

/** Draw what the keys do; `help`: the button that shows it. */
export function keyboard(help, words) {
  const rows = [["1 … 9", words.key_call], ["C", words.key_claim], ["Esc", words.key_back], ["W", words.key_wall], ["?", words.key_help]];
  sheet(help, words, rows, meant);
}

/** Digits stand at the calls while they are heard here, and not in a console. */
export function heard() {
  mark(document.body, "data-deaf", document.activeElement?.tagName === "IFRAME");
}

function meant({ key }) {
  if (/^[1-9]$/.test(key)) return document.querySelectorAll(".call .open")[key - 1] ?? null;
  if (key === "c") return at(`${at(".call[data-shown]") ? ".call[data-shown]" : ".call"} .claim:not([hidden])`);
  return key === "w" ? at(".wall") : null;
}
