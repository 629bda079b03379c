// The open fault: what happened, who has come, which rulings are possible now and which are not.
// Invariant: advice is on the button that it is about; rulings that are not possible now come last.

import { at, list, make, mark, say, show } from "./dom.js";
import { span } from "./stream.js";

/** Draw the fault. `making`: a ruling is in progress; `begin(ruling)`: called for a touched one. */
export function draw(screen, words, making, begin) {
  const { fault } = screen;
  show(at(".fault"), fault !== null);
  show(at(".rulings"), Boolean(fault?.rulings.length) && !making);
  mark(at(".side"), "data-making", making);
  if (fault === null) return;
  drawWhat(fault, words);
  mark(at(".fault"), "data-seen", fault.seen_by !== null);
  say(at(".seen p"), fault.seen);
  say(at(".here"), words.here);
  show(at(".here"), fault.seen_by === null && screen.life !== "halted" && !screen.looks_on && !screen.own_round);
  say(at(".more"), fault.more);
  show(at(".more"), fault.more !== "" && screen.who_rules === null && !screen.own_round);
  drawRulings(screen, words, begin);
}

function drawWhat(fault, words) {
  say(at(".fault h2"), fault.head);
  for (const part of ["text", "suspect", "touched"]) say(at(`.fault .${part}`), fault[part]);
  say(at(".fault .since span"), words.paused_for);
  show(at(".fault .waits"), fault.waits.length > 0);
  say(at(".fault .waits h3"), words.waits);
  list(at(".fault .waits ol"), fault.waits, (one, index) => index, () => make("li"), say);
}

function drawRulings({ fault, who_rules: who, own_round: own }, words, begin) {
  say(at(".rulings h2"), fault.asks);
  show(at(".rulings h2"), who === null);
  say(at(".rulings .own"), words.own_round);
  show(at(".rulings .own"), own && who === null);
  say(at(".rulings .who"), who ?? "");
  show(at(".rulings .who"), who !== null);
  const [kind, type] = who === null ? ["button.ruling", { type: "button" }] : ["div.ruling", {}];
  const create = () => make(kind, type, make("kbd", { "aria-hidden": "true" }), make("b"), make("span"), make("em"));
  const isLast = (one) => one.ruling === "cancel" && !one.answer;
  const first = [...(fault.usual === null ? [] : [fault.usual]), ...fault.rulings.filter((one) => !one.aside && !isLast(one))];
  const aside = fault.rulings.filter((one) => one.aside);
  show(at(".rulings > h3"), aside.length > 0);
  say(at(".rulings > h3"), fault.aside);
  for (const [place, some] of [[".rulings > div", first], [".rulings > .aside", aside], [".rulings > .cancels", fault.rulings.filter(isLast)]]) list(at(place), some, (one) => `${one.ruling} ${who === null}`, create, (button, one) => {
    const [key, label, means, advised] = button.children;
    mark(button, "data-ruling", one.ruling);
    mark(button, "data-key", who !== null || one.why ? null : one.key);
    button.disabled = Boolean(one.why);
    mark(button, "data-advised", Boolean(one.advised));
    mark(button, "data-usual", Boolean(one.usual));
    say(key, who === null && one.key ? String(one.key) : "");
    say(label, one.answer || (one.title ?? one.label));
    say(means, one.means ?? one.why);
    say(advised, one.advised || (one.usual ?? ""));
    button.onclick = who === null ? () => begin(one) : null;
  });
  show(at(".not-now"), fault.not_now.length > 0);
  say(at(".not-now h3"), words.not_now);
  list(at(".not-now ul"), fault.not_now, (one) => one.ruling, () => make("li", {}, make("b"), make("span")), (line, one) => {
    say(line.children[0], one.label);
    say(line.children[1], one.why);
  });
}

/** Update the clocks: time waited, time left to rule, time until the next call. */
export function tick(fault, now) {
  say(at(".since b"), span((now - Date.parse(fault.since)) / 1000));
  const [left, calls] = [fault.rule_by, fault.calls_at].map((time) => (Date.parse(time) - now) / 1000); // NaN: none
  count("limit", left > 0 ? `${span(left)}, ${fault.then}` : fault.then);
  count("called", fault.called);
  count("next_call", calls > 0 ? span(calls) : "");
}

function count(fact, text) {
  const line = at(`[data-fact=${fact}]`);
  if (line === null) return;
  show(line, text !== "");
  say(line.children[1], text);
}
