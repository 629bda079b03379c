// A PIN being typed, by keyboard or on large keys; of whom, where that is to be said too.
// The one rule: nothing of a PIN outlives its use here, not even how long it is.

import { make, say } from "./dom.js";

/** The large keys. `into()`: the field that they type into now. */
export function pad(into, words) {
  return ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", null].map((key) => padKey(key, into, words));
}

function padKey(key, into, words) {
  if (key === "") return make("span");
  const button = make("button", { type: "button" }, key ?? words.erase);
  button.addEventListener("click", () => {
    const input = into();
    if (input.readOnly) return;
    input.value = key === null ? input.value.slice(0, -1) : input.value + key;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return button;
}

/** Fields for somebody to show who they are within another form. `asksWho`: whether they say that too. */
export class Shown {
  constructor(words, asksWho = false) {
    const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
    this.pin = make("input", { type: "password", inputmode: "none", ...plain, autocomplete: "one-time-code" });
    this.name = asksWho ? make("input", { type: "text", maxlength: "100", "aria-label": words.name, placeholder: words.name, ...plain }) : null;
    this.label = make("span");
    this.error = make("p.error", { role: "alert" });
    this.element = make("div.shown", {}, make("label.pin", {}, this.label, ...(asksWho ? [this.name] : []), this.pin), make("div.pad", {}, ...pad(() => this.pin, words)), this.error);
  }

  /** Say whose PIN it is. */
  of(text) {
    say(this.label, text);
    this.pin.setAttribute("aria-label", text);
  }

  get filled() {
    return this.pin.value !== "" && (this.name === null || this.name.value.trim() !== "");
  }

  /** What was typed; it is gone from here by that. */
  take() {
    const typed = { name: this.name?.value.trim(), pin: this.pin.value };
    this.pin.value = "";
    return typed;
  }

  /** What was wrong with it. */
  refuse(why) {
    say(this.error, why);
    if (why !== "") this.focus();
  }

  clear() {
    this.pin.value = "";
    if (this.name !== null) this.name.value = "";
    say(this.error, "");
  }

  focus() {
    (this.name !== null && this.name.value.trim() === "" ? this.name : this.pin).focus({ preventScroll: true });
  }
}
