// Shared by the dealer's screen and the players' overlay: title, clock, and the state of the line.
// Invariant: the page stays hidden until the table has sent a screen, or the reason why it sends none.

import { at, entitle, mark, say } from "./dom.js";
import { span, Table, ticking, time } from "./stream.js";

/** Show the table to this audience. `draw(screen)`: called with each screen; `tick(screen, now)`: after it, and four
 *  times a second. `plate`: element for the reason if nothing is shown; null for players, who get no such text. */
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

  /** Show that this browser is refused. */
  function barred(why) {
    entitle(why);
    if (plate === null) return;
    document.body.hidden = false;
    say(plate, why);
  }

  await Promise.all(["1rem Inter", "1rem Studio"].map((font) => document.fonts.load(font))); // so that nothing moves when the fonts are loaded
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

/** Seconds left of a window, at most its length. */
function left(clock, now) {
  if (clock === null) return null;
  const seconds = clock.until === null ? clock.left : (Date.parse(clock.until) - now) / 1000;
  return Math.min(Math.max(seconds, 0), clock.seconds);
}

/** Text of a countdown: 7, or 2:05 from 100 seconds on. */
function counted(seconds) {
  const whole = Math.ceil(seconds);
  return whole < 100 ? String(whole) : span(whole);
}
