// Form of a ruling: its inputs, the preview, the reason, and the confirming touch.
// Invariant: only what was shown can be confirmed: the same ruling, on the fault on the screen.

import { checked, needed, touched } from "./asks.js";
import { make, say, show } from "./dom.js";
import { leads } from "./leads.js";
import { cards } from "./lie.js";
import { number } from "./number.js";
import { Shown } from "./pin.js";
import { Reason } from "./reason.js";
import { badgeIs, comeBack, foresee, hasLapsed, me, send, sendWith } from "./talk.js";

let made = null; // {fault, ruling, draw, rank, suit, place, seen, touched, choices, checked, reason, id, lies, lacks, words, pin, second}
let seen = null; // the preview
let asking = 0;

/** Begin a ruling that was touched. */
export function begin(screen, ruling, changed) {
  const { fault } = screen;
  made = { fault: fault.seq, ruling, draw: ruling.draw, place: ruling.place, rank: null, suit: null, seen: null, touched: null, choices: [], checked: false, reason: null, id: number(), lies: lies(screen, ruling) };
  look(screen, changed);
}

const lies = (screen, ruling) => JSON.stringify([ruling, cards(screen)]); // the ruling and the cards, as a text to compare

/** Request the preview again if the ruling or the cards have changed under the same fault. `anew`: in any case. */
export function again(screen, changed, anew) {
  const ruling = screen.fault.rulings.find((one) => one.ruling === made.ruling.ruling) ?? made.ruling;
  if (lies(screen, ruling) === made.lies) return anew && !made.sent && look(screen, changed);
  change(screen, changed, { ruling, lies: lies(screen, ruling), draw: made.draw ?? ruling.draw });
}

/** Drop the ruling in progress. */
export function leave() {
  made = seen = null;
}

export function making() {
  return made;
}

/** Request for a card, in the form that `lie` draws; null if none is needed. */
export function asked(screen, changed) {
  if (made === null || !made.ruling.needs.includes("draw")) return null;
  return { draws: made.ruling.draws, chosen: made.draw, pick: (draw) => change(screen, changed, { draw }) };
}

function change(screen, changed, more) {
  const anew = "touched" in more ? {} : { touched: null, choices: [] };
  Object.assign(made, anew, more, { id: number() });
  made.second?.clear();
  look(screen, changed);
}

function chosenCard(screen) {
  return screen.deck.flat().find((face) => face.rank === made.rank && face.suit === made.suit)?.card ?? null;
}

function missing(screen) {
  const has = { draw: made.draw !== null, card: chosenCard(screen) !== null, place: made.place !== null, seen: made.seen !== null };
  return made.ruling.needs.filter((need) => !has[need]);
}

function command(screen, because = made.reason.text) {
  const { needs, ruling } = made.ruling;
  const said = { command: "rule", fault: made.fault, ruling, because };
  if (needs.includes("draw")) said.draw = made.draw;
  if (needs.includes("card")) said.card = chosenCard(screen);
  if (needs.includes("place")) said.place = made.place;
  if (needs.includes("seen")) said.seen = made.seen;
  if (made.touched !== null) said.touched = made.touched;
  if (made.checked) said.checked = "deck";
  return said;
}

/** Request the preview once all inputs are given. */
async function look(screen, changed) {
  const turn = ++asking;
  seen = null;
  if (missing(screen).length > 0) return changed();
  changed();
  const told = await foresee(command(screen, "look")).catch(() => null);
  if (turn !== asking || made === null) return;
  seen = told?.verdict ? told : { verdict: "refused", says: told?.says ?? "", cards: [] };
  if (seen.choices) made.choices = seen.choices; // for a refused ruling: choices with which it would be accepted
  changed();
}


function enable() {
  const button = document.querySelector(".rule .confirm");
  if (!button) return;
  const wanted = lacking(made.words);
  say(button.lastChild, wanted ?? made.reason.text);
  button.disabled = wanted !== null || made.sent === true;
}

/** Text for what is missing before the ruling can be confirmed; null: nothing. */
function lacking(words) {
  if (made.lacks) return words.answer_first;
  if (seen?.verdict !== "leads") return seen === null ? words.looking : "";
  if (made.reason.text === "") return words.say_why;
  if (hasLapsed() && !made.pin.filled) return words.pin_of.replace("{name}", me().name);
  return seen.second && !made.second.filled ? words.pin_of_second : null;
}

