// Why something is done: a usual reason, or another one in words.
// The one rule: none is chosen beforehand.

import { choice, group } from "./asks.js";
import { make, mark } from "./dom.js";

/** A choice of reasons within a form; `changed`: one was chosen or typed. */
export class Reason {
  #chosen = null; // of the usual ones

  constructor(words, reasons, changed) {
    this.other = make("input.other", { type: "text", maxlength: "500", placeholder: words.other, "aria-label": words.other, autocomplete: "off" });
    const chips = reasons.map((text) => choice(text, false, () => set(this.#chosen === text ? null : text)));
    const set = (text) => {
      this.#chosen = text;
      if (text !== null) this.other.value = "";
      for (const chip of chips) mark(chip, "aria-pressed", String(chip.textContent === text));
      changed();
    };
    this.other.addEventListener("input", () => set(null));
    this.element = group("why", words.because, ...chips, this.other);
  }

  /** What was said; empty: nothing yet. */
  get text() {
    return this.#chosen ?? this.other.value.trim();
  }
}
