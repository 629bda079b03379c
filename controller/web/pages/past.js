// Past rounds with their open cases, and the story of each, from which it can be corrected.
// Invariant: a story has the record's order, with the time since the round was opened.

import { cases } from "./cases.js";
import { dress, list, make, mark, say, show } from "./dom.js";
import { revisions, when } from "./revisions.js";
import { onlyOf } from "./round-of.js";
import { offset, time } from "./stream.js";
import { read as ask } from "./talk.js";

const atTheFloor = location.pathname.startsWith("/tables/"); // the floor itself has search and pages of rounds
let shown = []; // rounds in the list, the latest first
let wanted = null; // the search; null: none
let behind = null; // round behind which a search continues
let open = null; // number of the round with its story on the page
let asked = Promise.resolve(); // the last request for the list
let who = null; // sentence on who rules here; null: the viewer does
let sheet = null; // promise of the style sheet, loaded with the view
let finder = null; // module for the search, loaded with the view
let amend = null; // module for corrections, loaded at the first one

function tags(one, words) {
  const { round } = one;
  const told = [round.manual && words.by_hand, round.disputed && words.disputed, round.revision && words.settled_anew, round.training && words.training];
  return told.filter(Boolean).map((text) => make("span.tag", {}, text));
}

function row(one, words, tell) {
  const { round } = one;
  const button = make("button.round", { type: "button" },
    make("b", {}, String(round.round)),
    make("span.at", {}, when(round.opened)),
    make("span.end", {}, words[round.end]),
    make("span.result", {}, one.result ?? ""),
    make("span.who", {}, round.dealer ?? "–"),
    make("span.marks", {}, ...(one.own ? [make("span.tag.own", {}, one.own)] : []), ...(round.faults.length ? [make("span.tag.fault", {}, `${words.faults}: ${round.faults.length}`)] : []),
      ...(one.paused ? [make("span.tag", {}, `${words.time_paused} ${one.paused}`)] : []), ...tags(one, words)),
  );
  mark(button, "data-end", round.end);
  button.addEventListener("click", () => tell(round.round));
  return make("li", {}, button);
}

/** Update the list, one request after the other; `more`: add the rounds before those that are shown. */
export function past(view, words, more = false) {
  asked = asked.then(() => draw(view, words, more));
}

async function draw(view, words, more) {
  if (!(await (sheet ??= dress("rounds")))) sheet = null; // try again next time
  if (!atTheFloor && !view.querySelector(".find")) await begin(view, words);
  const told = await fetched(more).catch(() => ({ says: words.gone }));
  if (told.rounds) {
    shown = more ? [...shown, ...told.rounds] : wanted ? told.rounds : joined(told.rounds);
    behind = wanted ? told.more ?? null : null;
  }
  listed(view, words, told);
}

async function begin(view, words) {
  finder ??= await import("./past-search.js").catch(() => null); // try again next time
  if (finder) view.querySelector(".list .cases").after(finder.searchForm(words, (query, refused) => look(query, refused, view, words)));
}

const fetched = (more) => wanted ? finder.search(wanted, more ? behind : null) : ask("/api/rounds", more ? { before: shown.at(-1).round.round } : {});

/** Search for rounds; null: show all. */
function look(query, refused, view, words) {
  asked = asked.then(async () => {
    const told = query ? await finder.search(query).catch(() => ({ says: words.gone })) : {};
    if (query && !told.rounds) return refused(told.says);
    wanted = query;
    shown = told.rounds ?? [];
    behind = told.more ?? null;
    if (query) listed(view, words, told);
    else await draw(view, words, false);
  });
  return asked;
}

