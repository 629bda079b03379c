// A change of the shoe, led step by step; each that is recorded has its key.
// The one rule: what only the dealer knows is ticked by the dealer's touch, the rest by the table.

import { list, make, mark, say, show } from "./dom.js";
import { send } from "./keys.js";

let touched = new Set(); // steps that were touched as done, in this change

/** Draw it in place of the felt. `refused`: is told why a touch led to nothing. */
export function change(element, steps, words, refused) {
  show(element, steps.length > 0);
  if (steps.length === 0) touched = new Set();
  list(element, steps, (step) => step.step, (step) => create(step, words, () => change(element, steps, words, refused), refused), (item, step) => {
    const done = step.done ?? touched.has(step.step);
    mark(item, "data-done", done);
    say(item.children[0], done ? "✓" : "");
    say(item.children[1], step.text);
  });
}

function create(step, words, changed, refused) {
  const item = make("li", {}, make("span.tick", { "aria-hidden": "true" }), make("span"));
  if (step.command === null) return item;
  const fields = step.asks.map((name) => make("input", { name, "aria-label": words[name], placeholder: words[name], autocomplete: "off", inputmode: name === "counted" ? "numeric" : "text" }));
  const form = make("form", {}, ...fields, make("button", { type: "submit" }, step.label));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = fields.map((field) => [field.name, field.value.trim()]).filter(([, value]) => value !== "");
    const said = Object.fromEntries(typed.map(([name, value]) => [name, name === "counted" ? Number(value) : value]));
    send({ ...step.command, ...said }, (why) => {
      if (why === "") touched.add(step.step);
      refused(why);
      changed();
    });
  });
  item.append(form);
  return item;
}
