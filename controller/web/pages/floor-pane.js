// The console of one table, beside the strips or, where there is no room for both, over them.
// Invariant: nobody's ruling is taken from under their hands: another table comes in by itself only where nothing is
// being done, and what somebody has half made and left for another call is still there when they come back.

import { afterPaint, at, make, mark, say, show } from "./dom.js";
import { lang } from "./talk.js";

const BUSY = 1_500; // ms after somebody has moved or touched something in there
const READING = 20_000; // the same, where they have opened it themselves and nothing calls there
const TOLD = 6_000; // ms for which it stays where what somebody was about to do has been done by another
const wide = matchMedia("(min-width: 1200px)");

const DRAWN = 2_000; // ms after which a console is shown in any case: it says itself why there is nothing to see

let table = null; // that is shown, or comes
let chosen = false; // by hand
let called = false; // whether it has, since it is shown
let used = -Infinity; // when something in there was touched last
let told = -Infinity; // when somebody was told that another one was first
let changed = () => {};

/** Make it ready. `drawn`: what is shown has changed; `heard`: who looks has come, or something is done, as in there is said. */
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
const kept = () => at(".pane iframe[data-kept]"); // what was left half made
const besides = () => wide.matches && !document.body.hasAttribute("data-wall");

/** Whether a ruling or another act is half made in there. */
function isDoing() {
  return Boolean(front()?.contentDocument?.querySelector("form.rule:not([hidden]), .acts form:not([hidden]), .view-rounds:not([hidden]) :is(.amend, .cases form:not([hidden]))"));
}

/** Whether something is being ruled on, done or read in there. */
export function isBusy() {
  return isDoing() || performance.now() - told < TOLD || performance.now() - used < (chosen ? READING : BUSY);
}

/** Hear what is done in a console. */
function listen({ contentWindow }) {
  for (const kind of ["pointerdown", "pointermove", "keydown"]) contentWindow.addEventListener(kind, () => { used = performance.now(); }, { passive: true });
  contentWindow.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (besides()) back();
    else leave();
  });
}

/** Back to the strips, which the console covers: one that was opened beside them has no entry in the history. */
function leave() {
  if (history.state?.table) history.back();
  else close();
}

/** To the strips again, by the keyboard. */
function back() {
  (document.querySelector("[data-shown] .open") ?? at(".tabs button")).focus();
}

/** Show this table's; `byHand`: somebody wants it, who goes on there; `about`: what of it, as its address names it. */
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

/** Show this table's to whoever has said to come for it, where that takes nothing from under their hands. */
export function come(name) {
  if (!besides() || isDoing()) return;
  if (name === table) chosen = true;
  else open(name);
}

/** Have that shown in it; an address without more would be one of this page. */
const point = (console, about) => console.contentWindow.location.replace(console.src.replace(/(#.*)?$/, about));

/** Have it come behind the one that is shown, which stays until it is there. */
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
  if (front() === null || chosen) swap(next, 0); // by hand: what is touched or typed from now on is meant for it
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

/** Somebody has begun something meanwhile in the one that is shown. */
function stay(next) {
  next.remove();
  table = front().title;
  changed();
}

/** It is kept where something in it is half made. One is: each has a line to the floor. */
function leaveFront() {
  const left = front();
  if (!isDoing()) return left?.remove();
  kept()?.remove();
  mark(left, "data-kept", "");
}

/** Show none, and keep nothing. */
export function forget() {
  at(".pane .frames").replaceChildren();
  close();
}

/** Show none. */
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

/** Let the most urgent call come in that is of whoever looks, or of nobody yet. `calls`: in their order. */
export function follow(calls, words) {
  say(at(".pane .bar p"), calls.length ? `${words.calls}: ${calls.length}` : "");
  const here = calls.find((strip) => strip.table === table);
  if (called && !here) chosen = false; // what it was opened for is over
  called = Boolean(here);
  if (!besides() || document.hidden || isBusy()) return;
  const theirs = here?.call.claim && !here.call.claim.mine;
  const heard = calls.filter((strip) => strip.heard === null); // elsewhere nothing can be ruled from here
  const mine = heard.find((strip) => strip.call.claim?.mine);
  const left = theirs || (mine && !here?.call.claim); // for another one that who looks is coming for
  if (here?.heard === null && (chosen || !left)) return; // it stands until it is ruled on
  const wanted = mine ?? heard.find((strip) => strip.mine && strip.call.claim === null);
  if (wanted && wanted.table !== table) afterPaint(() => isBusy() || !besides() || open(wanted.table, false)); // a wall meanwhile?
}
