// Search for rounds of all tables, and the story of each.
// Invariant: the list shows the last search; further rounds continue where the list ends.

import { asked, day } from "./days.js";
import { at, make, mark, say, show } from "./dom.js";
import { asking, choice, field, words as known } from "./floor-history.js";
import { open as pane } from "./floor-pane.js";
import { choose } from "./floor-views.js";
import { revisions, when } from "./revisions.js";
import { onlyOf } from "./round-of.js";
import { offset, time } from "./stream.js";
import { read, write } from "./talk.js";

const look = asking(write);
let words = {};
let query = {}; // the last search
let open = null; // the round with its story on the page
let currency = ""; // currency of the last found rounds
let decimals = 2; // of this currency

/** Draw the view. Resolves to false if it cannot be loaded. */
export async function draw() {
  const view = at(".view-rounds");
  const told = view.firstChild ? null : await known();
  if (told === null || view.firstChild) return view.firstChild !== null;
  words = told.words;
  const list = make("section.list", {}, form(told), make("ol.rounds"), make("p.empty", { role: "status", hidden: "" }),
    make("button.more", { type: "button", hidden: "" }, words.more));
  view.replaceChildren(list, make("section.story", { hidden: "" }));
  view.querySelector(".more").addEventListener("click", (event) => search({ ...query, before: event.target.dataset.before }, true));
  search({});
  return true;
}

function form({ games, faults, rulings, winners }) {
  const any = { "": words.any };
  const ends = { ...any, settled: words.settled, cancelled: words.cancelled, disputed: words.disputed, resettled: words.settled_anew };
  const text = (name, more = {}) => make("input", { name, autocomplete: "off", ...more });
  const fields = make("form.search", {},
    field(words.player, text("player", { maxlength: "100" })), field(words.bet_id, text("bet", { maxlength: "100" })),
    field(words.least, text("least", { inputmode: "decimal" })), field(words.most, text("most", { inputmode: "decimal" })),
    field(words.winner, choice("winner", { ...any, ...winners })),
    field(words.table, text("table")), field(words.round, text("number", { inputmode: "numeric", pattern: "[0-9]*" })),
    field(words.dealer, text("dealer")), field(words.game, choice("game", { ...any, ...games })),
    field(words.from, day("from", words.time)), field(words.to, day("to", words.time)),
    field(words.end, choice("how", ends)), field(words.fault, choice("fault", { ...any, ...faults })),
    field(words.ruling, choice("ruling", { ...any, ...rulings })), field(words.ruled_by, text("by")),
    field(words.above, text("above", { inputmode: "decimal" })),
    make("div.ways", {}, make("button", { type: "submit" }, words.search), make("a.export", { download: "" }, words.export)));
  fields.addEventListener("submit", (event) => {
    event.preventDefault();
    search(wanted(fields));
  });
  return fields;
}

/** Read the search from the form: amounts as typed, with the currency of the found rounds. */
function wanted(fields) {
  const said = asked(fields);
  return currency && (said.above || said.least || said.most) ? { ...said, currency } : said;
}

/** Update the export link. It is hidden for a search by player or bet, which must not be in an address. */
function exported(view) {
  const { player, bet, ...open_ } = query;
  const link = view.querySelector(".export");
  for (const name of ["above", "least", "most"]) if (open_[name]) open_[name] = String(Math.round(Number(open_[name].replace(",", ".")) * 10 ** decimals));
  show(link, !player && !bet);
  mark(link, "href", `/api/floor/export.csv?${new URLSearchParams(open_)}`);
}

/** Name the currency in which amounts are searched. */
function drawCurrency(view) {
  for (const name of ["least", "most", "above"]) say(view.querySelector(`[name=${name}]`).previousSibling, [words[name], currency].filter(Boolean).join(", "));
}

function search(said, more = false) {
  if (!more) query = said;
  exported(at(".view-rounds"));
  look("/api/floor/rounds", said, (told) => listed(told, more), words.gone);
}

