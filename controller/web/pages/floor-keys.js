// Keyboard of the floor: digits open calls, C claims one, W shows the wall.
// Invariant: no mouse is needed from the strip to the confirmed ruling.

import { at, mark } from "./dom.js";
import { sheet } from "./keysheet.js";

/** Set up the keys and their help; `help`: the button that shows it. */
export function keyboard(help, words) {
  const rows = [["1 … 9", words.key_call], ["C", words.key_claim], ["Esc", words.key_back], ["W", words.key_wall], ["?", words.key_help]];
  sheet(help, words, rows, meant);
}

/** Show the digits at the calls only while this page, and not a console, receives the keys. */
export function heard() {
  mark(document.body, "data-deaf", document.activeElement?.tagName === "IFRAME");
}

function meant({ key }) {
  if (/^[1-9]$/.test(key)) return document.querySelectorAll(".call .open")[key - 1] ?? null;
  if (key === "c") return at(`${at(".call[data-shown]") ? ".call[data-shown]" : ".call"} .claim:not([hidden])`);
  return key === "w" ? at(".wall") : null;
}
