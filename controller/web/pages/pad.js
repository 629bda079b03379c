// Large keys for digits, for whoever has no keyboard.

import { make } from "./dom.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", null];

/** Draw the keys. `into()`: the field that is typed into now; null: none; `erase`: what the last key is called. */
export function pad(element, into, erase) {
  element.replaceChildren(...KEYS.map((key) => (key === "" ? make("span") : button(key, into, erase))));
}

function button(key, into, erase) {
  const made = make("button", { type: "button" }, key ?? erase);
  made.addEventListener("click", () => {
    const field = into();
    if (field === null || field.readOnly) return;
    field.value = key === null ? field.value.slice(0, -1) : field.value + key;
    field.dispatchEvent(new Event("input"));
  });
  return made;
}
