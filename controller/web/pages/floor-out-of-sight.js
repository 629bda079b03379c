// Button with the calls that are scrolled out of sight, counted by kind; a touch scrolls to the next one.

import { at, say, show } from "./dom.js";

const WHOLE = 0.99; // visible share of a strip from which it counts as seen
const phone = matchMedia("(max-width: 760px)"); // on a phone the page scrolls, else the list of strips
const out = new Set();
let observer = null;
let words = {};

/** Observe the calls that are on the page now. */
export function watch(those) {
  words = those;
  if (observer === null) begin();
  for (const item of out) if (!item.isConnected) out.delete(item);
  for (const item of at(".calls ol").children) observer.observe(item); // a repeated call for an element has no effect
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

/** Number of calls of each kind, the most frequent first. */
function kinds(items) {
  const counted = Map.groupBy(items, ({ strip }) => strip.call.head);
  return [...counted].sort(([, a], [, b]) => b.length - a.length).map(([head, ones]) => `${head} × ${ones.length}`).join(" · ");
}

/** Scroll to the first hidden call below, or to the first of all if there is none. */
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
