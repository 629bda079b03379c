// Shoe change, step by step. The table says which step is due, and only that one has keys.
// Invariant: skipping a step needs a chosen and confirmed reason before anything is sent.

import { list, make, mark, say, show } from "./dom.js";
import { send } from "./keys.js";
import { Reason } from "./reason.js";

/** Draw the steps. `refused`: called with the reason if a touch is refused. */
export function change(element, steps, words, refused) {
  const key = (step) => `${step.step} ${step.due}`;
  list(element, steps, key, (step) => create(step, words, refused), (item, step) => {
    mark(item, "data-done", step.done);
    mark(item, "aria-current", step.due ? "step" : null);
    say(item.children[0], step.done ? "✓" : step.due ? "→" : "");
    say(item.children[1], step.text);
  });
}

function create(step, words, refused) {
  const item = make("li", {}, make("span.tick", { "aria-hidden": "true" }), make("span"));
  if (step.label === "") return item;
  const fields = step.asks.map((name) => make("input", { name, "aria-label": words[name], placeholder: words[name], autocomplete: "off", inputmode: name === "counted" ? "numeric" : "text" }));
  const form = make("form", {}, ...fields, make("button", { type: "submit" }, step.label));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.sent) return; // a second touch must not report a second shoe
    form.sent = true;
    const typed = fields.map((field) => [field.name, field.value.trim()]).filter(([, value]) => value !== "");
    const said = Object.fromEntries(typed.map(([name, value]) => [name, name === "counted" ? Number(value) : value]));
    send({ ...step.command, ...said }, refused).finally(() => { form.sent = false; });
  });
  item.append(form);
  if (step.skips !== null) skipping(item, form, step, words, refused);
  return item;
}

/** Key that skips a step: it shows the reasons, and a second key sends the chosen one. */
function skipping(item, form, step, words, refused) {
  const open = make("button.skip", { type: "button", "aria-expanded": "false" }, step.skip);
  const confirm = make("button", { type: "submit", disabled: "" }, words.skip);
  const reason = new Reason(words, step.reasons, () => (confirm.disabled = reason.text === ""));
  const why = make("form.reasons", {}, reason.element, confirm);
  show(why, false);
  open.addEventListener("click", () => {
    show(why, why.hidden);
    mark(open, "aria-expanded", String(!why.hidden));
  });
  why.addEventListener("submit", (event) => {
    event.preventDefault();
    if (reason.text !== "") send({ ...step.skips, because: reason.text }, refused);
  });
  form.append(open);
  item.append(why);
}
