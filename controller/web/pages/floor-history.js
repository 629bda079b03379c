// Shared parts of the views rounds, numbers and hand-over: their texts and style, loaded when one is first shown.
// Invariant: the answer to an earlier request is never shown after that to a later one.

import { dress, make } from "./dom.js";
import { read } from "./talk.js";

let known = null; // {words, games, faults, rulings}

/** Load the texts; null if that fails. */
export async function words() {
  if (!document.querySelector("link[href$='/floor-history.css']")) await Promise.all(["rounds", "floor-history"].map(dress));
  if (known === null) {
    const told = await read("/api/floor/history-words").catch(() => ({}));
    known = told.words ? told : null;
  }
  return known;
}

/** Make a function that sends requests by `way`; `answer(told)` is called unless a later request was made. */
export function asking(way = read) {
  let last = 0;
  return async (target, query, answer, gone) => {
    const number = ++last;
    const told = await way(target, query).catch(() => ({ says: gone }));
    if (number === last) answer(told);
  };
}

/** Input with its label. */
export function field(text, input) {
  return make("label", {}, make("span", {}, text), input);
}

/** Select with these options: {value: text}. */
export function choice(name, options) {
  return make("select", { name }, ...Object.entries(options).map(([value, text]) => make("option", { value }, text)));
}

/** Link to a page for printing. */
export function printed(text, target, query = {}) {
  const all = new URLSearchParams({ ...query, lang: document.documentElement.lang });
  return make("a.print", { href: `${target}?${all}`, target: "_blank" }, text);
}
