// Hand-over of the floor: the open points, then both people enter their PINs.
// Invariant: no PIN stays in the page, whatever the floor answers.

import { at, make } from "./dom.js";
import { act } from "./floor-acts.js";
import { asking, field, printed, words as known } from "./floor-history.js";
import { first } from "./lapsed.js";
import { me } from "./talk.js";

const look = asking();
let words = {};
let shown = 0; // number of hand-overs when the open points were read

/** Draw the view. Resolves to false if it cannot be loaded. */
export async function draw() {
  const told = await known();
  if (told === null) return false;
  words = told.words;
  again();
  return true;
}

function again() {
  look("/api/floor/hand-over", {}, answered, words.gone);
}

/** Draw the open points of an answer; a form that is being filled in stays. */
function answered(told) {
  const view = at(".view-hand-over");
  const written = view.querySelector("form.hand");
  const known = told.sections ? whatIsOpen(told) : make("div.known", {}, make("p.empty", { role: "alert" }, told.says));
  if (written !== null && told.may !== false) view.firstChild.replaceWith(known);
  else view.replaceChildren(known, ...(told.sections ? [form(told.may)] : []));
}

function whatIsOpen(told) {
  shown = told.shown;
  const open = told.sections.filter((one) => one.points.length > 0);
  const sections = open.map((one) => make("section", { "data-name": one.name }, make("h2", {}, one.title), make("ul", {}, ...one.points.map((point) => make("li", {}, point)))));
  const anew = make("button.anew", { type: "button" }, words.anew);
  anew.addEventListener("click", again);
  const head = make("div.ways", {}, make("p", {}, told.shift), anew, printed(words.print, "/hand-over"));
  const last = told.last === null ? [] : [make("p.last", { role: "status" }, told.last)];
  const none = open.length ? [] : [make("p.empty", {}, told.nothing)];
  return make("div.known", {}, head, ...last, ...sections, ...none);
}

function form(may) {
  if (!may) return make("p.empty", {}, words.managers);
  const pin = (name) => make("input", { name, type: "password", inputmode: "numeric", autocomplete: "off", required: "" });
  const text = make("textarea", { name: "notes", maxlength: "2000", rows: "4" });
  const fields = make("form.hand", {}, field(words.note, text), field(`${words.own_pin} · ${me()?.name ?? ""}`, pin("own")),
    field(words.to_whom, make("input", { name: "to", autocomplete: "off", autocapitalize: "off", spellcheck: "false", required: "" })), field(words.their_pin, pin("their")),
    make("button", { type: "submit" }, words.hand_over));
  fields.addEventListener("submit", (event) => {
    event.preventDefault();
    handOver(fields);
  });
  return fields;
}

async function handOver(form) {
  if (first(() => handOver(form))) return;
  const said = Object.fromEntries(new FormData(form));
  for (const name of ["own", "their"]) form.elements[name].value = "";
  const button = form.querySelector("button");
  button.disabled = true;
  const done = await act({ act: "hand_over", to: { name: said.to.trim(), pin: said.their }, own: { pin: said.own }, notes: said.notes, shown });
  button.disabled = false;
  if (done) {
    form.reset();
    again();
  }
}
