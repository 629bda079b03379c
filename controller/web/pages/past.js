// The rounds of the shift, and the story of each.
// The one rule: a round is told in the record's own order, with the time since it was opened.

import { list, make, mark, say, show } from "./dom.js";
import { span, time } from "./stream.js";
import { read } from "./talk.js";

let shown = []; // rounds, the latest first
let open = null; // the number of the one whose story is told
let asked = Promise.resolve(); // for the list, last

function tags(one, words) {
  const { round } = one;
  const told = [round.manual && words.by_hand, round.disputed && words.disputed, round.revision && words.settled_anew, round.training && words.training];
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
  button.addEventListener("click", () => tell(round.round));
  return make("li", {}, button);
}

/** Bring the list up to date, one answer after the other; `more`: with the rounds before those that are shown. */
export function past(view, words, more = false) {
  asked = asked.then(() => draw(view, words, more));
}

async function draw(view, words, more) {
  const told = await read("/api/rounds", more ? { before: shown.at(-1).round.round } : {}).catch(() => ({ says: words.gone }));
  if (told.rounds) shown = more ? [...shown, ...told.rounds] : joined(told.rounds);
  const [head, rows, empty, earlier] = view.querySelector(".list").children;
  say(head, words.rounds);
  list(rows, shown, (one) => JSON.stringify(one), (one) => row(one, words, (number) => tellStory(number, view, words)), () => {});
  unfold(view);
  say(empty, told.says ?? words.none);
  show(empty, !told.rounds || shown.length === 0);
  say(earlier, words.more);
  show(earlier, shown.length > 0 && shown.at(-1).round.round !== 1 && told.rounds?.length !== 0);
  earlier.onclick = () => past(view, words, true);
}

/** The latest rounds, and of those that are shown the ones before them. */
function joined(latest) {
  const overlap = shown.findIndex((one) => one.round.round === latest.at(-1)?.round.round);
  return overlap < 0 ? latest : [...latest, ...shown.slice(overlap + 1)];
}

function unfold(view) {
  for (const button of view.querySelectorAll(".round")) mark(button, "aria-expanded", String(button.firstChild.textContent === String(open)));
}

/** Leave nothing of it on the page. */
export function forget(view) {
  open = null;
  asked = asked.then(() => {
    shown = [];
    view.querySelector(".rounds").replaceChildren();
    view.querySelector(".story").replaceChildren();
    view.querySelector(".story").hidden = true;
  });
}

async function tellStory(number, view, words) {
  const story = view.querySelector(".story");
  open = number;
  unfold(view);
  const told = await read(`/api/rounds/${number}`).catch(() => ({ says: words.gone }));
  if (open !== number) return;
  const close = make("button.leave", { type: "button" }, words.close);
  close.addEventListener("click", () => {
    story.hidden = true;
    open = null;
    view.querySelector(".round[aria-expanded=true]")?.focus();
    unfold(view);
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
