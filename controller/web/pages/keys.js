// The dealer's keys on the screen. What a key sends comes with it.
// Invariant: a touch is sent once; what the table would not do is said, in its words.

import { list, make, mark, say } from "./dom.js";
import { number } from "./number.js";

const BOUNCE = 700; // ms for which a key is not heard again: the second touch would be of the step that came by the first
const LAMPS = { off: "○", on: "●", flash: "●" }; // colour is not the only sign

let session = null;
let known = {}; // as the table said last who looks on

async function ask() {
  session ??= fetch("/session?role=dealer").then((answer) => (answer.ok ? answer.json() : {}));
  return (known = await session.catch(() => ({})));
}

/** What a badge is enough for, where dealers may sign on at this screen; null: they may not. Ask before. */
export const may = () => (known.role === "dealer" ? (known.badge ?? null) : null);

/** Ask the table who looks on. */
export function asks() {
  session = null;
  return ask();
}

/** Write something, with the word that writes need; a table that was started anew has another one. */
export async function write(target, body) {
  const { csrf } = await ask();
  const answer = await post(target, body);
  return answer.status === 403 && (await asks()).csrf !== csrf ? post(target, body) : answer;
}

async function post(target, body) {
  const headers = { "content-type": "application/json", "x-csrf": (await ask()).csrf ?? "" };
  return fetch(target, { method: "POST", headers, body });
}

/** Send one. `refused`: is told why it led to nothing, in words; none, where it is done or the line is gone. */
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
    refused(""); // the line is gone: the page says so
  }
}

/** Draw the keys. `refused`: is told why a touch led to nothing. */
export function keys(element, shown, refused) {
  const create = () => {
    const button = make("button.key", { type: "button" }, make("span.lamp", { "aria-hidden": "true" }), make("span.label"));
    button.addEventListener("click", ({ timeStamp }) => {
      const isSecond = timeStamp - (button.touched ?? -Infinity) < BOUNCE;
      button.touched = timeStamp;
      if (!isSecond || button.dataset.kind === "early") send(button.sends, refused); // which is meant by two
    });
    return button;
  };
  list(element, shown, (key) => key.key, create, (button, key) => {
    button.sends = key.command;
    if (button.disabled === key.touch) button.disabled = !key.touch; // to write even the same is to find styles anew
    mark(button, "data-light", key.light);
    mark(button, "data-key", key.key);
    mark(button, "data-kind", key.kind);
    say(button.children[0], LAMPS[key.light]);
    say(button.children[1], key.label);
  });
}
