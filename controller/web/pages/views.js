// The views of the shift manager's page: the table, the rounds that are over, the devices.
// The one rule: there is one at a time, and its tab says which.

import { at, list, make, mark, say, show } from "./dom.js";
import { gear } from "./gear.js";
import { forget, past } from "./past.js";

const VIEWS = ["table", "rounds", "devices"];

let view = "table";
let words = {};
let seen = () => null; // what the table shows by now

/** Make them ready. */
export function ready(known, screen) {
  words = known;
  seen = screen;
  draw();
}

function draw() {
  const create = (name) => {
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => choose(name));
    return button;
  };
  list(at(".tabs"), VIEWS, (name) => name, create, (button, name) => {
    say(button, words[name]);
    mark(button, "aria-current", view === name ? "page" : null);
  });
}

/** Show this one. */
export function choose(name) {
  if (view === name) return;
  view = name;
  for (const one of VIEWS) show(at(`.view-${one}`), one === name);
  draw();
  if (name === "rounds") past(at(".view-rounds"), words);
  if (name === "devices") gear(at(".view-devices"), seen(), words);
}

/** A round has begun or ended. */
export function moved() {
  if (view === "rounds") past(at(".view-rounds"), words);
}

/** Leave what the others show. */
export function leave() {
  choose("table");
  forget(at(".view-rounds"));
  at(".view-devices").replaceChildren();
}