function listed(view, words, told) {
  const [head, rows, empty, earlier] = [":scope > h2", ".rounds", ":scope > .empty", ":scope > .more"].map((part) => view.querySelector(".list").querySelector(part));
  say(head, words.rounds);
  list(rows, shown, (one) => JSON.stringify(one), (one) => row(one, words, (number) => tellStory(number, view, words)), () => {});
  unfold(view);
  say(empty, told.says ?? (wanted ? words.none_found : words.none));
  show(empty, !told.rounds || shown.length === 0);
  say(earlier, words.more);
  show(earlier, wanted ? behind !== null : shown.length > 0 && shown.at(-1).round.round !== 1 && told.rounds?.length !== 0);
  earlier.onclick = () => past(view, words, true);
}

/** Join the latest rounds with the earlier ones in the list. */
function joined(latest) {
  const overlap = shown.findIndex((one) => one.round.round === latest.at(-1)?.round.round);
  return overlap < 0 ? latest : [...latest, ...shown.slice(overlap + 1)];
}

/** Draw the open cases, and update if the viewer may rule here. */
export function follow(view, screen, words) {
  cases(view.querySelector(".cases"), screen, words, (number) => tellStory(number, view, words));
  const before = who;
  who = screen.who_rules;
  if (before !== who && open !== null) tellStory(open, view, words);
}

/** True if a correction of a round is in progress. */
export const isPuttingRight = () => typeof amend?.round() === "number";

/** Drop a correction in progress. */
export const drop = () => amend?.drop();

/** Handle a badge. Returns false if no correction needs one. */
export const read = (code) => amend?.read(code) === true;

function unfold(view) {
  for (const button of view.querySelectorAll(".round")) mark(button, "aria-expanded", String(button.firstChild.textContent === String(open)));
}

/** Remove all rounds from the page, after a sign-out. */
export function forget(view) {
  open = null;
  asked = asked.then(() => {
    shown = [];
    wanted = behind = null;
    view.querySelector(".find")?.remove();
    view.querySelector(".rounds").replaceChildren();
    view.querySelector(".story").replaceChildren();
    view.querySelector(".story").hidden = true;
    view.querySelector(".cases ol").replaceChildren();
  });
}

/** Show the story of a round. `note`: result of an act on it, to show above. */
export async function tellStory(number, view, words, note = "") {
  const story = view.querySelector(".story");
  open = number;
  unfold(view);
  const told = await ask(`/api/rounds/${number}`).catch(() => ({ says: words.gone }));
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
  head.firstChild.append(make("span.at", {}, when(told.round.opened)), make("span", {}, told.result ?? ""));
  const lines = told.lines.map((line) =>
    make("li", { "data-kind": line.kind }, make("time", { datetime: line.at, title: time(line.at) }, offset(line.after)), make("span", {}, line.text)),
  );
  const place = make("div.right", {});
  const whole = make("a.round-page", { href: `/round/${number}?lang=${document.documentElement.lang}${onlyOf(told.players, wanted)}`, target: "tablectl-round", rel: "noopener" }, words.round_page);
  story.replaceChildren(head, ...(note ? [make("p.note", { role: "status" }, note)] : []), ...(atTheFloor ? [] : [whole]), place, ...revisions(told.revisions, words),
    make("ol.lines", {}, ...lines), ...(told.cut ? [make("p.empty", {}, words.cut)] : []));
  story.scrollTop = 0;
  head.firstChild.focus({ preventScroll: true });
  if (getComputedStyle(story).position === "static") story.scrollIntoView({ block: "start" });
  if (told.round.end !== "live" && !told.round.training) drawRight(place, number, view, words);
}

/** Draw the key that corrects the round; a correction in progress is shown again. */
function drawRight(place, number, view, words) {
  if (who !== null) return place.append(make("p.who", {}, who));
  const button = make("button.put-right", { type: "button" }, words.put_right);
  button.addEventListener("click", () => putRight(place, number, view, words));
  place.append(button);
  if (amend?.round() === number) putRight(place, number, view, words);
}

async function putRight(place, number, view, words) {
  amend ??= await import("./amend.js").catch(() => null);
  if (amend === null) return place.append(make("p.empty", { role: "alert" }, words.gone));
  const done = (note) => {
    tellStory(number, view, words, note);
    past(view, words);
  };
  amend.begin(place, number, words, done);
}
