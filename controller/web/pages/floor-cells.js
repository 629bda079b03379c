// The tables that ask for nothing: PLAYING and RESTING, a cell each.
// Invariant: a table keeps its place. While it calls, or is watched, its cell stays and points there.

import { at, list, make, mark, say } from "./dom.js";
import { moving } from "./floor-touch.js";
import { span } from "./stream.js";

const SIZES = [[14.5, 7.9], [11.5, 5.5], [7.2, 2.75], [5.9, 1.6], [3.7, 1.5]]; // of a cell in rem, at least
const TALLER = 1.25; // than that, where there is room
const GAP = 0.25;
const HEADS = 4; // what is above the cells, of both
const FIELDS = ["b.table", "span.timer", "span.life", "span.next", "span.where", "span.dealer", "span.shoe", "span.owner"];

const homes = new Map(); // where a table lies while it does not ask for an act
const order = new Intl.Collator("en", { numeric: true });
const items = new Map(); // their cells
let ranks = new Map(); // by name
let fitted = 0; // so many there are room for

/** Draw both bays. `strips`: of all tables. */
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
  if (strips.length !== fitted) fit(strips.length);
}

function rank(strips) {
  const names = strips.map(({ table }) => table).sort(order.compare);
  ranks = new Map(names.map((table, index) => [table, index]));
}

/** Draw these anew, which lie where they did. */
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
  say(table, strip.table);
  say(life, lifeOf(strip, words));
  say(next, strip.next);
  say(where, [strip.game, strip.round].filter(Boolean).join(" · "));
  say(dealer, strip.dealer);
  say(shoe, [strip.shoe === null ? "" : words.shoe.replace("{left}", strip.shoe), strip.misreads ? words.misreads.replace("{count}", strip.misreads) : ""].filter(Boolean).join(" · "));
  say(owner, strip.owner);
  mark(item.firstChild, "title", [life, next, where, dealer, shoe, owner].map((part) => part.textContent).filter(Boolean).join(" · "));
  if (strip.until === null) say(timer, strip.left === null ? "" : span(strip.left));
}

function lifeOf({ bay, heard, says }, words) {
  if (bay === "calls") return `↑ ${words.calls}`;
  if (heard !== null) return words.not_heard;
  return says;
}

/** The largest cells that all fit without scrolling, whichever bay each table comes to lie in. */
function fit(count) {
  const hall = at(".hall");
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (hall.clientWidth === 0) return; // another view is shown
  fitted = count;
  const [wide, high] = [hall.clientWidth / rem, hall.clientHeight / rem - HEADS];
  const room = ([width]) => high / (Math.ceil(count / Math.max(1, Math.floor((wide + GAP) / (width + GAP)))) + 1) - GAP;
  const found = SIZES.findIndex((size) => room(size) >= size[1]);
  const density = found < 0 ? SIZES.length - 1 : found;
  const [width, height] = SIZES[density];
  mark(hall, "data-density", density);
  hall.style.setProperty("--cell-w", `${width}rem`);
  hall.style.setProperty("--cell-h", `${Math.min(Math.max(room(SIZES[density]), height), height * TALLER)}rem`);
}

new ResizeObserver(() => fit(ranks.size)).observe(at(".hall"));

/** Bring what runs up to date. */
export function tick(now) {
  for (const item of document.querySelectorAll(".cells li")) {
    if (item.strip.until === null) continue;
    const left = (Date.parse(item.strip.until) - now) / 1000;
    say(item.firstChild.children[1], left > 0 ? span(left) : "");
  }
}

/** Leave nothing of it on the page. */
export function forget() {
  homes.clear();
  items.clear();
  fitted = 0;
}