/** PIN fields: of the viewer if the session has lapsed, and of the second person if one is needed. */
function shownOf(words) {
  made.pin ??= new Shown(words);
  made.second ??= new Shown(words, true);
  if (hasLapsed()) made.pin.of(words.pin_of.replace("{name}", me().name));
  made.second.of(words.pin_of_second);
  return [...(hasLapsed() ? [made.pin.element] : []), ...(seen?.second ? [made.second.element] : [])];
}

/** Handle a badge: of the viewer if asked for, else of the second person. Returns false if no ruling is in progress. */
export function read(code) {
  if (made === null) return false;
  const asks = hasLapsed() && !made.pin.filled ? made.pin : seen?.second ? made.second : null;
  asks?.read(code, badgeIs());
  enable();
  return true;
}

/** Draw the ruling in progress into its form. */
export function rule(form, screen, words, changed, done) {
  show(form, made !== null);
  if (made === null) return form.replaceChildren();
  const held = document.activeElement;
  const kept = held?.closest(".rule .other, .rule .shown");
  const focus = kept ? null : focusOf(form);
  const { ruling, means } = made.ruling;
  const label = named(made);
  Object.assign(made, { words, lacks: missing(screen).length > 0 });
  if (made.reason?.offered !== made.ruling.reasons) made.reason = new Reason(words, made.ruling.reasons, enable, made.reason?.text);
  const answer = (more) => change(screen, changed, more);
  const confirm = make("button.confirm", { type: "submit", "data-ruling": ruling }, make("b", {}, `${words.confirm}: ${label}`), make("span"));
  const scrolled = form.firstChild?.scrollTop ?? 0;
  const back = make("button.leave", { type: "button" }, words.back);
  back.addEventListener("click", () => done(null));
  form.replaceChildren(
    make("div.body", {},
      make("h2", { tabindex: "-1" }, label), ...(isMeant(made) ? [make("p.means", {}, means)] : []),
      ...needed(made, screen, words, answer, changed), ...checked(made, screen, words, answer),
      leads(seen, made.lacks, screen, words), ...touched(made, words, answer, seen?.verdict === "leads"), made.reason.element),
    make("div.end", {}, ...shownOf(words), back, confirm),
  );
  form.firstChild.scrollTop = scrolled;
  enable();
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!confirm.disabled) settle(screen, words, changed, done);
  };
  form.oninput = enable;
  if (kept) (held.isConnected ? held : form.querySelector(".other")).focus({ preventScroll: true });
  else if (focus !== null) (focus < 0 ? form.querySelector("h2") : form.querySelectorAll("button")[focus])?.focus({ preventScroll: true });
}

/** True if card and place are the ruling's defaults, so that its texts about them apply. */
const isMeant = ({ draw, place, ruling }) => draw === ruling.draw && place === ruling.place;

/** Name of the ruling, with the default card if that is chosen. */
const named = (one) => (isMeant(one) ? one.ruling.title : one.ruling.label);

function focusOf(form) {
  if (!form.contains(document.activeElement)) return null;
  return [...form.querySelectorAll("button")].indexOf(document.activeElement); // -1: the focus is on the heading
}

/** Ask for the PIN again. */
function againWith(pin, wrong, changed) {
  changed();
  pin.refuse(wrong);
  pin.focus();
}

async function settle(screen, words, changed, done) {
  const mine = made;
  mine.sent = true;
  enable();
  const [two, said, { id }] = [seen.second, command(screen), mine];
  const wrong = hasLapsed() ? await comeBack(mine.pin.take()).catch(() => words.gone) : "";
  if (made !== mine) return done(null); // another person has signed in by badge
  const sent = () => (two ? sendWith(mine.second.take(), said, id) : send({ ...said, id }));
  const told = wrong === "" ? await sent().catch(() => null) : { says: wrong };
  if (made !== mine && made !== null) return; // another ruling was begun meanwhile
  mine.sent = false;
  if (me() === null) return; // the session has ended: the ruling is kept until the person is back
  if (made !== null && hasLapsed()) return againWith(mine.pin, wrong, changed);
  if (told?.wrong) return againWith(mine.second, told.wrong, changed);
  if (told?.done) return done("", false, named(mine));
  if (told === null) return done(words.gone, true);
  if (made === null || told.reason === "stale_fault" || told.reason === "not_paused") return done(`${words.refused}: ${told.says}`);
  made.id = number();
  if (two && told.reason === "same_person") return againWith(mine.second, told.says, changed);
  if (told.reason === "needs_second") return look(screen, changed);
  seen = { verdict: "refused", says: `${words.refused}: ${told.says}`, cards: [] };
  changed();
}
