// The shift manager's page. What it shows comes from the table; this draws it.
// The one rule: what happened and what can be done about it are seen at once; nothing is done but by a second touch.

import * as alarm from "./alarm.js";
import * as calm from "./calm.js";
import { at, list, make, mark, say, show } from "./dom.js";
import { bar, gate } from "./gate.js";
import { devices, frames, gear } from "./gear.js";
import { lie } from "./lie.js";
import { forget, past } from "./past.js";
import * as ruling from "./rule.js";
import { span, Table, ticking, time } from "./stream.js";
import * as talk from "./talk.js";

const VIEWS = ["table", "rounds", "devices"];

let words = {};
let screen = null; // the shift manager's; null while nobody is signed in
let outside = null; // what players see, meanwhile
let table = null;
let view = "table";
let told = []; // frames of the shoe, at the fault that is open
let toldOf = null; // that fault

// what comes

function follow(role) {
  table?.close();
  screen = outside = null;
  table = new Table(role, role === "manager" ? drawAll : drawOutside, stale);
}

function drawAll(news) {
  const before = screen?.fault?.seq ?? null;
  const moved = screen === null || ["round", "life"].some((name) => screen[name] !== news[name]);
  screen = news;
  const fault = screen.fault?.seq ?? null;
  const halted = screen.life === "halted";
  const made = ruling.making();
  if (made !== null && (halted || made.fault !== fault)) {
    ruling.leave();
    if (!halted && !made.sent) note(fault === null ? words.ruled_on : words.moved_on);
  } else if (made !== null) ruling.again(screen, draw);
  if (fault !== null || before !== null) frameOf(fault);
  if (fault !== null && fault !== before) {
    choose("table");
    say(at(".announce"), `${screen.fault.head}. ${screen.fault.text}`);
  }
  if (halted) say(at(".announce"), `${screen.next.head}. ${screen.next.text}`);
  else if (fault === null) say(at(".announce"), "");
  draw();
  if (moved && view === "rounds") past(at(".view-rounds"), words);
}

async function frameOf(fault) {
  if (toldOf !== fault) told = [];
  toldOf = fault;
  const known = fault === null ? null : await devices().catch(() => null);
  if (known?.frames && toldOf === fault) {
    told = known.frames;
    draw();
  }
}

function drawOutside(news) {
  outside = news;
  const paused = news.notice?.kind === "paused";
  show(at(".gate .paused"), paused);
  alarm.call(paused ? `${news.table} ${news.round}` : null, words.paused, news.table);
  document.title = `${paused ? "⚠ " : ""}${news.table} · ${words.title}`;
  say(at("h1.table"), `${news.table} · ${news.title}`);
}

function draw() {
  if (screen === null) return;
  const { fault } = screen;
  mark(document.body, "data-life", screen.life);
  mark(document.body, "data-layout", screen.layout);
  mark(document.body, "data-hand", screen.hand);
  mark(document.body, "data-seats", screen.places.some((place) => place.seat));
  document.title = `${fault ? `⚠ ${fault.head} · ` : ""}${screen.table} · ${words.title}`;
  say(at("h1.table"), `${screen.table} · ${screen.title}`);
  say(at(".life"), screen.says);
  say(at("header .round"), screen.round);
  lie(screen, words, ruling.asked(screen, draw), { felt: at(".felt"), loose: at(".loose") });
  list(at(".flags"), screen.flags, (flag) => flag.text, () => make("li"), (item, flag) => {
    mark(item, "data-kind", flag.kind);
    say(item, flag.text);
  });
  drawFacts();
  drawFault();
  calm.draw(screen, words, draw, note);
  const { life, next, table } = screen;
  if (life === "halted") alarm.call(life, next.head, `${table}: ${next.text}`);
  else alarm.call(fault && !fault.seen_by ? fault.seq : null, fault?.head, `${table}: ${fault?.text}`);
  tick();
}

// the fault

