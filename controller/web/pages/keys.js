// The dealer's keys on the screen. The table sends each key with its command.
// Invariant: a touch is sent once; a refusal is shown in the table's words.

import { list, make, mark, say } from "./dom.js";
import { number } from "./number.js";

const BOUNCE = 700; // ms for which a second touch is ignored, as it would act on the step that followed from the first
const LAMPS = { off: "○", on: "●", flash: "●" }; // so that colour is not the only sign

let session = null;
let known = {}; // the table's last answer on who is at this screen

async function ask() {
  session ??= fetch("/session?role=dealer").then((answer) => (answer.ok ? answer.json() : {}));
  return (known = await session.catch(() => ({})));
}

/** Use of badges if dealers may sign on at this screen, else null. Call `asks` before. */
export const may = () => (known.role === "dealer" ? (known.badge ?? null) : null);

/** Ask the table who is at this screen. */
export function asks() {
  session = null;
  return ask();
}

/** Send a write with the CSRF word; if the table was restarted, fetch its new word and send again. */
export async function write(target, body) {
  const { csrf } = await ask();
  const answer = await post(target, body);
  return answer.status === 403 && (await asks()).csrf !== csrf ? post(target, body) : answer;
}

async function post(target, body) {
  const headers = { "content-type": "application/json", "x-csrf": (await ask()).csrf ?? "" };
  return fetch(target, { method: "POST", headers, body });
}

/** Send a command. `refused`: called with the reason of a refusal; empty if it was done or the line is down. */
export async function send(command, refused) {
  const body = JSON.stringify({ ...command, id: number() });
  try {
    const answer = await write(`/api/commands?role=dealer&lang=${document.documentElement.lang}`, body);
    const told = await answer.json();
    if (!answer.ok) session = null;
    const verdict = told.verdicts?.[0];
    refused(verdict?.verdict === "done" ? "" : (verdict?.says ?? told.detail ?? ""));
  } catch {
    session = null;
    refused(""); // the page itself shows that the line is down
  }
}

/** Draw the keys. `refused`: called with the reason if a touch is refused. */
export function keys(element, shown, refused) {
  const create = () => {
    const button = make("button.key", { type: "button" }, make("span.lamp", { "aria-hidden": "true" }), make("span.label"));
    button.addEventListener("click", ({ timeStamp }) => {
      const isSecond = timeStamp - (button.touched ?? -Infinity) < BOUNCE;
      button.touched = timeStamp;
      if (!isSecond || button.dataset.kind === "early") send(button.sends, refused); // an early close needs two touches
    });
    return button;
  };
  list(element, shown, (key) => key.key, create, (button, key) => {
    button.sends = key.command;
    if (button.disabled === key.touch) button.disabled = !key.touch; // writing an equal value would make the browser compute styles again
    mark(button, "data-light", key.light);
    mark(button, "data-key", key.key);
    mark(button, "data-kind", key.kind);
    say(button.children[0], LAMPS[key.light]);
    say(button.children[1], key.label);
  });
}
