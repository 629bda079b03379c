// The bays PLAYING and RESTING: a cell for each table.
// Invariant: a table keeps its place. While it calls or has alarms, its cell stays and points to the strip.

import { at, list, make, mark, say } from "./dom.js";
import { moving } from "./floor-touch.js";
import { priority } from "./floor-calls.js";
import { span } from "./stream.js";

const SIZES = [[14.5, 7.9], [11.5, 5.5], [7.2, 2.75], [5.9, 1.6], [3.7, 1.5]]; // least width and height of a cell in rem
const ON_WALL = [SIZES[0], SIZES[1], [8.4, 2.75], [8.4, 1.5]]; // wide enough for a call in large letters
const LINES = [3, 2, 1, 0, "name"]; // lines of a fault in a calling table's cell on the wall, as many as fit; at last only the table's name
const TALLER = 1.25; // factor by which a cell may be taller, if there is room
const GAP = 0.25;
const HEADS = 4; // height of both bays' headings in rem
const FIELDS = ["b.table", "span.timer", "span.life", "span.next", "span.where", "span.dealer", "span.shoe", "span.owner"];

const homes = new Map(); // by table: its bay, playing or resting, while it needs no act
const order = new Intl.Collator("en", { numeric: true });
const items = new Map(); // by table: its cell
let ranks = new Map(); // by table: its place in the order of names
let fitted = 0; // number of tables for which the cells were sized
let wasWall = false;

/** Draw both bays. `strips`: strips of all tables. */
export function draw(strips, words, acts) {
  for (const { table, bay } of strips) if (bay === "playing" || bay === "resting") homes.set(table, bay);
  if (strips.length !== ranks.size || strips.some(({ table }) => !ranks.has(table))) rank(strips);
  const all = [...strips].sort((a, b) => ranks.get(a.table) - ranks.get(b.table));
  for (const bay of ["playing", "resting"]) {
    const place = at(`.${bay} .cells`);
    const cells = all.filter(({ table }) => (homes.get(table) ?? "playing") === bay);
    moving(place, () => list(place, cells, (strip) => strip.table, () => makeCell(acts), (item, strip) => drawCell(item, strip, words, acts)));
    for (const item of place.children) items.set(item.key, item);
  }
  const isWall = document.body.hasAttribute("data-wall");
  if (strips.length !== fitted || isWall !== wasWall) fit(strips.length);
  wasWall = isWall;
  if (isWall) tighten();
}

function rank(strips) {
  const names = strips.map(({ table }) => table).sort(order.compare);
  ranks = new Map(names.map((table, index) => [table, index]));
}

/** Redraw the cells of strips that have not moved. */
export function renew(strips, words, acts) {
  for (const strip of strips) if (items.has(strip.table)) drawCell(items.get(strip.table), strip, words, acts);
}

function makeCell(acts) {
  const button = make("button.cell", { type: "button" }, ...FIELDS.map((kind) => make(kind)));
  const item = make("li", {}, button);
  button.addEventListener("click", () => acts.open(item.strip.table));
  return item;
}

function drawCell(item, strip, words, acts) {
  mark(item, "data-shown", acts.shown() === strip.table);
  if (item.strip === strip) return;
  item.strip = strip;
  const [table, timer, life, next, where, dealer, shoe, owner] = item.firstChild.children;
  mark(item.firstChild, "data-bay", strip.bay);
  mark(item.firstChild, "data-heard", strip.heard === null);
  mark(item.firstChild, "data-priority", strip.call && priority(strip.call));
  say(table, strip.table);
  say(life, lifeOf(strip, words));
  say(next, strip.call?.head ?? strip.next);
  say(where, [strip.game, strip.round].filter(Boolean).join(" · "));
  say(dealer, strip.dealer);
  say(shoe, [strip.shoe === null ? "" : words.shoe.replace("{left}", strip.shoe), strip.misreads ? words.misreads.replace("{count}", strip.misreads) : ""].filter(Boolean).join(" · "));
  say(owner, strip.owner);
  mark(item.firstChild, "title", [life, next, where, dealer, shoe, owner].map((part) => part.textContent).filter(Boolean).join(" · "));
  if (strip.until === null && strip.call === null) say(timer, strip.left === null ? "" : span(strip.left));
}

function lifeOf({ bay, heard, says }, words) {
  if (bay === "calls") return `↑ ${words.calls}`;
  if (heard !== null) return words.not_heard;
  return says;
}

/** Choose the largest cells that all fit without scrolling, however the tables spread over the bays. */
function fit(count) {
  const hall = at(".hall");
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (hall.clientWidth === 0) return; // the floor is hidden by another view
  fitted = count;
  const [wide, high] = [hall.clientWidth / rem, hall.clientHeight / rem - HEADS];
  const room = ([width]) => high / (Math.ceil(count / Math.max(1, Math.floor((wide + GAP) / (width + GAP)))) + 1) - GAP;
  const sizes = document.body.hasAttribute("data-wall") ? ON_WALL : SIZES;
  const found = sizes.findIndex((size) => room(size) >= size[1]);
  const density = found < 0 ? sizes.length - 1 : found;
  const [width, height] = sizes[density];
  mark(hall, "data-density", density);
  for (const bay of hall.children) bay.style.setProperty("--rows", Math.ceil(bay.lastChild.children.length / Math.max(1, Math.floor((wide + GAP) / (width + GAP)))));
  hall.style.setProperty("--cell-w", `${width}rem`);
  hall.style.setProperty("--cell-h", `${Math.min(Math.max(room(sizes[density]), height), height * TALLER)}rem`);
}

/** Shorten the faults on the wall until all rows of tables are visible. */
function tighten() {
  const hall = at(".hall");
  const end = hall.getBoundingClientRect().bottom + 1;
  for (const lines of LINES) {
    mark(hall, "data-lines", lines);
    if (at(".resting .cells").getBoundingClientRect().bottom <= end && at(".resting").getBoundingClientRect().top >= at(".playing .cells").getBoundingClientRect().bottom) return;
  }
}

new ResizeObserver(() => {
  fit(ranks.size);
  if (wasWall) tighten();
}).observe(at(".hall"));

/** Update the clocks. */
export function tick(now) {
  for (const item of document.querySelectorAll(".cells li")) {
    const { call } = item.strip;
    if (call !== null) say(item.firstChild.children[1], span((now - Date.parse(call.since)) / 1000));
    if (call !== null || item.strip.until === null) continue;
    const left = (Date.parse(item.strip.until) - now) / 1000;
    say(item.firstChild.children[1], left > 0 ? span(left) : "");
  }
}

/** Forget all tables, after a sign-out. */
export function forget() {
  homes.clear();
  items.clear();
  fitted = 0;
}