function drawFault() {
  const { fault } = screen;
  const making = ruling.making() !== null;
  show(at(".fault"), fault !== null);
  show(at(".rulings"), Boolean(fault?.rulings.length) && !making);
  mark(at(".side"), "data-making", making);
  ruling.rule(at("form.rule"), screen, words, draw, settled);
  if (fault === null) return;
  say(at(".fault .code"), fault.code);
  say(at(".fault h2"), fault.head);
  say(at(".fault .text"), fault.text);
  say(at(".fault .since span"), words.waiting);
  show(at(".fault .waits"), fault.waits.length > 0);
  say(at(".fault .waits h3"), words.waits);
  list(at(".fault .waits ol"), fault.waits, (one, index) => index, () => make("li"), say);
  mark(at(".fault"), "data-seen", fault.seen_by !== null);
  say(at(".seen p"), fault.seen);
  say(at(".here"), words.here);
  show(at(".here"), fault.seen_by === null && screen.life !== "halted");
  say(at(".rulings h2"), words.rulings);
  show(at(".not-now"), fault.not_now.length > 0);
  say(at(".not-now h3"), words.not_now);
  list(at(".not-now ul"), fault.not_now, (one) => one.ruling, () => make("li", {}, make("b"), make("span")), (line, one) => {
    say(line.children[0], one.label);
    say(line.children[1], one.why);
  });
  const create = () => make("button.ruling", { type: "button" }, make("b"), make("span"));
  list(at(".rulings > div"), fault.rulings, (one) => one.ruling, create, (button, one) => {
    mark(button, "data-ruling", one.ruling);
    say(button.children[0], one.label);
    say(button.children[1], one.means);
    button.onclick = () => {
      note("");
      ruling.begin(screen, one, draw);
      at("form.rule h2")?.scrollIntoView({ block: "nearest" });
      at("form.rule .leave")?.focus({ preventScroll: true });
    };
  });
}

/** A ruling has been confirmed, refused or left. `stays`: it may be confirmed again. */
function settled(says, stays = false) {
  if (!stays) ruling.leave();
  if (says === null) note("");
  else note(says || words.done, says === "" ? 4000 : 0);
  draw();
  at(".rulings button")?.focus({ preventScroll: true });
}

async function come() {
  const fault = screen?.fault;
  if (!fault) return;
  const said = await talk.send({ command: "ack", fault: fault.seq }).catch(() => ({ says: words.gone }));
  if (!said.done) note(`${words.refused}: ${said.says}`);
}

// round about it

function drawFacts() {
  const { fault, shoe } = screen;
  const facts = [
    ...(fault ? [["expected", words.expected, fault.expected], ["got", words.got, fault.got]] : []),
    ["dealer", words.dealt_by, screen.dealer ?? "–"],
    ...(fault ? [["called", words.called, fault.called], ["limit", words.ruling_by, ""]] : []),
    ["bets", words.bets, screen.bets || words.no_bets],
    ["shoe", shoe.name, [shoe.left, ...shoe.marks].filter(Boolean).join(" · ")],
    ...screen.devices.filter((one) => one.lost).map((one) => [`lost ${one.device}`, one.name, words.lost]),
    ...(screen.decisions.length ? [["decisions", words.decisions, screen.decisions.map((one) => `${one.who}: ${one.said || "…"}`).join(", ")]] : []),
    ...(fault?.suspect ? [["suspect", words.deck, fault.suspect]] : []),
    ...(fault?.touched ? [["touched", words.touched, fault.touched]] : []),
    ...(fault ? [["players", words.players_told, fault.players]] : []),
  ];
  list(at(".facts"), facts, ([key]) => key, ([key]) => make("div", { "data-fact": key }, make("dt"), make("dd")), (element, [, name, text]) => {
    say(element.children[0], name);
    if (element.dataset.fact !== "limit") say(element.children[1], text);
  });
  show(at(".lie .frames"), fault !== null && told.length > 0);
  say(at(".lie .frames h2"), words.frames);
  at(".lie .frames ol").replaceChildren(...frames(told, words, 4));
}

