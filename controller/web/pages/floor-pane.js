// The console of one table, beside the strips or, where there is no room for both, over them.
// The one rule: nobody's ruling is taken from under their hands: another table comes in only where nothing is being done.

import { afterPaint, at, mark, say, show } from "./dom.js";
import { lang } from "./talk.js";

const BUSY = 1_500; // ms after somebody has moved or touched something in there
const READING = 20_000; // the same, where they have opened it themselves and nothing calls there
const wide = matchMedia("(min-width: 1200px)");

let table = null; // that is shown
let chosen = false; // by hand
let called = false; // whether it has, since it is shown
let used = -Infinity; // when something in there was touched last
let changed = () => {};

/** Make it ready. `drawn`: what is shown has changed. */
export function ready(words, drawn) {
  changed = drawn;
  say(at(".pane .none"), words.no_console);
  say(at(".pane .back"), words.back_to_floor);
  at(".pane .back").addEventListener("click", () => history.back());
  at(".pane iframe").addEventListener("load", listen);
  addEventListener("popstate", () => { if (!besides()) close(); });
  wide.addEventListener("change", () => lay());
}

export const shown = () => table;

const frame = () => at(".pane iframe");
const inside = () => frame().contentDocument;
const besides = () => wide.matches && !document.body.hasAttribute("data-wall");

/** Whether something is being ruled on or done in there. */
export function isBusy() {
  if (table === null) return false;
  const doing = inside()?.querySelector("form.rule:not([hidden]), .acts form:not([hidden])");
  return Boolean(doing) || performance.now() - used < (chosen ? READING : BUSY);
}

function listen() {
  const { contentWindow } = frame();
  for (const kind of ["pointerdown", "pointermove", "keydown"]) contentWindow.addEventListener(kind, () => { used = performance.now(); }, { passive: true });
  contentWindow.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (besides()) back();
    else history.back();
  });
}

/** To the strips again, by the keyboard. */
function back() {
  (document.querySelector("[data-shown] .open") ?? at(".tabs button")).focus();
}

/** Show this table's; `byHand`: somebody wants it, who goes on there. */
export function open(name, byHand = true) {
  chosen = byHand;
  if (name !== table) load(name);
  if (!byHand) return;
  if (!besides() && !history.state?.table) history.pushState({ table: name }, "");
  lay();
  frame().contentWindow?.focus();
}

function load(name) {
  table = name;
  called = false;
  used = -Infinity;
  const query = lang === null ? "" : `?lang=${encodeURIComponent(lang)}`;
  const address = `/tables/${encodeURIComponent(name)}/manager${query}`;
  frame().contentWindow.location.replace(address);
  mark(frame(), "title", name);
  lay();
  changed();
}

/** Show none. */
export function close() {
  if (table !== null) frame().contentWindow.location.replace("about:blank");
  table = null;
  chosen = false;
  lay();
  changed();
}

function lay() {
  show(frame(), table !== null);
  show(at(".pane .none"), table === null);
  mark(document.body, "data-over", table !== null && !besides());
}

/** Let the most urgent call come in that is of whoever looks, or of nobody yet. `calls`: in their order. */
export function follow(calls, words) {
  say(at(".pane .bar p"), calls.length ? `${words.calls}: ${calls.length}` : "");
  const here = calls.find((strip) => strip.table === table);
  if (called && !here) chosen = false; // what it was opened for is over
  called = Boolean(here);
  if (!besides() || document.hidden || isBusy()) return;
  const theirs = here?.call.claim && !here.call.claim.mine;
  if (here && (!theirs || chosen)) return; // it stands until it is ruled on
  const wanted = calls.find((strip) => strip.call.claim?.mine) ?? calls.find((strip) => strip.mine && strip.call.claim === null);
  if (wanted && wanted.table !== table) afterPaint(() => open(wanted.table, false));
}
