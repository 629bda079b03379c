// Entry of a PIN by keyboard or large keys, with a name if needed, or a badge in its place.
// Invariant: nothing of a PIN is kept after its use, not even its length.

import { make, say } from "./dom.js";

/** The large keys. `into()`: returns the field for the digits; `erase`: label of the key that deletes a digit. */
export function pad(into, words, erase = words.erase) {
  return ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", null].map((key) => padKey(key, into, words, erase));
}

function padKey(key, into, words, erase) {
  if (key === "") return make("span");
  const button = make("button", { type: "button", tabindex: "-1", "aria-label": key ?? words.erase }, key ?? erase);
  button.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus in the field, where Enter submits
  button.addEventListener("click", () => {
    const input = into();
    if (input.readOnly) return;
    input.value = key === null ? input.value.slice(0, -1) : input.value + key;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return button;
}

// A click on a button keeps the focus in the PIN's field: else the large keys would be hidden, the button would move up
// from under the pointer, and the click would miss it.
document.addEventListener("mousedown", (event) => {
  const typed = document.activeElement?.closest(".shown, .lapsed");
  if (typed && event.target instanceof Element && event.target.closest("button")) event.preventDefault();
});

/** Fields within another form in which a person proves who they are. `asksWho`: with a field for the name. */
export class Shown {
  #badge = null; // the badge that was read

  constructor(words, asksWho = false) {
    this.words = words;
    const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
    this.pin = make("input", { type: "password", inputmode: "none", ...plain, autocomplete: "one-time-code" });
    this.name = asksWho ? make("input", { type: "text", maxlength: "100", "aria-label": words.name, placeholder: words.name, ...plain }) : null;
    this.name?.addEventListener("input", () => { this.#badge = null; });
    this.label = make("span");
    this.error = make("p.error", { role: "alert" });
    this.element = make("div.shown", {}, make("label.pin", {}, this.label, ...(asksWho ? [this.name] : []), this.pin), make("div.pad", {}, ...pad(() => this.pin, words, "←")), this.error);
  }

  /** Set the label: whose PIN it is. */
  of(text) {
    say(this.label, text);
    this.pin.setAttribute("aria-label", text);
  }

  /** Take a badge. `is`: use of badges here, "alone" or "with_pin". */
  read(code, is) {
    this.#badge = { code, alone: is === "alone" };
    say(this.error, this.words.badge);
    if (this.name !== null) this.name.value = this.words.badge;
  }

  get filled() {
    const named = this.#badge !== null || this.name === null || this.name.value.trim() !== "";
    return this.#badge?.alone === true || (this.pin.value !== "" && named);
  }

  /** Return what was entered, and clear the fields. */
  take() {
    const who = this.#badge === null ? (this.name === null ? {} : { name: this.name.value.trim() }) : { badge: this.#badge.code };
    const said = this.pin.value === "" ? who : { ...who, pin: this.pin.value };
    if (this.#badge !== null && this.name !== null) this.name.value = "";
    this.pin.value = "";
    this.#badge = null;
    return said;
  }

  refuse(why) {
    say(this.error, why);
    if (why !== "") this.focus();
  }

  clear() {
    this.#badge = null;
    this.pin.value = "";
    if (this.name !== null) this.name.value = "";
    say(this.error, "");
  }

  focus() {
    (this.name !== null && this.name.value.trim() === "" ? this.name : this.pin).focus({ preventScroll: true });
  }
}
