// Course of numbers over a time, by the hour or the day, each share with its confidence interval.
// Invariant: hours without play have a gap; everything in the plots is also in a table.

import { make, svg } from "./dom.js";

const HIGH = 100, BELOW = 4; // height of a plot and space below, in SVG units; a point has the width 1
const DAY = 25; // most hours of a day

/** The plots and their table. `texts`: {count(value), share(share)}; `table(title, heads, rows)`. */
export function course({ step, points }, words, texts, table) {
  if (points.length < 2) return [];
  const named = { day: [5, 10], hour: points.length > DAY ? [5, 16] : [11, 16] }[step]; // the part of a time that is shown: with the day if there are several
  const name = ({ at }) => at.slice(...named).replace("T", " ");
  const shares = (key) => plot(words[key], points, name, top(points, key), (value) => (1000 * value).toFixed(0), (point) => bounds(point[key]));
  const most = Math.max(...points.map((point) => point.rounds));
  const rounds = plot(words.rounds, points, name, most, texts.count, (point) => [svg("rect", { x: 0.1, width: 0.8, y: 0, height: point.rounds })]);
  const rows = points.map((point) => [point.at.slice(0, step === "hour" ? 16 : 10).replace("T", " "),
    ...(point.rounds ? [texts.count(point.rounds), texts.share(point.stopped), texts.share(point.voids)] : ["–", "–", "–"])]);
  return [make("section.course", {}, make("h2", {}, words[step]), rounds, shares("stopped"), shares("voids"), make("p.sure", {}, words.gaps),
    make("details", {}, make("summary", {}, words.as_table), table("", ["time", "rounds", "stopped", "voids"], rows)))];
}

/** Top of the scale: all observed shares, and the intervals of points with enough rounds to be meaningful. */
function top(points, key) {
  const played = points.filter((point) => point.rounds);
  const enough = played.reduce((sum, point) => sum + point.rounds, 0) / played.length / 2;
  return Math.max(0.001, ...played.map(({ rounds, [key]: one }) => (rounds < enough ? one.count / one.of : one.high)));
}

/** Plot of the shapes of all points, from 0 to `most`. */
function plot(title, points, name, most, said, shape) {
  const drawn = points.map((point, index) => svg("g", { transform: `translate(${index} ${HIGH}) scale(1 ${-HIGH / most})` }, ...(point.rounds ? shape(point) : [])));
  const drawing = svg("svg", { viewBox: `0 0 ${points.length} ${HIGH + BELOW}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...drawn);
  const some = [points[0], points[Math.floor(points.length / 2)], points.at(-1)].map(name);
  return make("figure", {}, make("figcaption", {}, title), make("div.scale", { "aria-hidden": "true" }, make("span", {}, said(most)), make("span", {}, "0")),
    drawing, make("div.times", { "aria-hidden": "true" }, ...some.map((text) => make("span", {}, text))));
}

function bounds({ count, of, low, high }) {
  return [svg("path", { d: `M0.5 ${low}V${high}` }), svg("path", { d: `M0.5 ${count / of}h0`, class: "dot" })];
}
