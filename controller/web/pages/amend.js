// Form to correct a past round: wrong cards, the difference for each bet, the reason, and the second person.
// Invariant: only what was shown can be confirmed: these corrections, for the revision on the screen.

import { choice, needed } from "./asks.js";
import { list, make, mark, say, show } from "./dom.js";
import { cards, lie } from "./lie.js";
import { number } from "./number.js";
import { Shown } from "./pin.js";
import { Reason } from "./reason.js";
import { differences, turn } from "./revisions.js";
import { badgeIs, foresee, me, read as ask, sendWith } from "./talk.js";

let made = null; // {round, sheet, corrections, now, seen, reason, second, id, sent, form, words, done}
let asking = 0;

/** Number of the round that is being corrected; null: none. It is kept while nobody is signed in. */
export const round = () => made?.round ?? null;

export function drop() {
  made = null;
}

/** Show the form in this element. `done(says)`: called when the form is done or left, with a note for the person. */
export async function begin(place, of, words, done) {
  const sheet = await ask(`/api/rounds/${of}/cards`).catch(() => ({ says: words.gone }));
  if (!place.isConnected) return;
  const why = sheet.corrections ? sheet.bar : (sheet.says ?? words.gone);
  if (why) {
    drop();
    return place.replaceChildren(make("p.bar", { role: "alert" }, why));
  }
  if (made?.round !== of || made.sheet.revision !== sheet.revision) {
    made = { round: of, corrections: [], now: null, reason: new Reason(words, sheet.reasons, enable) };
  }
  Object.assign(made, { sheet, words, done, sent: false, second: new Shown(words, true) });
  made.second.of(words.pin_of_second);
  made.form = frame(words);
  place.replaceChildren(made.form);
  look();
  made?.form.querySelector("h3").focus({ preventScroll: true });
}

