// What the dealer's screen and the players' overlay have in common: the title, the clock, the line when it is gone.
// The one rule: before the table has said anything, or why it will not, there is nothing to see.

import { at, mark, say, show } from "./dom.js";
import { counted, left, Table, ticking, time } from "./stream.js";

/** Show the table to this audience: `draw(screen)` when a picture has come; `tick(screen, now)` then, and four times a
 *  second. */
export async function follow(role, draw, tick) {
  let screen = null;

  function drawn(told) {
    screen = told;
    document.title = `${told.table} · ${told.title}`;
    document.body.hidden = false;
    mark(document.body, "data-game", told.game);
    draw(told);
    ticked();
  }

  function ticked() {
    if (screen === null) return;
    drawClock(screen.clock, table.now);
    tick(screen, table.now);
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
  const table = new Table(role, drawn, stale, barred);
  ticking(ticked);
}

function drawClock(clock, now) {
  const seconds = left(clock, now);
  mark(at(".timer"), "data-off", seconds === null);
  mark(at(".timer"), "data-long", seconds !== null && seconds > 99);
  mark(at(".timer"), "data-soon", seconds !== null && seconds <= 5);
  mark(at(".timer"), "data-still", clock !== null && clock.until === null);
  say(at(".timer span"), seconds === null ? "" : counted(seconds));
  at(".timer .run").style.strokeDashoffset = seconds === null ? 1 : 1 - seconds / clock.seconds;
}
