// The strips that need an act. CALLS: tables whose round waits for a ruling, each with the person who has claimed it.
// WATCH: alarms with the act that each asks for; many alarms of one kind are folded into a line.

import { at, list, make, mark, say, show } from "./dom.js";
import { NEW, priority } from "./floor-calls.js";
import { span, time } from "./stream.js";
import { moved, moving } from "./floor-touch.js";

const FEW = 5; // calls that are shown with all fields; the others have one line each
const MANY = 10; // alarms of a kind; more are folded into one line

const open = new Set(); // kinds of alarms that are unfolded

/** Draw both bays. `count`: number of tables. `acts`: {open, claim, release, acknowledge, shelve, unshelve, may}. */
export function draw(calls, watched, words, acts, count) {
  drawCalls(calls, words, acts);
  say(at(".calls > .none"), count ? words.no_calls : words.no_tables);
  drawWatch(watched, words, acts);
}

// calls

function drawCalls(calls, words, acts) {
  const place = at(".calls ol");
  const before = place.children.length;
  const update = (item, strip, index) => {
    mark(item, "data-brief", index >= FEW);
    drawCall(item, strip, index, words, acts);
  };
  moving(place, () => list(place, calls, (strip) => strip.table, () => makeCall(acts), update));
  if (place.children.length !== before) moved(at(".watch ol").children); // the height of CALLS has changed
  show(at(".calls > .none"), calls.length === 0);
}

function makeCall(acts) {
  const fields = ["kbd", "b.table", "span.where", "span.head", "span.text", "span.besides", "b.since", "span.level"].map((kind) => make(kind));
  fields[0].setAttribute("aria-hidden", "true");
  const open = make("button.open", { type: "button" }, ...fields);
  const item = make("li.call", {}, open, make("div.do", {}, make("p.whose"), make("button.claim", { type: "button" }), make("button.release", { type: "button" })));
  open.addEventListener("click", () => acts.open(item.strip.table));
  item.querySelector(".claim").addEventListener("click", () => acts.claim(item.strip));
  item.querySelector(".release").addEventListener("click", () => acts.release(item.strip));
  return item;
}

function drawCall(item, strip, index, words, acts) {
  item.strip = strip;
  const { call } = strip;
  const whose = call.claim === null ? "none" : call.claim.mine ? "mine" : "theirs";
  if (![null, whose].includes(item.getAttribute("data-claim"))) moved([item]); // another key is at this place now
  mark(item, "data-claim", whose);
  mark(item, "data-shown", acts.shown() === strip.table);
  mark(item, "data-priority", priority(call));
  mark(item, "data-halted", call.code === "halted");
  const part = (name) => item.querySelector(name);
  say(part("kbd"), index < 9 ? String(index + 1) : "");
  say(part(".table"), strip.table);
  say(part(".where"), joined(strip.game, strip.round));
  say(part(".head"), call.head);
  say(part(".text"), call.text);
  say(part(".besides"), joined(call.money && words.at_risk.replace("{money}", call.money), strip.dealer, strip.heard === null ? "" : words.silent.replace("{time}", time(strip.heard)), call.claim === null && call.seen_by ? words.seen_by.replace("{name}", call.seen_by) : ""));
  say(part(".level"), priority(call) < NEW ? words.priority.replace("{priority}", priority(call)) : "");
  drawDo(item, strip, whose, words, acts);
}

function drawDo(item, strip, whose, words, acts) {
  const { call, mine, owner } = strip;
  const [says, claim, release] = item.lastChild.children;
  say(says, { none: mine ? "" : owner, mine: words.mine, theirs: call.claim && words.theirs.replace("{name}", call.claim.name) }[whose]);
  show(says, says.textContent !== "");
  say(claim, words.claim);
  show(claim, whose === "none" && mine);
  say(release, whose === "mine" ? words.release : words.take_back);
  show(release, whose === "mine" || (whose === "theirs" && acts.may("release", strip)));
  keepFocus(item);
}

/** If the focused key has disappeared, move the focus to its strip. */
function keepFocus(item) {
  if (item.contains(document.activeElement) && document.activeElement.hidden) item.firstChild.focus({ preventScroll: true });
}

const joined = (...texts) => texts.filter(Boolean).join(" · ");

// watch

