// Reason for a ruling, a re-settlement or a dismissal: a usual one, or a typed one. None is chosen beforehand.

import { choice, group } from "./asks.js";
import { make, mark } from "./dom.js";

/** Choice of reasons within a form. `changed` is called when one is chosen or typed; `text`: chosen or typed before. */
export class Reason {
  #chosen = null; // the chosen usual reason

  constructor(words, reasons, changed, text = "") {
    this.offered = reasons;
    this.other = make("input.other", { type: "text", maxlength: "500", placeholder: words.other, "aria-label": words.other, autocomplete: "off" });
    const keyed = (text, index) => [make("kbd", { "aria-hidden": "true" }, String(index + 1)), text];
    const chips = reasons.map((text, index) => choice(keyed(text, index), false, () => set(this.#chosen === text ? null : text, changed)));
    const set = (text, then) => {
      this.#chosen = text;
      if (text !== null) this.other.value = "";
      for (const [index, chip] of chips.entries()) mark(chip, "aria-pressed", String(reasons[index] === text));
      then();
    };
    this.other.addEventListener("input", () => set(null, changed));
    this.other.value = text;
    if (reasons.includes(text)) set(text, () => {});
    this.element = group("why", words.because, ...chips, this.other);
  }

  /** The chosen or typed reason; empty: none yet. */
  get text() {
    return this.#chosen ?? this.other.value.trim();
  }
}
