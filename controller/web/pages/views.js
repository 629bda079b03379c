// The views of the shift manager's page: the table, the rounds that are over, the devices.
// Invariant: one view is shown at a time, and its tab is marked.

import { at, list, make, mark, say, show } from "./dom.js";
import { forget, follow, past, tellStory } from "./past.js";

const VIEWS = ["table", "rounds", "devices"];

let view = "table";
let words = {};
let seen = () => null; // returns the present screen

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

export function choose(name) {
  if (view === name) return;
  view = name;
  for (const one of VIEWS) show(at(`.view-${one}`), one === name);
  draw();
  if (name === "rounds") past(at(".view-rounds"), words);
  if (name === "devices") devices();
}

async function devices() {
  const drawn = await import("./gear.js").catch(() => null); // the next touch tries again
  if (view === "devices") drawn?.gear(at(".view-devices"), seen(), words);
}

/** Handle a new screen: update the tabs and the open cases. */
export function told() {
  draw();
  follow(at(".view-rounds"), seen(), words);
}

/** Show what the hash of the address names: #cases, or #round=17. The hash is removed, so that it can be set again. */
export function named() {
  const said = location.hash.match(/^#(cases|round=([0-9]+))$/);
  if (said === null || seen() === null) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  choose("rounds");
  if (said[2]) tellStory(Number(said[2]), at(".view-rounds"), words);
}

/** Update the rounds after a round has begun or ended. */
export function moved() {
  if (view === "rounds") past(at(".view-rounds"), words);
}

/** Go back to the table and empty the other views, after a sign-out. */
export function leave() {
  choose("table");
  forget(at(".view-rounds"));
  at(".view-devices").replaceChildren();
}