/** Say something beneath, for a while or until the next touch. */
function note(text, ms = 0) {
  const element = at(".note");
  show(element, text !== "");
  say(element, text);
  clearTimeout(element.timer);
  if (ms) element.timer = setTimeout(() => show(element, false), ms);
}

function tick() {
  const fault = screen?.fault;
  if (!fault) return;
  const now = table.now;
  const waits = (now - Date.parse(fault.since)) / 1000;
  say(at(".since b"), span(waits));
  const limit = at("[data-fact=limit]");
  if (!limit) return;
  const left = fault.rule_by === null ? null : (Date.parse(fault.rule_by) - now) / 1000;
  show(limit, true);
  say(limit.children[1], left === null ? fault.then : left > 0 ? `${span(left)}, ${fault.then}` : words.overdue);
  const calls = fault.calls_at === null ? "" : ` · ${words.calls_in} ${span((Date.parse(fault.calls_at) - now) / 1000)}`;
  say(at("[data-fact=called] dd"), fault.called + calls);
}

// views, sound, session

function drawTabs() {
  list(at(".tabs"), VIEWS, (name) => name, (name) => {
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => choose(name));
    return button;
  }, (button, name) => {
    say(button, words[name]);
    mark(button, "aria-current", view === name ? "page" : null);
  });
}

function choose(name) {
  const changed = view !== name;
  view = name;
  for (const one of VIEWS) show(at(`.view-${one}`), one === name);
  drawTabs();
  if (changed && name === "rounds") past(at(".view-rounds"), words);
  if (changed && name === "devices") gear(at(".view-devices"), screen, words);
}

function drawSound() {
  alarm.draw(at(".sound"), words);
  show(at(".notify"), alarm.mayAsk() && talk.me() !== null);
}

function stale(since) {
  const bad = since !== false;
  mark(document.body, "data-stale", bad && (screen ?? outside) !== null);
  if (bad) say(at(".stale"), since ? words.stale.replace("{time}", time(since)) : words.never);
  if (bad && talk.me()) talk.check();
}

function enter() {
  bar(at(".gate"), talk.me() === null, "");
  show(at("main"), talk.me() !== null);
  mark(document.body, "data-signed", talk.me() ? "in" : "out");
  say(at(".me .name"), talk.me()?.name ?? "");
  follow(talk.me() ? "manager" : "player");
}

function lock() {
  ruling.leave();
  calm.leave();
  say(at(".announce"), "");
  note("");
  choose("table");
  forget(at(".view-rounds"));
  for (const part of [".felt", ".loose .row", ".facts", ".lie .frames ol", ".view-devices", "form.rule", ".rulings > div", ".not-now ul", ".waits ol"]) at(part).replaceChildren();
  at(".gate").hidden = true;
  enter();
  say(at(".gate .why"), left ? "" : words.locked);
  left = false;
}

let left = false; // by signing out, not by being locked out

async function begin() {
  const query = talk.lang === null ? "" : `?lang=${encodeURIComponent(talk.lang)}`;
  const known = await (await fetch(`/api/words${query}`)).json();
  words = known.words;
  document.documentElement.lang = known.lang;
  await talk.ask();
  talk.whenLocked(lock);
  gate(at(".gate"), words, enter);
  say(at(".out"), words.sign_out);
  for (const name of ["aria-label", "title"]) mark(at(".notify"), name, words.notify);
  at(".out").addEventListener("click", () => { left = true; talk.signOut(); });
  at(".here").addEventListener("click", come);
  at(".sound").addEventListener("click", () => { alarm.mute(); drawSound(); });
  at(".notify").addEventListener("click", async () => { await alarm.askToNotify(); drawSound(); });
  drawTabs();
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
    setTimeout(start, 2000); // the table is not there yet
  }
}

start();
