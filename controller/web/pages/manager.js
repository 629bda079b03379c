// The shift manager's page. The table sends all content; this file draws it.
// Invariant: what happened and the possible rulings are visible at once; every act needs a second touch.

import * as about from "./about.js";
import * as alarm from "./alarm.js";
import { base, within } from "./base.js";
import * as calm from "./calm.js";
import { afterPaint, at, entitle, list, make, mark, say, show } from "./dom.js";
import * as fault from "./fault.js";
import { bar, gate } from "./gate.js";
import { keyboard } from "./hotkeys.js";
import { hush } from "./keysheet.js";
import * as lapsed from "./lapsed.js";
import { lie } from "./lie.js";
import { drop, isPuttingRight, read } from "./past.js";
import * as ruling from "./rule.js";
import { Table, ticking, time } from "./stream.js";
import * as talk from "./talk.js";
import * as views from "./views.js";

let words = {};
let screen = null; // the shift manager's screen; null while nobody is signed in
let outside = null; // the players' screen, while nobody is signed in
let table = null;

function follow(role) {
  table?.close();
  screen = outside = null;
  table = new Table(role, role === "manager" ? drawAll : drawOutside, stale);
}

function drawAll(news, told) {
  const before = screen?.fault?.seq ?? null;
  const seen = screen?.fault?.seen_by ?? null;
  const moved = screen === null || ["round", "life"].some((name) => screen[name] !== news[name]);
  const fresh = screen === null;
  const { who_rules = null, looks_on = false, own_round = false } = told;
  screen = { ...news, who_rules, looks_on, own_round };
  const open = screen.fault?.seq ?? null;
  const other = open !== before;
  const writes = other && document.activeElement?.matches("main input");
  if (writes) hush();
  if (other) lapsed.forget();
  if (other && before === null) note("");
  const halted = screen.life === "halted";
  const made = ruling.making();
  if (made !== null && screen.who_rules !== null) ruling.leave();
  else if (made !== null && (halted || made.fault !== open)) {
    ruling.leave();
    if (!halted && !made.sent) forestalled(open === null ? words.ruled_on : words.moved_on);
  } else if (made !== null) ruling.again(screen, draw, fresh);
  about.of(open);
  if (open !== null && other) {
    views.choose("table");
    say(at(".announce"), `${screen.fault.head}. ${screen.fault.text}`);
  }
  if (halted) say(at(".announce"), `${screen.next.head}. ${screen.next.text}`);
  else if (open === null) say(at(".announce"), "");
  draw();
  views.told();
  if (!talk.hasLapsed()) views.named();
  if (moved) views.moved();
  if (open === null && before === null) return;
  afterPaint(() => {
    if (open !== null && !writes && (other || seen !== screen?.fault?.seen_by)) toFault();
    about.ask(open, draw);
  });
}

function drawOutside(news) {
  outside = news;
  const paused = news.notice?.kind === "paused";
  show(at(".gate .paused"), paused);
  alarm.call(paused ? `${news.table} ${news.round}` : null, words.paused, news.table);
  entitle(`${paused ? "⚠ " : ""}${news.table} · ${words.title}`);
  say(at("h1.table"), `${news.table} · ${news.title}`);
}

function draw() {
  if (screen === null) return;
  mark(document.body, "data-life", screen.life);
  mark(document.body, "data-layout", screen.layout);
  mark(document.body, "data-seats", screen.places.some((place) => place.seat));
  say(at("h1.table"), `${screen.table} · ${screen.title}`);
  say(at(".life"), screen.says);
  say(at("header .round"), screen.round);
  lie(screen, words, ruling.asked(screen, draw), { felt: at(".felt"), loose: at(".loose") });
  list(at(".flags"), screen.flags, (flag) => flag.text, () => make("li"), (item, flag) => {
    mark(item, "data-kind", flag.kind);
    say(item, flag.text);
  });
  about.draw(screen, words);
  drawFault();
  calm.draw(screen, words, draw, note);
  tick();
  afterPaint(call);
}

/** Call a person who looks elsewhere, by sound, title and notification. */
function call() {
  if (screen === null || within) return;
  const { fault: open, life, next, table } = screen;
  entitle(`${open ? `⚠ ${open.head} · ` : ""}${table} · ${words.title}`);
  if (life === "halted") alarm.call(life, next.head, `${table}: ${next.text}`);
  else alarm.call(open && !open.seen_by ? open.seq : null, open?.head, `${table}: ${open?.text}`);
}

function drawFault() {
  const making = ruling.making() !== null;
  fault.draw(screen, words, making, begun);
  ruling.rule(at("form.rule"), screen, words, draw, settled);
  lapsed.draw(words, making);
}

function begun(one) {
  note("");
  ruling.begin(screen, one, draw);
  at("form.rule h2")?.scrollIntoView({ block: "nearest" });
  (at("form.rule .pin input") ?? at("form.rule h2"))?.focus({ preventScroll: true });
}

/** True if somebody types on the floor's page around this one. */
const isWritten = () => within && parent.document.querySelector("dialog[open], input:focus") !== null;

/** Move the focus to the next act on the fault, unless somebody is typing. */
function toFault() {
  if (document.activeElement?.matches("input, .rule *") || isWritten()) return;
  [at(".rule h2"), at(".here"), at(".rulings button")].find((one) => one?.checkVisibility())?.focus({ preventScroll: true });
}

