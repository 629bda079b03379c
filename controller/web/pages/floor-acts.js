// What is done from the floor: one touch, one act; why it was not done is said beneath.
// Invariant: an alarm is shelved for a time and for a reason, and both are asked for.

import { at, list, make, mark, say, show } from "./dom.js";
import { first } from "./lapsed.js";
import { write } from "./talk.js";

const MINUTES = [15, 30, 60, 240, 480];

let words = {};
let shelved = null; // the alarm that is to be
let minutes = MINUTES[1];

/** Say something beneath, for a while or until the next act. */
export function note(text, ms = 0) {
  const element = at(".note");
  show(element, text !== "");
  say(element, text);
  clearTimeout(element.timer);
  if (ms) element.timer = setTimeout(() => show(element, false), ms);
}

/** What is to be known of an act: why it is not done; or, where it is or may be, what did not come of it. */
function saidOf({ done, reason, says }) {
  if (done) return reason === "unheard" ? says : "";
  return reason === "unsure" ? says : `${words.refused}: ${says}`;
}

/** Do it; where the PIN is wanted, after that. Whether it is done. */
export async function act(said) {
  if (first(() => act(said))) return false;
  const told = await write("/api/floor/acts", said).catch(() => ({ says: words.gone }));
  note(saidOf(told));
  return told.done === true;
}

/** Make the sheet ready that asks how long and why. */
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

/** Ask for how long, and why. */
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
