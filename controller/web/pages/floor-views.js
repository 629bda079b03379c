// The views of the floor's page: the floor, rounds of all tables, numbers, people, the hand-over.
// Invariant: one view is shown at a time, and its tab is marked. Calls are counted on the floor's tab in all views.

import { at, list, make, mark, say, show } from "./dom.js";
import { note } from "./floor-acts.js";
import * as people from "./floor-people.js";

const VIEWS = ["floor", "rounds", "numbers", "people", "hand-over"];
const OTHERS = { rounds: "./floor-rounds.js", numbers: "./floor-numbers.js", "hand-over": "./floor-hand-over.js" }; // loaded when first shown

let view = "floor";
let words = {};
let drawn = () => {}; // draws the view of people with the latest data

/** Prepare the tabs. */
export function ready(known) {
  words = known;
  tabs();
}

function tabs(count = 0) {
  const create = (name) => {
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => choose(name));
    return button;
  };
  list(at(".tabs"), VIEWS, (name) => name, create, (button, name) => {
    say(button, name === "floor" && count && view !== name ? `${words.floor} (${count})` : words[name.replace("-", "_")]);
    mark(button, "aria-current", view === name ? "page" : null);
    mark(button, "data-calls", name === "floor" && count > 0 && view !== name);
  });
}

/** Draw the tabs, and the view of people if it is shown. */
export function draw(tables, head, known) {
  words = known;
  tabs(head.counts.calls);
  drawn = () => people.draw([...tables.values()], head.people, words, head.may.includes("assign"));
  if (view === "people") drawn();
}

/** Show a view; if it is shown already but empty, load it again. */
export async function choose(name) {
  if (view === name && at(`.view-${name}`).firstChild) return;
  view = name;
  note("");
  for (const one of VIEWS) show(at(`.view-${one}`), one === name);
  tabs();
  if (name === "people") drawn();
  if (!(name in OTHERS)) return;
  const part = await import(OTHERS[name]).catch(() => null);
  const isThere = part !== null && (await part.draw());
  if (!isThere && view === name) note(words.gone);
}

/** Go back to the floor and empty the other views, after a sign-out. */
export function leave() {
  choose("floor");
  people.forget();
  for (const name of Object.keys(OTHERS)) at(`.view-${name}`).replaceChildren();
}
