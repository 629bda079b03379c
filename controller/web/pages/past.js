// The rounds of the shift, and the story of each.
// The one rule: a round is told in the record's own order, with the time since it was opened.

import { make, mark } from "./dom.js";
import { span, time } from "./stream.js";
import { read } from "./talk.js";

let shown = []; // rounds, the latest first
let open = null; // the number of the one whose story is told

function tags(one, words) {
  const { round } = one;
  const told = [round.manual && words.by_hand, round.disputed && words.disputed, round.training && words.training];
  return told.filter(Boolean).map((text) => make("span.tag", {}, text));
}

function row(one, words, tell) {
  const { round } = one;
  const button = make("button.round", { type: "button" },
    make("b", {}, String(round.round)),
    make("span.at", {}, time(round.opened)),
    make("span.end", {}, words[round.end]),
    make("span.result", {}, one.result ?? ""),
    make("span.who", {}, round.dealer ?? "–"),
    make("span.marks", {}, ...(round.faults.length ? [make("span.tag.fault", {}, `${words.faults}: ${round.faults.length}`)] : []),
      ...(round.paused > 0 ? [make("span.tag", {}, `${words.time_paused} ${span(round.paused)}`)] : []), ...tags(one, words)),
  );
  mark(button, "data-end", round.end);
  mark(button, "aria-expanded", String(open === round.round));
  button.addEventListener("click", () => tell(round.round));
  return make("li", {}, button);
}

/** Draw the list; `more`: the ones before those that are shown. */
export async function past(list, story, words, more = false) {
  const query = more && shown.length ? { before: shown.at(-1).round.round } : {};
  const told = await read("/api/rounds", query).catch(() => ({ says: words.gone }));
  if (!told.rounds) return list.replaceChildren(make("p.empty", { role: "alert" }, told.says));
  shown = more ? [...shown, ...told.rounds] : told.rounds;
  const tell = (number) => tellStory(number, list, story, words);
  const rows = make("ol.rounds", {}, ...shown.map((one) => row(one, words, tell)));
  const earlier = make("button.more", { type: "button" }, words.more);
  earlier.addEventListener("click", () => past(list, story, words, true));
  const whole = shown.length === 0 || shown.at(-1).round.round === 1 || told.rounds.length === 0;
  list.replaceChildren(make("h2", {}, words.rounds), shown.length ? rows : make("p.empty", {}, words.none), ...(whole ? [] : [earlier]));
}

async function tellStory(number, list, story, words) {
  open = number;
  for (const button of list.querySelectorAll(".round")) mark(button, "aria-expanded", String(button.firstChild.textContent === String(number)));
  const told = await read(`/api/rounds/${number}`).catch(() => ({ says: words.gone }));
  if (open !== number) return;
  const close = make("button.leave", { type: "button" }, words.close);
  close.addEventListener("click", () => {
    story.hidden = true;
    open = null;
    list.querySelector(".round[aria-expanded=true]")?.focus();
    for (const button of list.querySelectorAll(".round")) mark(button, "aria-expanded", "false");
  });
  const head = make("div.head", {}, make("h2", { tabindex: "-1" }, `${number}`), close);
  story.hidden = false;
  if (!told.lines) return story.replaceChildren(head, make("p.empty", { role: "alert" }, told.says));
  head.firstChild.append(make("span", {}, told.result ?? ""));
  const lines = told.lines.map((line) =>
    make("li", { "data-kind": line.kind }, make("time", { datetime: line.at, title: time(line.at) }, offset(line.after)), make("span", {}, line.text)),
  );
  story.replaceChildren(head, make("ol.lines", {}, ...lines), ...(told.cut ? [make("p.empty", {}, words.cut)] : []));
  story.scrollTop = 0;
  head.firstChild.focus({ preventScroll: true });
  if (getComputedStyle(story).position === "static") story.scrollIntoView({ block: "start" });
}

function offset(seconds) {
  return `+${span(seconds)}.${Math.floor((seconds % 1) * 10)}`;
}
