// The views of the shift manager's page: the table, the rounds that are over, the devices.
// Invariant: there is one at a time, and its tab says which.

import { at, list, make, mark, say, show } from "./dom.js";
import { forget, follow, past, tellStory } from "./past.js";

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
    const many = name === "rounds" ? (seen()?.cases.length ?? 0) : 0;
    say(button, many ? `${words[name]} (${many})` : words[name]);
    mark(button, "data-cases", many > 0);
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
  if (name === "devices") devices();
}

async function devices() {
  const drawn = await import("./gear.js").catch(() => null); // the next touch asks again
  if (view === "devices") drawn?.gear(at(".view-devices"), seen(), words);
}

/** What the table has told: the open cases of it. */
export function told() {
  draw();
  follow(at(".view-rounds"), seen(), words);
}

/** Show what the address names: #cases, or #round=17; that is taken away, so that it can be named again. */
export function named() {
  const said = location.hash.match(/^#(cases|round=([0-9]+))$/);
  if (said === null || seen() === null) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  choose("rounds");
  if (said[2]) tellStory(Number(said[2]), at(".view-rounds"), words);
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