/** Called after a ruling was made, refused or left. `stays`: it can be confirmed again; `did`: its name if made. */
function settled(says, stays = false, did = "") {
  if (!stays) ruling.leave();
  if (says === "") tellDone(`${words.done}: ${did}`);
  else note(says ?? "");
  draw();
  toFault();
}

/** Show what was done. Inside a floor's page the floor shows it, because another table may replace this one. */
function tellDone(text) {
  if (within) parent.postMessage({ done: text }, location.origin);
  note(within ? "" : text, 4000);
}

/** Show that somebody else was first. A floor keeps this console for the time to read it. */
function forestalled(says) {
  note(says);
  if (within) parent.postMessage("forestalled", location.origin);
}

function come() {
  if (!screen?.fault || lapsed.first(come)) return;
  if (within) return parent.postMessage({ come: screen.fault.seq }, location.origin); // the floor claims the call for the person
  act({ command: "ack" });
}

/** Ask for three more minutes before the round is cancelled. */
function more() {
  if (!screen?.fault || lapsed.first(more)) return;
  act({ command: "rule", ruling: "extend", because: screen.fault.more });
}

/** Send a command about the open fault; a refusal is shown. */
async function act(command) {
  const said = await talk.send({ ...command, fault: screen.fault.seq }).catch(() => ({ says: words.gone }));
  if (!said.done) note(`${words.refused}: ${said.says}`);
}

/** Show a note at the bottom, for `ms` or until the next touch. */
function note(text, ms = 0) {
  const element = at(".note");
  show(element, text !== "");
  say(element, text);
  clearTimeout(element.timer);
  if (ms) element.timer = setTimeout(() => show(element, false), ms);
}

function tick() {
  if (screen?.fault) fault.tick(screen.fault, table.now);
  if (screen?.halted_since) calm.tick(screen.halted_since, table.now, words);
}

function drawSound() {
  alarm.draw(at(".sound"), words);
  show(at(".notify"), alarm.mayAsk() && talk.me() !== null);
}

function stale(since) {
  const bad = since !== false;
  mark(document.body, "data-stale", bad && (screen ?? outside ?? talk.me()) !== null); // not for a console that has shown nothing yet
  if (bad) say(at(".stale"), since ? words.stale.replace("{time}", time(since)) : words.never);
  if (bad && talk.me()) talk.check();
}

function enter() {
  const name = talk.me()?.name ?? null;
  if (name && name !== person) forsake();
  person = name ?? person;
  bar(at(".gate"), !name, "");
  show(at("main"), Boolean(name));
  mark(document.body, "data-signed", name ? "in" : "out");
  mark(document.body, "data-lapsed", talk.hasLapsed());
  mark(document.body, "data-within", within);
  show(at(".report"), base === ""); // a floor has a report of all tables
  say(at(".me .name"), name ?? "");
  drawSound();
  if (name || base === "") follow(name ? "manager" : "player");
}

/** Show the digits only on the page that receives the keys: this one, or the floor's page around it. */
const heard = () => mark(document.body, "data-deaf", within && !document.hasFocus());
addEventListener("focus", heard);
addEventListener("blur", heard);
heard();

/** Drop rulings and corrections that another person has begun. */
function forsake() {
  ruling.leave();
  drop();
}

/** Drop everything except the table itself. */
function withdraw() {
  calm.leave();
  note("");
  views.leave();
  about.leave();
}

/** Called when the session has lapsed, and when the person is back. */
function lapse() {
  if (talk.hasLapsed()) withdraw();
  enter();
}

function lock() {
  if (talk.left) forsake();
  withdraw();
  say(at(".announce"), "");
  for (const part of [".felt", ".loose .row", ".facts", ".last ol", "form.rule", ".rulings > div", ".rulings > .aside", ".rulings > .cancels", ".not-now ul", ".waits ol"]) at(part).replaceChildren();
  at(".gate").hidden = true;
  enter();
  const kept = ruling.making() === null && !isPuttingRight() ? "" : ` ${words.kept}`;
  say(at(".gate .why"), talk.left ? "" : words.locked + kept);
}

let person = null; // the last signed-in person, who can continue a ruling in progress

async function begin() {
  const query = talk.lang === null ? "" : `?lang=${encodeURIComponent(talk.lang)}`;
  const known = await (await fetch(`${base}/api/words${query}`)).json();
  words = known.words;
  document.documentElement.lang = known.lang;
  await talk.ask();
  talk.whenLocked(lock, lapse);
  lapsed.ready(words);
  gate(at(".gate"), words, enter, (code) => read(code) || ruling.read(code) || lapsed.read(code));
  say(at(".out"), words.sign_out);
  say(at(".report"), words.report);
  mark(at(".report"), "title", words.report_too);
  mark(at(".report"), "href", `/report${query}`); // opens beside this page, which must keep calling
  for (const name of ["aria-label", "title"]) mark(at(".notify"), name, words.notify);
  at(".out").addEventListener("click", talk.signOut);
  at(".here").addEventListener("click", come);
  at(".more").addEventListener("click", more);
  at(".sound").addEventListener("click", () => { alarm.mute(); drawSound(); });
  at(".notify").addEventListener("click", async () => { await alarm.askToNotify(); drawSound(); });
  keyboard(at("header .help"), words);
  views.ready(words, () => screen);
  addEventListener("hashchange", () => talk.hasLapsed() || views.named());
  document.body.hidden = false;
  enter();
  ticking(() => {
    tick();
    drawSound();
  });
  setInterval(talk.check, 20_000);
}

async function start() {
  try {
    await begin();
  } catch {
    setTimeout(start, 2000); // the table does not answer yet
  }
}

start();
