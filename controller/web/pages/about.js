// Facts beside the table: round, shoe, last rounds; during a fault the shoe's last frames.
// Invariant: technical details are folded away.

import { at, list, make, say, show } from "./dom.js";
import { devices, frames } from "./frames.js";
import { hasLapsed } from "./talk.js";

let told = []; // last frames of the shoe during the open fault
let toldOf = null; // the fault that these frames belong to
let asked = 0; // number of requests for frames

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

/** Request the shoe's last frames during a fault. An answer is dropped if a later request was made. */
export async function ask(open, drawn) {
  const turn = ++asked;
  const known = open === null || hasLapsed() ? null : await devices().catch(() => null);
  if (known?.frames && turn === asked) {
    told = known.frames;
    drawn();
  }
}

/** Set the open fault; frames of another fault are dropped. */
export function of(open) {
  if (toldOf !== open) told = [];
  toldOf = open;
}

export function leave() {
  told = [];
  at(".lie .frames ol").replaceChildren();
}
