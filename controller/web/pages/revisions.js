// Resettlements of a round: result before and after, corrections, people, reason, and each bet's difference.
// Invariant: bets without a difference are only counted.

import { make, mark } from "./dom.js";
import { date, time } from "./stream.js";

/** Sections for the revisions of a round, the latest first. */
export function revisions(told, words) {
  return told.map((one) => make("section.revision", {},
    make("h3", {}, words.revision.replace("{number}", one.revision), make("time", { datetime: one.at }, when(one.at))),
    make("p.turn", {}, ...turn(one)),
    make("p.corrected", {}, one.corrections.join("; ")),
    make("p", {}, `${one.by}, ${one.second}: ${one.because}`),
    differences(one.differences, words, true))).reverse();
}

/** Format a time, with its day if that is not today. */
export function when(at) {
  const [day, today] = [at, Date.now()].map((one) => date(one, document.documentElement.lang, { day: "numeric", month: "short" }));
  return day === today ? time(at) : `${day} ${time(at)}`;
}

/** Elements for a value before and after. */
export const turn = ({ was, now }) => [make("s", {}, was), " → ", make("b", {}, now)];

/** Table of each bet's difference; `folded`: hidden until it is opened. */
export function differences({ bets, same, more, total }, words, folded = false) {
  const rows = bets.map((one) => {
    const row = make("tr", {}, make("th", { scope: "row" }, make("span", {}, one.player), ` ${one.market} · ${one.stake}`),
      ...[one.was, one.now, one.difference].map((text) => make("td", {}, text)));
    mark(row, "data-less", /^[-−]/.test(one.difference));
    return row;
  });
  const named = [words.bet, words.before, words.after, words.difference].map((text) => make("th", { scope: "col" }, text));
  const table = make("table.moved", {}, make("thead", {}, make("tr", {}, ...named)), make("tbody", {}, ...rows));
  const count = words.bets_differ.replace("{count}", bets.length + more).replace("{total}", total);
  const rest = [[more, words.more_differ], [same, words.same_bets]].filter(([many]) => many > 0);
  const beneath = rest.map(([many, text]) => make("p.small", {}, text.replace("{count}", many)));
  const shown = [...(bets.length ? [table] : []), ...beneath];
  if (folded) return make("details", {}, make("summary", {}, count), ...shown);
  return make("div.differences", {}, make("p.sum", {}, count), ...shown);
}
