// The roads: each sign in its cell, as one drawing for each road.
// Invariant: nothing is counted or decided here; the screen contains the cell of each sign. Colour is not the only
// difference: Banker and red are filled (a slash: thick), Player and blue are hollow (thin).

import { list, make, mark, say, svg } from "./dom.js";

const CORNERS = { banker: [2, 2], player: [8, 8] };

const ring = (r) => svg("circle", { cx: 5, cy: 5, r, class: "ring" });
const disc = (r) => svg("circle", { cx: 5, cy: 5, r, class: "disc" });
const slash = () => svg("path", { d: "M2 8L8 2", class: "slash" });
const CELL = { x: 0.4, y: 0.4, width: 9.2, height: 9.2, rx: 1.5, class: "newest" };
const letter = (text) => svg("text", { x: 5, y: 7.1 }, text);

const DRAW = {
  bead: (cell) => [disc(4.4), letter(cell.letter)],
  big: (cell) => [...(cell.kind === "tie" ? [] : [ring(3.8)]), ...ties(cell.ties ?? 0)],
  eye: () => [ring(3.4)],
  small: () => [disc(3.8)],
  pig: () => [slash()],
};

function ties(count) {
  if (count === 0) return [];
  const line = svg("path", { d: "M1.5 8.5L8.5 1.5", class: "tied" });
  return count === 1 ? [line] : [line, svg("text", { x: 5, y: 7.2, class: "times" }, String(count))];
}

function drawCell(road, cell) {
  const at = `translate(${cell.column * 10} ${cell.row * 10})`;
  const group = svg("g", { transform: at, class: cell.kind });
  const pairs = road === "bead" || road === "big" ? (cell.pairs ?? []) : [];
  group.append(...(cell.newest ? [svg("rect", CELL)] : []), ...DRAW[road](cell));
  for (const place of pairs) {
    group.append(svg("circle", { cx: CORNERS[place][0], cy: CORNERS[place][1], r: 1.4, class: `pair ${place}` }));
  }
  return group;
}

function grid(columns, rows) {
  const down = Array.from({ length: columns + 1 }, (_, column) => `M${column * 10} 0V${rows * 10}`);
  const across = Array.from({ length: rows + 1 }, (_, row) => `M0 ${row * 10}H${columns * 10}`);
  return svg("path", { d: [...down, ...across].join(""), class: "grid" });
}

function drawRoad(element, road) {
  const box = `-0.5 -0.5 ${road.columns * 10 + 1} ${road.rows * 10 + 1}`;
  const cells = road.cells.map((cell) => drawCell(road.road, cell));
  element.replaceChildren(svg("svg", { viewBox: box }, grid(road.columns, road.rows), ...cells));
  mark(element, "aria-label", road.name);
}

/** Call `draw` if `value` differs from the last time. */
function fill(element, value, draw) {
  const text = JSON.stringify(value);
  if (element.filled === text) return;
  element.filled = text;
  draw(element, value);
}

function drawNext(element, next) {
  const marks = Object.entries(next.roads).map(([road, kind]) =>
    svg("svg", { viewBox: "0 0 10 10", class: road }, svg("g", { class: kind }, ...DRAW[road]({}))),
  );
  element.replaceChildren(make("b", {}, next.letter), ...(marks.length > 0 ? marks : [make("span", {}, "–")]));
  mark(element, "data-kind", next.kind);
}

/** Draw all roads, the counts, and the next entries of the derived roads. */
export function board({ counts, roads, next }, shown) {
  list(counts, shown.counts, (count) => count.kind, () => make("li", {}, make("b"), make("span"), make("i")), (item, count) => {
    mark(item, "data-kind", count.kind);
    say(item.children[0], count.letter);
    say(item.children[1], String(count.count));
    say(item.children[2], `${count.percent} %`);
  });
  const create = (road) => make(`div.road.${road.road}`, { role: "img" });
  list(roads, shown.roads, (road) => road.road, create, (element, road) => fill(element, road, drawRoad));
  list(next, shown.next, (one) => one.kind, () => make("li"), (element, one) => fill(element, one, drawNext));
}
