// What the views of rounds, numbers and the hand-over have in common: their words and style, had when one is first shown.
// Invariant: what is asked later is shown later, never the other way round.

import { dress, make } from "./dom.js";
import { read } from "./talk.js";

let known = null; // {words, games, faults, rulings}

/** The words; null where they cannot be had. */
export async function words() {
  if (!document.querySelector("link[href$='/floor-history.css']")) await Promise.all(["rounds", "floor-history"].map(dress));
  if (known === null) {
    const told = await read("/api/floor/history-words").catch(() => ({}));
    known = told.words ? told : null;
  }
  return known;
}

/** Ask, by `read` or another way; `answer(told)` is called unless something was asked meanwhile. */
export function asking(way = read) {
  let last = 0;
  return async (target, query, answer, gone) => {
    const number = ++last;
    const told = await way(target, query).catch(() => ({ says: gone }));
    if (number === last) answer(told);
  };
}

/** A field with its name. */
export function field(text, input) {
  return make("label", {}, make("span", {}, text), input);
}

/** A choice of these: {value: text}. */
export function choice(name, options) {
  return make("select", { name }, ...Object.entries(options).map(([value, text]) => make("option", { value }, text)));
}

/** A link to a page that prints. */
export function printed(text, target, query = {}) {
  const all = new URLSearchParams({ ...query, lang: document.documentElement.lang });
  return make("a.print", { href: `${target}?${all}`, target: "_blank" }, text);
}