function drawWatch(watched, words, acts) {
  const alarms = watched.flatMap((strip) => strip.alarms.map((alarm) => ({ strip, alarm })));
  const shelved = alarms.filter(({ alarm }) => alarm.shelved !== null);
  const lines = [...folded(alarms.filter(({ alarm }) => alarm.shelved === null), MANY), ...folded(shelved, 0, words.on_the_shelf)];
  const redraw = () => drawWatch(watched, words, acts);
  const create = (line) => (line.text ? makeFold(redraw) : makeAlarm(acts));
  const update = (item, line) => (line.text ? drawFold(item, line) : drawAlarm(item, line, words, acts));
  moving(at(".watch ol"), () => list(at(".watch ol"), lines, (line) => line.key, create, update));
  show(at(".watch > .none"), lines.length === 0);
  say(at(".watch > .none"), words.no_alarms);
}

/** Lines of the alarms. More than `most` of a kind become one line with their count, followed by them if unfolded.
 *  `all`: title for all kinds together. */
function folded(alarms, most, all = null) {
  const kinds = Map.groupBy(alarms, ({ alarm }) => (all === null ? alarm.kind : "shelved"));
  return [...kinds].flatMap(([kind, ones]) => {
    const lines = ones.map((one) => ({ ...one, key: one.alarm.key }));
    if (ones.length <= most) return lines;
    const { act } = ones[0].alarm;
    const fold = { key: `fold ${kind}`, kind, text: all === null ? `${headOf(ones)} × ${ones.length}: ${act}` : `${all} × ${ones.length}` };
    return open.has(kind) ? [fold, ...lines] : [fold];
  });
}

/** Common title of alarms; without the part after the colon if that differs. */
const headOf = ([{ alarm: { head } }, ...others]) => (others.every(({ alarm }) => alarm.head === head) ? head : head.replace(/: .*/, ""));

function makeFold(redraw) {
  const button = make("button.fold", { type: "button" });
  const item = make("li", {}, button);
  button.addEventListener("click", () => {
    if (!open.delete(item.kind)) open.add(item.kind);
    redraw();
  });
  return item;
}

function drawFold(item, { kind, text }) {
  item.kind = kind;
  mark(item.firstChild, "data-kind", kind);
  mark(item.firstChild, "aria-expanded", String(open.has(kind)));
  say(item.firstChild, text);
}

function makeAlarm(acts) {
  const seen = make("button.open", { type: "button" }, ...["b.table", "span.head", "span.act", "span.since", "span.state"].map((kind) => make(kind)));
  const keys = ["acknowledge", "shelve", "unshelve"].map((name) => make(`button.${name}`, { type: "button" }));
  const item = make("li.alarm", {}, seen, make("div.do", {}, ...keys));
  seen.addEventListener("click", () => acts.open(item.strip.table, roundOf(item.alarm)));
  for (const key of keys) key.addEventListener("click", () => acts[key.className](item.alarm));
  return item;
}

/** Hash of a console's address for the round of an open case. */
const roundOf = ({ kind, key }) => (kind === "case" ? `#round=${key.split(":")[2]}` : "");

function drawAlarm(item, { strip, alarm }, words, acts) {
  Object.assign(item, { strip, alarm });
  const [table, head, act, since, state] = item.firstChild.children;
  mark(item, "data-state", alarm.shelved ? "shelved" : alarm.acknowledged ? "acknowledged" : "new");
  mark(item, "data-over", !alarm.standing);
  mark(item, "data-shown", acts.shown() === strip.table);
  say(table, strip.table);
  say(head, alarm.head);
  say(act, alarm.act);
  say(since, alarm.since ? time(alarm.since) : "");
  say(state, stateOf(alarm, words));
  const [acknowledge, shelve, unshelve] = item.lastChild.children;
  const may = (name) => acts.may(name, strip);
  say(acknowledge, words.acknowledge);
  say(shelve, words.shelve);
  say(unshelve, words.unshelve);
  show(acknowledge, alarm.acknowledged === null && alarm.shelved === null && may("acknowledge"));
  show(shelve, alarm.shelved === null && may("shelve"));
  show(unshelve, alarm.shelved !== null && may("unshelve"));
  keepFocus(item);
}

function stateOf({ shelved, because, acknowledged, standing }, words) {
  const told = shelved ? words.shelved.replace("{time}", time(shelved)).replace("{because}", because) : acknowledged ? words.acknowledged.replace("{name}", acknowledged) : "";
  return joined(standing ? "" : words.over, told);
}

/** Update the waiting time of each call. */
export function tick(now) {
  for (const item of document.querySelectorAll(".call")) say(item.querySelector(".since"), span((now - Date.parse(item.strip.call.since)) / 1000));
}
