// Performance numbers of tables, dealers, games and shifts, with their confidence intervals.
// Invariant: a share is a dot on the line of its interval. Names with too few rounds are in a table of their own.

import { at, make, show, svg } from "./dom.js";
import { course } from "./floor-course.js";
import { asked, day, fill } from "./days.js";
import { asking, choice, field, printed, words as known } from "./floor-history.js";
import { tenths } from "./tenths.js";

const look = asking();
let words = {};

/** Draw the view. Resolves to false if it cannot be loaded. */
export async function draw() {
  const view = at(".view-numbers");
  const told = view.firstChild ? null : await known();
  if (told === null || view.firstChild) return view.firstChild !== null;
  words = told.words;
  const kinds = Object.fromEntries(["table", "dealer", "game", "shift"].map((by) => [by, words[by]]));
  const form = make("form.search", {}, field(words.by, choice("by", kinds)),
    field(words.from, day("from", words.time)), field(words.to, day("to", words.time)),
    make("div.ways", {}, make("button", { type: "submit" }, words.search), printed(words.report, "/api/floor/reports"),
      printed(words.day_report, "/api/floor/reports", { day: "" })));
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  form.elements.by.addEventListener("change", search);
  view.replaceChildren(form, make("p.empty", { role: "status", hidden: "" }), make("div.told"));
  search();
  return true;
}

function search() {
  const form = at(".view-numbers form");
  look("/api/floor/numbers", asked(form), (told) => answered(form, told), words.gone);
}

function answered(form, told) {
  const empty = at(".view-numbers .empty");
  show(empty, !told.numbers || told.numbers.whole.rounds === 0);
  empty.textContent = told.says ?? words.nothing;
  const parts = told.numbers ? drawn(told.numbers) : [];
  if (told.since) for (const [name, time] of [["from", told.since], ["to", told.until]]) fill(form, name, time);
  at(".view-numbers .told").replaceChildren(...parts);
}

function drawn({ by, minimum, whole, ranked, few, devices, course: points }) {
  if (whole.rounds === 0) return [];
  const most = (name) => Math.max(...[...ranked, whole].map((one) => one[name].high), 0.001);
  const scale = { stopped: most("stopped"), voids: most("voids"), misread: Math.max(...devices.map((one) => one.misread.high), most("misread")) };
  const heads = ["rank", by, "rounds", "rate", "hours", "faults", "stopped", "voids", "acknowledged", "ruled", "misread"];
  const rows = [...ranked, { ...whole, name: words.whole, rank: null }].map((one) => numbersOf(one, scale));
  const parts = [...course(points, words, { count, share: told }, table), table(words[by], heads, rows), make("p.sure", {}, words.sure)];
  if (few.length) parts.push(table(words.few.replace("{minimum}", minimum), heads.slice(1, 6), few.map((one) => numbersOf(one, scale).slice(1, 6))));
  if (devices.length) parts.push(table(words.readers, ["rank", "name", "read", "unread", "corrected", "misread"], devices.map((one) =>
    [one.rank ?? "", one.name, count(one.read), count(one.unread), count(one.corrected), share(one.misread, scale.misread)])));
  return parts;
}

function numbersOf(one, scale) {
  return [one.rank ?? "", one.name === "nobody" ? words.nobody : one.name, count(one.rounds), one.rate === null ? "–" : tenths(one.rate), tenths(one.hours), count(one.faults),
    share(one.stopped, scale.stopped), share(one.voids, scale.voids), one.acknowledged.text, one.ruled.text, share(one.misread, scale.misread)];
}

const count = (value) => value.toLocaleString("en").replaceAll(",", "\u202f"); // a thin space, as readers differ on "1.234"

const thousand = ({ count: seen, of, low, high }) => [low, seen / of, high].map((part) => tenths(1000 * part));

/** Text of a share per thousand, with its bounds. */
function told(one) {
  const [from, value, to] = thousand(one);
  return `${value} (${from} – ${to})`;
}

/** Element with a share per thousand, its bounds, and a drawing of both. */
function share(one, most) {
  const { count: seen, of, low, high } = one;
  if (!of) return "–";
  const [from, value, to] = thousand(one);
  const [left, dot, right] = [low, seen / of, high].map((part) => 4 + (92 * part) / most);
  const drawing = svg("svg", { viewBox: "0 0 100 10", class: "bounds", "aria-hidden": "true" },
    svg("line", { x1: left, x2: right, y1: 5, y2: 5 }), svg("circle", { cx: dot, cy: 5, r: 3 }));
  return make("span.share", {}, make("b", {}, value), make("small", {}, `${from} – ${to}`), drawing);
}

function table(title, heads, rows) {
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, words[name])));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell instanceof Node ? cell : String(cell)))));
  return make("section.numbers", { tabindex: "0" }, ...(title ? [make("h2", {}, title)] : []), make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}
