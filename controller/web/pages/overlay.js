// What players see over the video. What it shows and says comes from the table; this draws it.
// The one rule: where there is nothing to show there is nothing: the video is behind it.

import { list, make, mark, say, show } from "./dom.js";
import { felt } from "./felt.js";
import { board } from "./roads.js";
import { counted, left, Table, ticking, time } from "./stream.js";

const at = (selector) => document.querySelector(selector);
let screen = null;

function draw(told) {
  screen = told;
  document.title = `${told.table} · ${told.title}`;
  document.body.hidden = false;
  mark(document.body, "data-game", told.game);
  mark(document.body, "data-life", told.phase);
  say(at("header h1"), told.title);
  say(at(".round"), [told.table, told.round].filter(Boolean).join(" · "));
  say(at(".manual"), told.manual);
  say(at(".says"), told.result ? told.result.text : told.says);
  say(at(".remarks"), told.result ? told.result.remarks.join(" · ") : "");
  mark(at(".status"), "data-mark", told.result?.mark);
  felt(told.places.filter((place) => place.taken), at(".felt"));
  show(at(".board"), told.roads !== null);
  if (told.roads !== null) board(at(".counts"), at(".roads"), told.roads);
  drawLast(told);
  tick();
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

function tick() {
  if (screen === null) return;
  const seconds = left(screen.clock, table.now);
  mark(at(".timer"), "data-off", seconds === null);
  mark(at(".timer"), "data-long", seconds !== null && seconds > 99);
  mark(at(".timer"), "data-soon", seconds !== null && seconds <= 5);
  say(at(".timer span"), seconds === null ? "" : counted(seconds));
  at(".timer .run").style.strokeDashoffset = seconds === null ? 1 : 1 - seconds / screen.clock.seconds;
  const { notice } = screen;
  const shown = notice !== null && (notice.until === null || Date.parse(notice.until) > table.now);
  mark(at(".notice"), "data-kind", notice?.kind);
  if (shown) say(at(".notice"), notice.text);
  show(at(".notice"), shown);
}

function stale(since) {
  show(at(".stale"), since !== false);
  mark(document.body, "data-stale", since !== false);
  if (since && screen) say(at(".stale"), screen.words.stale.replace("{time}", time(since)));
}

/** This browser is not let in. */
function barred(says) {
  document.body.hidden = false;
  say(at(".stale"), says);
}

await document.fonts.load("1rem Inter"); // so that nothing moves when the letters come
const table = new Table("player", draw, stale, barred);
ticking(tick);
