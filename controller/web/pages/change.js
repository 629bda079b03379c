// A change of the shoe, led step by step; each that is recorded has its key.
// Invariant: what only the dealer knows is ticked by the dealer's touch, the rest by the table; a step after which
// another is done is done too, and the first that is not is due.

import { list, make, mark, say } from "./dom.js";
import { send } from "./keys.js";

let touched = new Set(); // steps that were touched as done, in this change
let again = () => {}; // draw what the table told last: an answer may come after it

/** Draw it. `refused`: is told why a touch led to nothing. */
export function change(element, steps, words, refused) {
  again = () => change(element, steps, words, refused);
  if (steps.length === 0) touched = new Set();
  const reached = steps.findLastIndex((step) => step.done ?? touched.has(step.step));
  const due = steps.findIndex((step, index) => !isDone(step, index, reached));
  list(element, steps, (step) => step.step, (step) => create(step, words, refused), (item, step, index) => {
    const done = isDone(step, index, reached);
    mark(item, "data-done", done);
    mark(item, "aria-current", index === due ? "step" : null);
    say(item.children[0], done ? "✓" : index === due ? "→" : "");
    say(item.children[1], step.text);
  });
}

const isDone = (step, index, reached) => step.done ?? index <= reached;

function create(step, words, refused) {
  const item = make("li", {}, make("span.tick", { "aria-hidden": "true" }), make("span"));
  if (step.label === "") return item;
  const fields = step.asks.map((name) => make("input", { name, "aria-label": words[name], placeholder: words[name], autocomplete: "off", inputmode: name === "counted" ? "numeric" : "text" }));
  const form = make("form", {}, ...fields, make("button", { type: "submit" }, step.label));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (step.command === null) {
      touched.add(step.step);
      return again();
    }
    const typed = fields.map((field) => [field.name, field.value.trim()]).filter(([, value]) => value !== "");
    const said = Object.fromEntries(typed.map(([name, value]) => [name, name === "counted" ? Number(value) : value]));
    send({ ...step.command, ...said }, (why) => {
      if (why === "") touched.add(step.step);
      refused(why);
      again();
    });
  });
  item.append(form);
  return item;
}
