// What the shift manager's page says to the table, and who it is that says it.
// The one rule: whoever is signed out is told so at once; what was sent twice by accident is done once.

import { number } from "./number.js";

export const lang = new URLSearchParams(location.search).get("lang");

let who = null; // {table, role, name, csrf}
let locked = () => {};

/** Call this when the session is over. */
export function whenLocked(call) {
  locked = call;
}

/** The shift manager who is signed in; null: nobody. */
export function me() {
  return who?.role === "manager" ? who : null;
}

/** What a badge is enough for here: "alone", "with_pin"; null: there are none. */
export const badgeIs = () => who?.badge ?? null;

/** Ask the table who we are. */
export async function ask() {
  const answer = await fetch("/session");
  if (answer.ok) who = await answer.json();
  return me();
}

/** Sign in. What was wrong, in words; empty where nothing was. */
export async function signIn(said) {
  const answer = await post(`/session?lang=${document.documentElement.lang}`, said);
  const told = await answer.json();
  if (answer.ok) who = told;
  return answer.ok ? "" : told.detail;
}

export async function signOut() {
  await fetch("/session", { method: "DELETE", headers: headers() }).catch(() => {});
  over();
}

/** The session is over. */
function over() {
  const had = me() !== null;
  who = who && { ...who, role: "player", csrf: null };
  if (had) locked();
}

function headers() {
  return { "content-type": "application/json", "x-csrf": who?.csrf ?? "" };
}

function post(target, body) {
  return fetch(target, { method: "POST", headers: headers(), body: JSON.stringify(body) });
}

function address(target, more = {}) {
  const query = new URLSearchParams({ role: "manager", ...more });
  query.set("lang", document.documentElement.lang);
  return `${target}?${query}`;
}

async function answered(answer) {
  if (answer.status === 401) over();
  const told = await answer.json().catch(() => ({}));
  return answer.ok || told.verdicts ? told : { problem: told.reason ?? "refused", says: told.detail ?? "" };
}

/** Something to be read; {problem, says} where it cannot be had. */
export async function read(target, more) {
  return answered(await fetch(address(target, more)));
}

/** What a ruling would lead to. */
export async function foresee(command) {
  return answered(await post(address("/api/preview"), { ...command, id: "look" }));
}

/** Send one command. What the table would not do, in words; empty where it is done. */
export async function send(command) {
  const told = await answered(await post(address("/api/commands"), { id: number(), ...command }));
  const verdict = told.verdicts?.[0];
  return { done: verdict?.verdict === "done", reason: verdict?.reason ?? told.problem, says: verdict?.says ?? told.says ?? "" };
}

// the session goes on while somebody is there

const ALIVE = 30_000; // ms
let told = 0;

async function alive() {
  if (!me() || performance.now() - told < ALIVE) return;
  told = performance.now();
  const answer = await post("/session/alive", {}).catch(() => null);
  if (answer?.status === 401 || answer?.status === 403) over();
}

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, alive, { passive: true });

/** Whether the session still is; where it is not, it is over here as well. */
export async function check() {
  if (!me()) return;
  const answer = await fetch("/session").catch(() => null);
  if (answer?.ok && (await answer.json()).role !== "manager") over();
}
