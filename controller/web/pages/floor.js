// The floor's page: all tables of a studio, as strips in bays. The floor sends all content; this file draws it.
// Invariant: strips that need a person come first, and nothing else has a colour.

import * as acts from "./floor-acts.js";
import * as alarm from "./alarm.js";
import * as cells from "./floor-cells.js";
import { afterPaint, at, entitle, list, make, mark, say, show } from "./dom.js";
import * as calls from "./floor-calls.js";
import { heard, keyboard } from "./floor-keys.js";
import * as pane from "./floor-pane.js";
import * as outOfSight from "./floor-out-of-sight.js";
import * as strips from "./floor-strips.js";
import { calmly, watch } from "./floor-touch.js";
import * as views from "./floor-views.js";
import { bar, gate } from "./gate.js";
import * as lapsed from "./lapsed.js";
import { Line, ticking, time } from "./stream.js";
import * as talk from "./talk.js";

const USUAL = 50; // events that may usually be unread; more are shown as a backlog
const BAYS = ["calls", "watch", "playing", "resting"];

let words = {};
let head = null; // content about all tables; null while nobody is signed in

let line = null;
let waits = false; // true: a strip has to move
const tables = new Map(); // by table: its strip

// messages from the floor

function follow() {
  line?.close();
  leave();
  line = talk.me() === null ? null : new Line("/api/floor/stream", {}, { floor: begun, change: moved }, stale, () => talk.check());
}

function leave() {
  head = null;
  line = null;
  tables.clear();
  cells.forget();
  calls.forget();
  for (const sheet of document.querySelectorAll("dialog[open]")) sheet.close();
  pane.forget();
  views.leave();
  for (const part of [".calls ol", ".watch ol", ".playing ol", ".resting ol", ".whose > div", ".who ul"]) at(part).replaceChildren();
}

function begun({ floor }) {
  Object.assign(words, floor.words);
  tables.clear();
  waits = true; // draws everything, also if no table is connected
  take(floor);
}

function moved({ change }) {
  if (head !== null) take(change);
}

function take(told) {
  waits ||= told.gone?.length > 0 || told.strips.some((strip) => placeOf(strip) !== placeOf(tables.get(strip.table)));
  head = told.head ?? head;
  for (const strip of told.strips) tables.set(strip.table, strip);
  for (const table of told.gone ?? []) tables.delete(table);
  if (waits) calmly(draw);
  else renew(told);
}

/** Place and lines of a strip, as a text to compare. */
function placeOf(strip) {
  return strip && JSON.stringify([strip.bay, strip.order, strip.alarms.map(({ key, shelved }) => [key, shelved === null])]);
}

// drawing

const inOrder = (bay) => [...tables.values()].filter((strip) => strip.bay === bay).sort(byOrder);

function byOrder(a, b) {
  const index = a.order.findIndex((part, at) => part !== b.order[at]);
  return index < 0 ? (a.table < b.table ? -1 : 1) : a.order[index] - (b.order[index] ?? -Infinity);
}

/** Strips of tables with alarms, those of the bay WATCH first. */
const alarmed = () => [...inOrder("watch"), ...BAYS.filter((bay) => bay !== "watch").flatMap(inOrder)].filter((strip) => strip.alarms.length > 0);

/** True if the viewer may do an act at a table; viewers may acknowledge alarms at their own tables. */
const may = (act, strip) => head.may.includes(act) || (act === "acknowledge" && strip.mine);

const doing = {
  shown: () => pane.shown(),
  may,
  open: (table, about) => pane.open(table, true, about),
  claim,
  release: ({ table, call }) => acts.act({ act: "release", table, fault: call.seq, person: call.claim.id }),
  acknowledge: ({ key }) => acts.act({ act: "acknowledge", key }),
  shelve: (one) => acts.shelve(one),
  unshelve: ({ key }) => acts.act({ act: "unshelve", key }),
};

async function claim(strip) {
  if (lapsed.first(() => claim(strip))) return;
  const { table, call } = strip;
  if (await acts.act({ act: "claim", table, fault: call.seq })) pane.come(table);
}

function draw() {
  if (head === null) return;
  waits = false;
  cells.draw([...tables.values()], words, doing);
  drawCalls(inOrder("calls"));
}

/** Redraw changed strips if none of them moves, which is the usual case. */
function renew({ strips: told }) {
  cells.renew(told, words, doing);
  const open = inOrder("calls");
  if (told.some((strip) => strip.call !== null || strip.alarms.length > 0)) drawCalls(open);
  else drawAround(open);
}

/** Mark the strip of the table in the console. */
function drawShown() {
  for (const item of document.querySelectorAll(".bays li")) mark(item, "data-shown", item.strip?.table === pane.shown());
}

