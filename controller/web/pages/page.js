// What the dealer's screen and the players' overlay have in common: the title, the clock, the line when it is gone.
// Invariant: before the table has said anything, or why it will not, there is nothing to see.

import { at, entitle, mark, say } from "./dom.js";
import { span, Table, ticking, time } from "./stream.js";

/** Show the table to this audience: `draw(screen)` when a picture has come; `tick(screen, now)` then, and four times a
 *  second. `plate`: where it is said why there is nothing to see; players are told no such thing. */
export async function follow(role, draw, tick, plate = null) {
  let screen = null;

  function drawn(told) {
    screen = told;
    entitle(`${told.table} · ${told.title}`);
    document.body.hidden = false;
    mark(document.body, "data-layout", told.layout);
    draw(told);
    ticked();
  }

  function ticked() {
    if (screen === null) return;
    drawClock(screen.clock, table.now);
    tick(screen, table.now);
  }

  function stale(since) {
    mark(document.body, "data-stale", since !== false);
    if (plate && since) say(plate, screen.words.stale.replace("{time}", time(since)));
  }

  /** This browser is not let in. */
  function barred(why) {
    entitle(why);
    if (plate === null) return;
    document.body.hidden = false;
    say(plate, why);
  }

  await Promise.all(["1rem Inter", "1rem Studio"].map((font) => document.fonts.load(font))); // so that nothing moves when the letters come
  const table = new Table(role, drawn, stale, barred);
  ticking(ticked);
}

function drawClock(clock, now) {
  const seconds = left(clock, now);
  mark(at(".timer"), "data-off", seconds === null);
  mark(at(".timer"), "data-long", seconds !== null && seconds > 99);
  mark(at(".timer"), "data-soon", seconds !== null && seconds <= 5);
  mark(at(".timer"), "data-half", seconds !== null && seconds <= clock.seconds / 2);
  mark(at(".timer"), "data-still", clock !== null && clock.until === null);
  say(at(".timer span"), seconds === null ? "" : counted(seconds));
  at(".timer .run").style.strokeDashoffset = seconds === null ? 1 : 1 - seconds / clock.seconds;
}

/** Seconds that are left of a window, at most what it has. */
function left(clock, now) {
  if (clock === null) return null;
  const seconds = clock.until === null ? clock.left : (Date.parse(clock.until) - now) / 1000;
  return Math.min(Math.max(seconds, 0), clock.seconds);
}

/** Seconds of a countdown: 7, or 2:05 where they are many. */
function counted(seconds) {
  const whole = Math.ceil(seconds);
  return whole < 100 ? String(whole) : span(whole);
}
