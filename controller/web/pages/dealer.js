// The dealer's screen. The table sends all content and texts; this file draws them.
// Invariant: the largest thing on the screen is the next step, or during a fault the instruction.

import { chime } from "./alarm.js";
import { keepAwake } from "./awake.js";
import { change } from "./change.js";
import { at, list, make, mark, say, show } from "./dom.js";
import { card } from "./cards.js";
import { felt } from "./felt.js";
import { glossary } from "./glossary.js";
import { asks, keys, may, send } from "./keys.js";
import { follow } from "./page.js";
import { signOn } from "./sign_on.js";
import { span } from "./stream.js";

/** Size of a headline, so that a long text fits on one line. */
function size(text) {
  return text.length <= 10 ? "l" : text.length <= 15 ? "m" : "s";
}

const putAway = glossary(at("header .help"), () => last?.words.never ?? "");
let last = null; // the last screen from the table

function draw(told) {
  if (told.sign_on !== null && last?.sign_on === null) asks().then(again); // the way to sign on may have changed
  last = told;
  mark(at("header .help"), "aria-label", told.words.glossary);
  if (told.stop !== null) putAway();
  say(at(".stale b"), told.words.stop);
  mark(document.body, "data-life", told.life);
  say(at(".table"), `${told.table} · ${told.title}`);
  say(at(".round"), told.round);
  say(at(".who"), told.dealer);
  keepAwake(true); // also without a dealer, for the next one
  say(at("header .bets"), told.bets);
  say(at("header .shoe"), told.shoe);
  list(at(".flags"), told.flags, (flag) => flag.text, () => make("li"), (item, flag) => {
    mark(item, "data-kind", flag.kind);
    say(item, flag.text);
  });
  drawNext(told);
  show(at(".leaves"), told.may_leave && may() !== null);
  say(at(".leaves"), told.words.leave);
  felt(told.places, at(".felt"));
  change(at(".change"), told.steps, told.words, (why) => refused(why, told.words));
  drawWork(told);
  drawPeople(told);
  keys(at(".keys"), told.keys, (why) => refused(why, told.words));
  mark(at(".keys"), "aria-label", told.words.keys);
  drawStop(told);
}

function again() {
  if (last !== null) draw(last);
}

at(".leaves").addEventListener("click", () => send({ command: "leave" }, (why) => refused(why, last.words)));

/** Sign-on step; null if a dealer is signed on, or none can sign on at this screen. */
function signs({ sign_on: step, words }) {
  return step === null || may() === null ? null : { ...step, text: words[`by_${may()}`] };
}

let cleared = ""; // key of the cards that a touch has confirmed as cleared

function drawNext(told) {
  const clears = told.then !== null && cleared !== told.clears;
  const then = signs(told) ?? told.then ?? told.next;
  const { head, text, tone } = clears ? told.next : then;
  mark(at(".next"), "data-tone", tone);
  say(at(".next h1"), head);
  mark(at(".next h1"), "data-size", size(head));
  say(at(".next .text"), text);
  show(at(".next .end"), told.clock === null || clears);
  say(at(".next .announce"), told.announce && !clears ? `“${told.announce}”` : "");
  say(at(".next .result"), told.result);
  mark(at(".next .result"), "data-size", size(told.result.slice(10)));
  say(at(".cleared"), told.words.cleared);
  show(at(".cleared"), clears);
  at(".cleared").onclick = () => {
    cleared = told.clears;
    again();
  };
}

/** Draw below the next step: the sign-on once the cards are cleared, the shoe change, or else the table. */
function drawWork(told) {
  const clears = told.then !== null && cleared !== told.clears;
  const signs = signOn(clears ? { ...told, sign_on: null } : told);
  show(at(".change"), !signs && told.steps.length > 0);
  show(at(".felt"), told.stop === null ? !signs && told.steps.length === 0 : told.stop.lying);
}

/** Draw as many people as fit, the undecided ones before others, sorted by name so that none moves. */
function drawPeople({ people, decided, words }) {
  say(at(".people h2"), decided);
  const shown = people.slice(0, 10).sort((one, other) => one.name.localeCompare(other.name, [], { numeric: true }));
  list(at(".people ul"), shown, (person) => person.name, () => make("li", {}, make("b"), make("span")), (item, person) => {
    mark(item, "data-asked", person.said === "");
    say(item.children[0], person.name);
    say(item.children[1], person.said || words.asked);
  });
}

function drawStop(told) {
  const { stop, words } = told;
  if (stop !== null && at(".stop").hidden) chime();
  if ((stop !== null) !== at(".stop").contains(at(".felt"))) (stop === null ? at(".next") : at(".lies"))[stop === null ? "after" : "prepend"](at(".felt"));
  show(at(".stop"), stop !== null);
  if (stop === null) return;
  say(at(".stop h1"), stop.head);
  say(at(".stop .results"), stop.results);
  say(at(".stop .hands"), stop.hands.replaceAll(". ", ".\n"));
  mark(at(".stop .loose"), "data-lay", stop.lay);
  drawLoose(stop.loose, words);
  row(".players", words.players, stop.players);
  row(".manager", stop.manager, " ");
}

/** Draw the cards that are in no hand, each with the place where it was seen. */
function drawLoose(loose, words) {
  show(at(".loose"), loose.length > 0);
  say(at(".loose h2"), words.loose);
  const create = (one) => make("li", {}, make("div.slot", {}, card(one.face)), make("span"));
  list(at(".loose ul"), loose, (one, index) => `${index} ${one.face.card} ${one.face.name}`, create, (item, one) => {
    mark(item.firstChild, "data-wrong", one.wrong);
    say(item.lastChild, one.seen && words.seen.replace("{place}", one.seen));
  });
}

function row(selector, name, text) {
  show(at(`.stop ${selector}`), text !== "");
  say(at(`.stop ${selector} dt`), name);
  if (text.trim()) say(at(`.stop ${selector} dd`), text);
}

function refused(why, words) {
  const element = at(".refused");
  show(element, why !== "");
  say(element, why && `${words.refused}: ${why}`);
  clearTimeout(element.timer);
  element.timer = setTimeout(() => show(element, false), 6000);
}

function tick({ stop }, now) {
  if (stop || document.body.hasAttribute("data-stale")) putAway(); // also a glossary that has opened late
  if (stop) say(at(".stop .manager dd"), stop.ago.replace("{time}", span((now - Date.parse(stop.since)) / 1000)));
}

new ResizeObserver(([{ contentRect: { width, height }, target }]) => {
  target.style.setProperty("--w", `${width / 100}px`);
  target.style.setProperty("--h", `${height / 100}px`);
}).observe(at(".felt"));

asks().then(again);
follow("dealer", draw, tick, at(".stale p"));
