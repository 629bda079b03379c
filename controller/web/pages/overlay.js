// The players' overlay over the video. The table sends all content and texts; this file draws them.
// Invariant: the overlay covers the video only where it shows something. A text stays long enough to be read.

import { at, list, make, mark, say, show } from "./dom.js";
import { felt } from "./felt.js";
import { follow } from "./page.js";
import { race } from "./race.js";
import { board } from "./roads.js";
import { measure, slide } from "./slide.js";

const SIDES = ["left", "right"];
const BETWEEN = ["closed", "shoe_change", "dealer_change", "training"]; // phases without cards on the table
const ICONS = {
  closed: "M6 11V8a6 6 0 0 1 12 0v3h1v10H5V11zM9 11h6V8a3 3 0 0 0-6 0z",
  training: "M6 11V8a6 6 0 0 1 12 0v3h1v10H5V11zM9 11h6V8a3 3 0 0 0-6 0z",
  shoe_change: "M4 12a8 8 0 0 1 14-5l2-2v6h-6l2-2a5 5 0 0 0-9 3zM20 12a8 8 0 0 1-14 5l-2 2v-6h6l-2 2a5 5 0 0 0 9-3z",
  dealer_change: "M12 3a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM3 21c0-5 4-7 9-7s9 2 9 7z",
  cancelled: "M5 3l7 7 7-7 2 2-7 7 7 7-2 2-7-7-7 7-2-2 7-7-7-7z",
  paused: "M6 4h4v16H6zM14 4h4v16h-4z",
};

const isArranging = new URLSearchParams(location.search).has("arrange");
let words = null; // texts of the page on which seats are arranged
let settled = null; // the screen with the last result; its cards are shown until the result has been read

const isOn = (one, now) => Boolean(one) && (one.until === null || Date.parse(one.until) > now);

/** False if the round was corrected since, because then the totals on its screen are wrong. */
const isSame = (one, other) => one?.round === other.round && one.revision === other.revision;

function draw(told) {
  measure(at(".felt"));
  if (told.result && told.result.until === null) settled = told;
  mark(document.body, "data-life", told.phase);
  mark(document.body, "data-game", told.game);
  mark(document.body, "data-rules", told.digest);
  say(at("header h1"), told.title);
  say(at(".round"), [told.table, told.round].filter(Boolean).join(" · "));
  say(at(".manual"), told.manual);
  show(at(".board"), told.roads !== null);
  if (told.roads !== null) drawBoard(told);
  drawLast(told);
}

function drawBoard({ roads, words }) {
  board({ counts: at(".counts"), roads: at(".roads"), next: at(".next ul") }, roads);
  say(at(".next span"), words.next);
  say(at(".note"), roads.note);
}

function drawLast(told) {
  show(at(".last"), told.last.length > 0);
  say(at(".last h2"), told.words.last);
  const create = () => make("li", {}, make("span"), make("b"));
  list(at(".last ol"), told.last, (result) => result.round, create, (item, result) => {
    mark(item, "data-mark", result.mark);
    say(item.children[0], String(result.round));
    say(item.children[1], result.text);
  });
}

function tick(told, now) {
  const result = isOn(told.result, now) ? told.result : null;
  const notice = isOn(told.notice, now) ? told.notice : null;
  const beside = told.beside.filter((one) => isOn(one, now));
  const past = result?.until && isSame(settled?.result, result) ? settled : null;
  const places = (past ?? told).places.filter((place) => place.taken || isArranging);
  slide(at(".felt"), () => {
    felt(places, at(".felt"));
    mark(document.body, "data-lying", isArranging || places.some((place) => place.hands.some((hand) => hand.cards.length > 0)));
    race(at(".felt"), told.layout === "row");
    mark(document.body, "data-between", BETWEEN.includes(told.phase) && !result && !isArranging);
    drawCourse(told, result, notice);
    drawNotices(beside);
  });
  if (isArranging && words === null && told.words.arrange) place((words = told.words));
}

/** Make the seats movable, once they are drawn. */
async function place(words) {
  const { arrange } = await import("./arrange.js");
  arrange(at(".felt"), words);
}

/** Draw the status, in this order of priority: a pause, closed bets, the result, the table's own text. Once the next
    round has begun, the last result is shown beside it. */
function drawCourse(told, result, notice) {
  const begun = ["betting", "dealing"].includes(told.phase);
  const stopped = notice?.kind === "paused" ? notice : null;
  const over = stopped || begun ? null : result;
  const closed = notice?.kind === "closed" && !over ? notice : null;
  const tone = stopped ? "paused" : over ? "result" : closed ? "no-more" : told.phase;
  mark(at(".status"), "data-tone", tone);
  mark(document.body, "data-mark", over?.mark);
  mark(document.body, "data-noted", result?.mark);
  mark(at(".icon path"), "d", ICONS[tone] ?? "");
  say(at(".ribbon"), begun && !stopped && result ? result.text : "");
  write((stopped ?? over ?? closed)?.text ?? told.says);
  say(at(".detail"), over ? over.remarks.join(" · ") : stopped || closed ? "" : told.detail);
}

/** Put a new text into a new element with its own size and place, so that no transition moves the old one. */
function write(words) {
  const course = at(".course");
  if (at(".says").textContent === words) return;
  course.replaceWith(course.cloneNode(true));
  say(at(".says"), words);
}

/** Draw the further notices, each in its line and for its time. */
function drawNotices(beside) {
  mark(at(".notice"), "data-kind", beside[0]?.kind);
  if (beside.length > 0) say(at(".notice"), beside.map((one) => one.text).join("\n"));
  show(at(".notice"), beside.length > 0);
}

/** Choose the shape of the overlay: by the address, else by the picture's proportions. */
function shape() {
  const asked = new URLSearchParams(location.search).get("layout");
  const side = SIDES.includes(asked) ? asked : null;
  const upright = innerWidth < innerHeight;
  mark(document.body, "data-shape", asked === "compact" ? "compact" : side || upright ? "column" : "wide");
  mark(document.body, "data-side", side);
}

shape();
addEventListener("resize", shape);
follow("player", draw, tick);
