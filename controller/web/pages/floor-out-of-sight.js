// Calls that are out of sight: counted as the page is laid out, by kind, on a button that brings the next of them.

import { at, say, show } from "./dom.js";

const WHOLE = 0.99; // of a strip, for which it counts as seen
const phone = matchMedia("(max-width: 760px)"); // there the page scrolls, else the strips
const out = new Set();
let observer = null;
let words = {};

/** Observe the calls that are on the page now. */
export function watch(those) {
  words = those;
  if (observer === null) begin();
  for (const item of out) if (!item.isConnected) out.delete(item);
  for (const item of at(".calls ol").children) observer.observe(item); // once each, whatever is asked
  draw();
}

function begin() {
  observer?.disconnect();
  out.clear();
  const [header, beneath] = [at("header"), at(".calls .more")].map((one) => Math.ceil(one.getBoundingClientRect().height || 48));
  const within = phone.matches ? { root: document, rootMargin: `-${header}px 0px -${beneath}px` } : { root: at(".calls .strips") };
  observer = new IntersectionObserver(seen, { ...within, threshold: [0, WHOLE] });
}

function seen(entries) {
  for (const { target, intersectionRatio } of entries) {
    if (target.isConnected && intersectionRatio < WHOLE) out.add(target);
    else out.delete(target);
  }
  draw();
}

function draw() {
  const more = at(".calls .more");
  show(more, out.size > 0);
  const hidden = [...at(".calls ol").children].filter((item) => out.has(item));
  if (hidden.length > 0) say(more, `${words.more_calls.replace("{count}", hidden.length)}: ${kinds(hidden)}`);
  more.onclick = next;
}

/** How many of which kind, the most first. */
function kinds(items) {
  const counted = Map.groupBy(items, ({ strip }) => strip.call.head);
  return [...counted].sort(([, a], [, b]) => b.length - a.length).map(([head, ones]) => `${head} × ${ones.length}`).join(" · ");
}

/** Bring the first that lies below into sight, or, where none does, the first of all. */
function next() {
  const items = [...at(".calls ol").children];
  const last = items.findLastIndex((item) => !out.has(item));
  const below = items.slice(last + 1).find((item) => out.has(item)) ?? items[0];
  below.scrollIntoView({ block: "start" });
}

phone.addEventListener("change", () => {
  if (observer === null) return;
  begin();
  watch(words);
});
