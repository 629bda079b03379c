// Round about the table: what is known of the round and the shoe, the last rounds, at a fault the shoe's last frames.
// Invariant: the technical is folded away.

import { at, list, make, say, show } from "./dom.js";
import { devices, frames } from "./frames.js";
import { hasLapsed } from "./talk.js";

let told = []; // frames of the shoe, at the fault that is open
let toldOf = null; // that fault
let asked = 0; // for them, so often

/** Draw it. */
export function draw(screen, words) {
  const { fault: open, shoe } = screen;
  const facts = [
    ...(open ? [["limit", words.ruling_by], ["called", words.called], ["next_call", words.calls_in]] : []),
    ["dealer", words.dealt_by, screen.dealer ?? "–"],
    ["bets", words.bets, screen.bets || words.no_bets],
    ["shoe", shoe.name, [shoe.left, ...shoe.marks].filter(Boolean).join(" · ")],
    ...screen.devices.filter((one) => one.lost).map((one) => [`lost ${one.device}`, one.name, words.lost]),
    ...(screen.decisions.length ? [["decisions", words.decisions, screen.decisions.map((one) => `${one.who}: ${one.said || "…"}`).join(", ")]] : []),
    ...(open ? [["players", words.players_told, screen.players]] : []),
  ];
  list(at(".facts"), facts, ([key]) => key, ([key]) => make("div", { "data-fact": key }, make("dt"), make("dd")), (element, [, name, text]) => {
    say(element.children[0], name);
    if (text !== undefined) say(element.children[1], text);
  });
  show(at(".last"), open === null && screen.last.length > 0);
  say(at(".last h2"), words.last);
  list(at(".last ol"), screen.last, (one) => one.round, () => make("li", {}, make("b"), make("span")), (line, one) => {
    say(line.children[0], String(one.round));
    say(line.children[1], one.result);
  });
  show(at(".lie .frames"), open !== null);
  say(at(".lie .frames summary"), words.details);
  say(at(".lie .frames .code"), open?.code ?? "");
  at(".lie .frames ol").replaceChildren(...frames(told, words, 4));
}

/** Ask for the last frames of the shoe, at a fault. An answer that a later one has overtaken counts for nothing. */
export async function ask(open, drawn) {
  const turn = ++asked;
  const known = open === null || hasLapsed() ? null : await devices().catch(() => null);
  if (known?.frames && turn === asked) {
    told = known.frames;
    drawn();
  }
}

/** Of this fault, and of none before it. */
export function of(open) {
  if (toldOf !== open) told = [];
  toldOf = open;
}

/** Leave it. */
export function leave() {
  told = [];
  at(".lie .frames ol").replaceChildren();
}