function frame(words) {
  const back = make("button.leave", { type: "button" }, words.back);
  back.addEventListener("click", () => {
    const { done } = made;
    drop();
    done("");
  });
  const form = make("form.amend", {},
    make("div.body", {}, make("h3", { tabindex: "-1" }), make("p.only"), make("div.felt"), make("section.loose", {}, make("h2"), make("div.row")),
      make("div.about"), make("div.whole.choices", { role: "group", "aria-label": words.whole_round }), make("ol.corrections"), make("div.leads", { "aria-live": "polite" }), made.reason.element),
    make("div.end", {}, made.second.element, back, make("button.confirm", { type: "submit" }, make("b", {}, words.settle_anew), make("span"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!form.querySelector(".confirm").disabled) settle();
  });
  form.addEventListener("input", enable);
  return form;
}

/** Handle a badge. Returns false if the form does not need one. */
export function read(code) {
  if (!made?.form.checkVisibility() || made.second.element.hidden) return false;
  made.second.read(code, badgeIs());
  enable();
  return true;
}


const lacking = ({ ruling, draw, card, place }) => {
  const said = { draw, card, place };
  return ruling === null || ruling.needs.some((need) => said[need] === undefined || said[need] === null);
};

/** Add answers to the correction in progress. Once complete, it joins the list of corrections. */
function answer(more) {
  Object.assign(made.now, more);
  const { rank, suit } = made.now;
  made.now.card = made.sheet.deck.flat().find((face) => face.rank === rank && face.suit === suit)?.card ?? null;
  if (lacking(made.now)) return draw();
  const { now } = made;
  const isWhole = (one) => !one.ruling.needs.includes("draw") && !one.ruling.needs.includes("place");
  const others = made.corrections.filter((one) => !isWhole(one) && (one.ruling.ruling !== now.ruling.ruling || one.draw !== now.draw || one.place !== now.place && !now.draw));
  made.corrections = isWhole(now) ? [now] : [...others, now]; // a correction of the whole round replaces all others
  made.now = null;
  look();
}

function without(one) {
  made.corrections = made.corrections.filter((other) => other !== one);
  look();
}

function command() {
  const amendments = made.corrections.map(({ ruling, draw, card, place }) => {
    const said = { draw, card, place };
    return { ruling: ruling.ruling, ...Object.fromEntries(ruling.needs.map((need) => [need, said[need]])) };
  });
  return { command: "resettle", round: made.round, revision: made.sheet.revision, amendments, because: made.reason.text };
}

async function look() {
  const turn = ++asking;
  Object.assign(made, { seen: null, id: number() });
  made.second.clear();
  draw();
  if (made.corrections.length === 0) return;
  const told = await foresee({ ...command(), because: "look" }).catch(() => ({ says: made?.words.gone }));
  if (turn !== asking || made === null) return;
  if (told.preview?.reason === "stale_revision") return overtaken();
  made.seen = told.verdict ? told : { verdict: "refused", says: told.says ?? "" };
  draw();
  made.form.querySelector(".leads").scrollIntoView({ block: "nearest" });
}

/** Leave the form, because somebody else has settled the round anew meanwhile. */
function overtaken() {
  const { done, words } = made;
  drop();
  done(words.was_first);
}


function draw() {
  const { form, sheet, words, now, corrections } = made;
  const part = (name) => form.querySelector(name);
  const held = form.contains(document.activeElement);
  say(part("h3"), sheet.only ? words.only_void : corrections.length ? words.touch_more : words.touch_wrong);
  say(part(".only"), sheet.only);
  const draws = [...new Set(sheet.corrections.flatMap((one) => one.draws))];
  lie(sheet, words, { draws, chosen: now?.draw ?? null, pick }, { felt: part(".felt"), loose: part(".loose") });
  for (const card of form.querySelectorAll(".lying")) mark(card, "data-amended", corrections.some(({ draw }) => `#${draw}` === card.querySelector(".number").textContent));
  part(".about").replaceChildren(...about());
  part(".whole").replaceChildren(...whole());
  list(part(".corrections"), corrections, (one) => one, (one) => line(one), () => {});
  drawLeads(part(".leads"));
  show(made.reason.element, made.seen?.verdict === "leads");
  enable();
  if (held && !form.contains(document.activeElement)) (part(".about button") ?? part("h3")).focus({ preventScroll: true });
}

/** Select the touched card; a second touch of the same card deselects it. */
function pick(of) {
  made.now = made.now?.draw === of ? null : { draw: of, ruling: null };
  draw();
  made.form.querySelector(".about").scrollIntoView({ block: "nearest" });
}

/** Elements for the selected card: the possible corrections, and the questions of the chosen one. */
function about() {
  const { now, sheet, words } = made;
  if (now === null) return [];
  const drawn = { ...now, ruling: { ...now.ruling, needs: (now.ruling?.needs ?? []).filter((need) => need !== "draw") } };
  const asked = now.ruling === null ? [] : needed(drawn, sheet, words, answer, draw);
  if (!now.draw) return asked;
  const may = sheet.corrections.filter((one) => one.draws.includes(now.draw));
  const kinds = may.map((one) => choice(one.label, now.ruling === one, () => answer({ ruling: one, rank: null, suit: null, place: null })));
  return [make("p.label", {}, nameOf(now.draw)), make("div.choices", {}, ...kinds), ...asked];
}

/** Buttons of the corrections that need no card. */
function whole() {
  const { now, sheet } = made;
  return sheet.corrections.filter((one) => !one.needs.includes("draw")).map((one) => choice(one.label, now?.ruling === one, () => {
    made.now = { ruling: one, place: null };
    answer({});
  }));
}

function nameOf(draw) {
  const lies = cards(made.sheet).find((one) => one.draw === draw);
  return [`#${draw}`, lies?.face.name, lies?.at].filter(Boolean).join(" · ");
}

function line(one) {
  const { sheet, words } = made;
  const face = sheet.deck.flat().find(({ card }) => one.ruling.needs.includes("card") && card === one.card);
  const place = one.ruling.needs.includes("place") && sheet.lays.find(({ key }) => key === one.place)?.text;
  const remove = make("button.remove", { type: "button", "aria-label": words.take_back, title: words.take_back }, "×");
  remove.addEventListener("click", () => without(one));
  const said = [one.draw && nameOf(one.draw), one.ruling.label].filter(Boolean).join(": ");
  return make("li", {}, make("span", {}, said, ...[face?.name, place].filter(Boolean).map((text) => make("b", {}, ` ${text}`))), remove);
}

function drawLeads(box) {
  const { seen, corrections, words } = made;
  show(box, corrections.length > 0);
  mark(box, "data-refused", seen?.verdict === "refused");
  const label = make("p.label", {}, words.leads_to);
  if (seen === null) return box.replaceChildren(label, make("p.says", {}, words.looking));
  if (seen.verdict === "refused") return box.replaceChildren(label, make("p.says", {}, seen.says));
  box.replaceChildren(label, make("p.says", {}, ...turn(seen)), ...seen.notes.map((text) => make("p.small", {}, text)), differences(seen.differences, words));
}

function enable() {
  if (made === null) return;
  const { form, seen, reason, second, sent, words } = made;
  const confirm = form.querySelector(".confirm");
  const [leads, why] = [seen?.verdict === "leads", reason.text !== ""];
  show(second.element, leads && why); // ask one thing after the other
  say(confirm.lastChild, !leads ? "" : !why ? words.say_why : second.filled ? seen.now : words.pin_of_second);
  confirm.disabled = !(leads && why && second.filled) || sent;
}


async function settle() {
  const mine = made;
  mine.sent = true;
  enable();
  const told = await sendWith(mine.second.take(), command(), mine.id).catch(() => ({ wrong: mine.words.gone }));
  mine.sent = false;
  if (me() === null) return; // the session has ended: the form is kept until the person is back
  if (told.done) return finish(mine);
  if (made !== mine) return;
  if (told.wrong) return refused(told.wrong);
  mine.id = number();
  if (told.reason === "stale_revision") return overtaken();
  if (["same_person", "own_round", "needs_second"].includes(told.reason)) return refused(told.says);
  mine.seen = { verdict: "refused", says: `${mine.words.refused}: ${told.says}` };
  draw();
}

function finish(mine) {
  const { words, done } = mine;
  if (made === mine) drop();
  done(words.is_settled_anew);
}

function refused(why) {
  made.second.refuse(why);
  enable();
}