function drawCalls(open) {
  strips.draw(open, alarmed(), words, doing, tables.size);
  drawAround(open);
  tick();
  outOfSight.watch(words);
  afterPaint(() => {
    if (head === null) return;
    calls.hear(open, words);
    pane.follow(open, words);
  });
}

function drawAround(open) {
  drawHead(open);
  views.draw(tables, head, words);
  lapsed.draw(words, false);
}

function drawHead(open) {
  const title = `${head.floor} · ${words.floor}`;
  entitle(`${open.length ? `⚠ ${open.length} · ` : ""}${title}`);
  say(at("h1"), title);
  say(at(".behind"), head.behind > USUAL ? words.behind.replace("{count}", head.behind) : "");
  say(at(".flood"), head.flood.length > 1 ? `${head.flood[0]} (+${head.flood.length - 1})` : (head.flood[0] ?? ""));
  mark(document.body, "data-line", head.line !== null);
  show(at(".line"), head.line !== null);
  say(at(".line"), head.line ?? "");
  for (const bay of BAYS) {
    const [name, count] = at(`.${bay} h2`).children;
    say(name, words[bay]);
    const many = countOf(bay, open);
    say(count, String(many));
    mark(at(`.bay.${bay}`), "data-empty", !many);
  }
}

/** Number of items in a bay. A table that calls also keeps its cell in PLAYING or RESTING. */
function countOf(bay, open) {
  if (bay === "calls") return open.length;
  if (bay === "watch") return alarmed().filter(({ alarms }) => alarms.some(({ shelved }) => shelved === null)).length;
  return at(`.${bay} .cells`).childElementCount;
}

function tick() {
  heard();
  if (head === null) return;
  strips.tick(line.now);
  cells.tick(line.now);
}

// header, sound, session

function drawSound() {
  alarm.draw(at(".sound"), words);
  show(at(".notify"), alarm.mayAsk() && talk.me() !== null);
}

function stale(since) {
  const bad = since !== false;
  mark(document.body, "data-stale", bad && head !== null);
  if (bad) say(at(".stale"), since ? words.stale.replace("{time}", time(since)) : words.never);
  if (bad && talk.me()) talk.check();
}

function enter() {
  bar(at(".gate"), talk.me() === null, "");
  if (talk.me() === null) say(at("h1"), words.floor);
  show(at("main"), talk.me() !== null);
  mark(document.body, "data-signed", talk.me() ? "in" : "out");
  say(at(".me .name"), talk.me()?.name ?? "");
  drawSound(); // now, so that nothing in the header moves later
  follow();
}

function lock() {
  acts.note("");
  at(".gate").hidden = true;
  mark(document.body, "data-stale", false);
  enter();
  say(at(".gate .why"), talk.left ? "" : words.locked);
}

function wall() {
  const isWall = document.body.toggleAttribute("data-wall");
  mark(at(".wall"), "aria-pressed", String(isWall));
  pane.close();
  draw();
}

async function begin() {
  const query = talk.lang === null ? "" : `?lang=${encodeURIComponent(talk.lang)}`;
  const known = await (await fetch(`/api/floor/words${query}`)).json();
  words = known.words;
  document.documentElement.lang = known.lang;
  await talk.ask();
  talk.whenLocked(lock, () => setTimeout(() => calmly(draw))); // after `lapsed` has stored the waiting act
  lapsed.ready(words);
  gate(at(".gate"), words, enter, (code) => lapsed.read(code));
  for (const [part, text] of [[".out", words.sign_out], [".wall", words.wall]]) say(at(part), text);
  for (const name of ["aria-label", "title"]) mark(at(".notify"), name, words.notify);
  at(".out").addEventListener("click", talk.signOut);
  at(".wall").addEventListener("click", wall);
  at(".sound").addEventListener("click", () => { alarm.chime(); drawSound(); });
  at(".notify").addEventListener("click", async () => { await alarm.askToNotify(); drawSound(); });
  acts.ready(words);
  pane.ready(words, drawShown, { come: (table, fault) => claim({ table, call: { seq: fault } }), done: acts.tellDone });
  views.ready(words);
  keyboard(at("header .help"), words);
  watch(at(".bays"));
  document.body.hidden = false;
  enter();
  ticking(() => {
    tick();
    drawSound();
    if (talk.me() && talk.me().name !== at(".me .name").textContent) enter(); // another person has signed in, in another window
    if (head !== null) pane.follow(inOrder("calls"), words);
  });
  setInterval(talk.check, 20_000);
}

async function start() {
  try {
    await begin();
  } catch {
    setTimeout(start, 2000); // the floor does not answer yet
  }
}

start();
