// Acts from the floor: one touch, one act. The result, or the reason of a refusal, is shown at the bottom.
// Invariant: shelving an alarm needs a time and a reason.

import { at, list, make, mark, say, show } from "./dom.js";
import { first } from "./lapsed.js";
import { me, write } from "./talk.js";

const MINUTES = [15, 30, 60, 240, 480];
const SHOWN = 4000; // ms for which a success is shown

let words = {};
let shelved = null; // the alarm in the form for shelving
let minutes = MINUTES[1];

/** Show a note at the bottom, for `ms` or until the next act. */
export function note(text, ms = 0) {
  const element = at(".note");
  show(element, text !== "");
  say(element, text);
  clearTimeout(element.timer);
  if (ms) element.timer = setTimeout(() => show(element, false), ms);
}

/** Show for a while that something was done. */
export const tellDone = (text) => note(text, SHOWN);

/** Sentence for a done act, with its table. */
function didOf({ act: name, table, key }) {
  const did = { claim: words.mine, release: words.given_back, acknowledge: words.seen, shelve: words.put_off, unshelve: words.brought_back, hand_over: words.handed_over }[name];
  return [table ?? key?.split(":")[0], did].filter(Boolean).join(" · ");
}

/** Sentence for an act that was refused, is unsure, or was done only in part; empty if all was done. */
function problemOf({ done, reason, says }) {
  if (done) return reason === "unheard" ? says : "";
  return reason === "unsure" ? says : `${words.refused}: ${says}`;
}

/** Carry out an act, after the PIN if that is required. Returns true if it was done. `did`: text to show then. */
export async function act(said, did = didOf(said)) {
  if (first(() => act(said, did))) return false;
  const told = await write("/api/floor/acts", said).catch(() => ({ says: words.gone }));
  if (me() === null) return false; // signed out meanwhile: show and open nothing
  const problem = problemOf(told);
  note(problem || did, problem ? 0 : SHOWN);
  return told.done === true;
}

/** Prepare the form for shelving an alarm. */
export function ready(known) {
  words = known;
  const sheet = at("dialog.shelve");
  const form = sheet.firstChild;
  say(form.querySelector("label span"), words.because);
  say(form.querySelector(".leave"), words.back);
  say(form.querySelector(".confirm"), words.shelve);
  mark(form.querySelector(".choices"), "aria-label", words.how_long);
  form.querySelector(".leave").addEventListener("click", () => sheet.close());
  form.addEventListener("submit", () => {
    const because = form.elements.because.value.trim();
    if (because !== "") act({ act: "shelve", key: shelved.key, minutes, because });
  });
  drawMinutes();
}

function drawMinutes() {
  const create = (many) => {
    const button = make("button.choice", { type: "button" });
    button.addEventListener("click", () => {
      minutes = many;
      drawMinutes();
    });
    return button;
  };
  list(at("dialog.shelve .choices"), MINUTES, (many) => many, create, (button, many) => {
    say(button, many < 60 ? words.minutes.replace("{count}", many) : words.hours.replace("{count}", many / 60));
    mark(button, "aria-pressed", String(many === minutes));
  });
}

/** Open the form that asks for how long and why to shelve an alarm. */
export function shelve(alarm) {
  if (first(() => shelve(alarm))) return;
  shelved = alarm;
  const sheet = at("dialog.shelve");
  say(sheet.querySelector("h2"), `${alarm.key.split(":")[0]} · ${alarm.head}`);
  say(sheet.querySelector("p"), alarm.act);
  sheet.querySelector("input").value = "";
  sheet.showModal();
  sheet.querySelector("input").focus();
}
