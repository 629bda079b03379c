// The console of one table, beside the strips, or over them if there is no room for both.
// Invariant: an unfinished ruling is never lost. Another table is shown automatically only while nobody works in the
// console, and unfinished work that a person left for another call is still there when they return.

import { afterPaint, at, make, mark, say, show } from "./dom.js";
import { lang } from "./talk.js";

const BUSY = 1_500; // ms after the last touch or mouse movement for which a console counts as in use
const READING = 20_000; // the same for a console that the person has opened, without a call
const TOLD = 6_000; // ms for which a console stays after the note that somebody else was first
const wide = matchMedia("(min-width: 1200px)");

const DRAWN = 2_000; // ms after which a console is shown even if it is empty; it shows the reason itself

let table = null; // the table that is shown, or is loading
let chosen = false; // true: the person has opened it
let called = false; // true: the table has called since it is shown
let used = -Infinity; // time of the last touch in the console
let told = -Infinity; // time of the last note that somebody else was first
let changed = () => {};

/** Prepare the pane. `drawn`: called when another table is shown; `heard`: {come, done}, for a console's messages. */
export function ready(words, drawn, heard) {
  changed = drawn;
  say(at(".pane .none"), words.no_console);
  say(at(".pane .back"), words.back_to_floor);
  at(".pane .back").addEventListener("click", leave);
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || source !== front()?.contentWindow) return;
    if (data.come) heard.come(table, data.come);
    if (data.done) heard.done(`${front().title} · ${data.done}`);
    if (data === "forestalled") told = performance.now();
  });
  addEventListener("popstate", () => { if (!besides()) close(); });
  wide.addEventListener("change", lay);
}

export const shown = () => table;

const front = () => at(".pane iframe:not([data-coming], [data-kept])");
const coming = () => at(".pane iframe[data-coming]");
const kept = () => at(".pane iframe[data-kept]"); // a hidden console with unfinished work
const besides = () => wide.matches && !document.body.hasAttribute("data-wall");

/** True if the console has an unfinished ruling or other act. */
function isDoing() {
  return Boolean(front()?.contentDocument?.querySelector("form.rule:not([hidden]), .acts form:not([hidden]), .view-rounds:not([hidden]) :is(.amend, .cases form:not([hidden]))"));
}

/** True if somebody works in the console or reads it. */
export function isBusy() {
  return isDoing() || performance.now() - told < TOLD || performance.now() - used < (chosen ? READING : BUSY);
}

/** Listen to touches and keys in a console. */
function listen({ contentWindow }) {
  for (const kind of ["pointerdown", "pointermove", "keydown"]) contentWindow.addEventListener(kind, () => { used = performance.now(); }, { passive: true });
  contentWindow.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (besides()) back();
    else leave();
  });
}

/** Close a console that covers the strips. A console opened beside them has no entry in the browser's history. */
function leave() {
  if (history.state?.table) history.back();
  else close();
}

/** Move the focus back to the strips. */
function back() {
  (document.querySelector("[data-shown] .open") ?? at(".tabs button")).focus();
}

/** Show a table's console. `byHand`: opened by the person, so it gets the focus; `about`: hash for its address. */
export function open(name, byHand = true, about = "") {
  const isAnother = name !== table;
  chosen = byHand;
  if (isAnother) load(name, about);
  else if (about !== "") point(coming() ?? front(), about);
  if (!byHand) return;
  used = performance.now();
  if (!besides() && !history.state?.table) history.pushState({ table: name }, "");
  lay();
  front()?.contentWindow.focus();
}

/** Show the console of a table whose call the person has claimed, unless that would hide unfinished work. */
export function come(name) {
  if (!besides() || isDoing()) return;
  if (name === table) chosen = true;
  else open(name);
}

/** Set the hash in a console's address, based on its `src`, because a bare hash would be relative to this page. */
const point = (console, about) => console.contentWindow.location.replace(console.src.replace(/(#.*)?$/, about));

/** Load a console in the background; the present one stays until it is ready. */
function load(name, about) {
  [table, called, used, told] = [name, false, -Infinity, -Infinity];
  coming()?.remove();
  if (front()?.title === name) about === "" || point(front(), about);
  else if (kept()?.title === name) bringBack(kept(), about);
  else fetchConsole(name, about);
  lay();
  changed();
}

function bringBack(console, about) {
  mark(console, "data-coming", "");
  mark(console, "data-kept", null);
  swap(console, 0);
  if (about !== "") point(console, about);
}

function fetchConsole(name, about) {
  const query = lang === null ? "" : `?lang=${encodeURIComponent(lang)}`;
  const next = make("iframe", { title: name, "data-coming": "", src: `/tables/${encodeURIComponent(name)}/manager${query}${about}` });
  next.addEventListener("load", () => {
    listen(next);
    swap(next, performance.now() + DRAWN);
  });
  at(".pane .frames").append(next);
  if (front() === null || chosen) swap(next, 0); // opened by the person: further touches and keys are for this one
}

function swap(next, until) {
  if (!next.isConnected || !next.hasAttribute("data-coming")) return;
  const isDrawn = next.contentDocument?.body?.hasAttribute("data-life");
  if (!isDrawn && performance.now() < until) return setTimeout(() => swap(next, until), 30);
  if (!chosen && front() !== null && isBusy()) return stay(next);
  const had = document.activeElement === front();
  leaveFront();
  next.removeAttribute("data-coming");
  if (had || chosen) next.contentWindow.focus();
}

/** Keep the present console, because somebody has begun to work in it meanwhile. */
function stay(next) {
  next.remove();
  table = front().title;
  changed();
}

/** Hide the present console if it has unfinished work, else remove it. Only one is kept, as each has a connection. */
function leaveFront() {
  const left = front();
  if (!isDoing()) return left?.remove();
  kept()?.remove();
  mark(left, "data-kept", "");
}

/** Close all consoles, also those with unfinished work. */
export function forget() {
  at(".pane .frames").replaceChildren();
  close();
}

/** Close the console; one with unfinished work is kept hidden. */
export function close() {
  coming()?.remove();
  if (front() !== null) leaveFront();
  [table, chosen] = [null, false];
  lay();
  changed();
}

function lay() {
  show(at(".pane .frames"), table !== null);
  show(at(".pane .none"), table === null);
  mark(document.body, "data-over", table !== null && !besides());
}

/** Show the most urgent call that the viewer has claimed, or that is the viewer's and unclaimed. `calls`: in order. */
export function follow(calls, words) {
  say(at(".pane .bar p"), calls.length ? `${words.calls}: ${calls.length}` : "");
  const here = calls.find((strip) => strip.table === table);
  if (called && !here) chosen = false; // the call for which it was opened is over
  called = Boolean(here);
  if (!besides() || document.hidden || isBusy()) return;
  const theirs = here?.call.claim && !here.call.claim.mine;
  const heard = calls.filter((strip) => strip.heard === null); // a silent table cannot be ruled on from here
  const mine = heard.find((strip) => strip.call.claim?.mine);
  const left = theirs || (mine && !here?.call.claim); // leave for another call that the viewer has claimed
  if (here?.heard === null && (chosen || !left)) return; // stays until the ruling
  const wanted = mine ?? heard.find((strip) => strip.mine && strip.call.claim === null);
  if (wanted && wanted.table !== table) afterPaint(() => isBusy() || !besides() || open(wanted.table, false)); // the wall may be shown by then
}