function listed(told, more) {
  const view = at(".view-rounds");
  const [rows, empty, earlier] = [".rounds", ".empty", ".more"].map((part) => view.querySelector(part));
  const isMore = more && Boolean(told.rounds);
  if (more && !isMore) { // the list stays, and the button can be touched again
    empty.textContent = told.says;
    return show(empty, true);
  }
  const items = (told.rounds ?? []).map(row);
  if (told.rounds?.[0]?.currency) ({ currency, decimals } = told.rounds[0]);
  drawCurrency(view);
  if (isMore) rows.append(...items);
  else rows.replaceChildren(...items);
  empty.textContent = told.says ?? words.none;
  show(empty, rows.children.length === 0);
  show(earlier, Boolean(told.more));
  mark(earlier, "data-before", told.more);
  if (!more) close();
}

const tag = (text, kind = "tag") => make(`span.${kind}`, {}, text);

function row(one) {
  const marks = [...one.faults.map((text) => tag(text, "tag.fault")), ...one.rulings.map((text) => tag(text)),
    ...["disputed", "training", "lost"].filter((name) => one[name]).map((name) => tag(words[name])), ...(one.manual ? [tag(words.by_hand)] : []),
    ...(one.revision ? [tag(words.settled_anew)] : [])];
  const button = make("button.round", { type: "button", "data-end": one.end, "aria-expanded": "false" },
    make("b", {}, `${one.table} · ${one.round}`), make("span.at", { title: one.opened }, when(one.opened)),
    make("span.result", {}, one.result), make("span.end", {}, words[one.end]),
    make("span.who", {}, [one.game, one.dealer || words.nobody, `${one.staked} ${one.currency}`].join(" · ")), make("span.marks", {}, ...marks));
  button.addEventListener("click", () => tell(one, button));
  return make("li", {}, button);
}

async function tell(one, button) {
  close();
  open = one;
  mark(button, "aria-expanded", "true");
  const told = await read(`/api/floor/rounds/${one.table}/${one.epoch}/${one.round}`).catch(() => ({ says: words.gone }));
  if (open !== one) return;
  const story = at(".view-rounds .story");
  const leave = make("button.leave", { type: "button" }, words.close);
  leave.addEventListener("click", () => { close(); button.focus(); });
  const head = make("div.head", {}, make("h2", { tabindex: "-1" }, `${one.table} · ${one.round}`, make("span.at", {}, when(one.opened)), make("span", {}, one.result)), leave);
  const lines = (told.lines ?? []).map((line) =>
    make("li", { "data-kind": line.kind }, make("time", { datetime: line.at, title: time(line.at) }, offset(line.after)), make("span", {}, line.text)));
  const there = make("button.put-right", { type: "button" }, words.at_table);
  there.addEventListener("click", () => { choose("floor"); pane(one.table, true, `#round=${one.round}`); });
  const page = make("a.round-page", { href: `/floor/round/${one.table}/${one.epoch}/${one.round}?lang=${document.documentElement.lang}${onlyOf(told.players, query)}`, target: "tablectl-round", rel: "noopener" }, words.round_page);
  const rest = told.lines ? [page, ...(one.lost ? [] : [there]), ...revisions(told.revisions ?? [], words), make("ol.lines", {}, ...lines), ...(told.cut ? [make("p.empty", {}, words.cut)] : [])] : [make("p.empty", { role: "alert" }, told.says)];
  story.replaceChildren(head, ...rest);
  show(story, true);
  head.firstChild.focus({ preventScroll: true });
  if (getComputedStyle(story).position === "static") story.scrollIntoView({ block: "start" });
}

function close() {
  open = null;
  show(at(".view-rounds .story"), false);
  for (const button of document.querySelectorAll(".view-rounds .round[aria-expanded=true]")) mark(button, "aria-expanded", "false");
}
