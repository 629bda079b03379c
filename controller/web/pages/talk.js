// Requests of the shift manager's page to the table, and the session of the signed-in person.
// Invariant: the end of a session is shown at once; a command sent twice by accident is carried out once.

import { base } from "./base.js";
import { number } from "./number.js";

export const lang = new URLSearchParams(location.search).get("lang");

let who = null; // {table, role, name, csrf, lapsed}
export let left = false; // true: the person has signed out, and was not locked out
let badge = null; // use of badges here
let locked = () => {};
let lapsed = () => {};

/** Set what to call: `over` at the end of a session, `changed` when it has lapsed or the person is back. */
export function whenLocked(over, changed) {
  locked = over;
  lapsed = changed;
}

const isSignedIn = (one) => Boolean(one?.csrf) && one.role !== "dealer"; // the dealer's screen has no signed-in person

/** The signed-in person; null: nobody. */
export function me() {
  return isSignedIn(who) ? who : null;
}

/** True if the PIN is needed again before any act. */
export function hasLapsed() {
  return me()?.lapsed === true;
}

/** Use of badges here: "alone", "with_pin"; null: no badges. */
export const badgeIs = () => badge;

/** Ask the table who is signed in. */
export async function ask() {
  const answer = await fetch(`${base}/session`);
  if (answer.ok) who = await answer.json();
  badge = who?.badge ?? null;
  return me();
}

/** End a lapse by PIN or badge. Resolves to the error text; empty if all is well, or nothing had lapsed. */
export async function comeBack(said) {
  if (!hasLapsed()) return "";
  const error = await signIn(said.badge === undefined ? { ...said, name: me().name } : said);
  if (error === "") lapsed();
  return error;
}

export async function signIn(said) {
  const answer = await post(`/session?lang=${document.documentElement.lang}`, said);
  const told = await answer.json();
  if (answer.ok) {
    [who, left] = [told, false];
    others.postMessage("changed");
  }
  return answer.ok ? "" : told.detail;
}

/** Sign out, repeated until the table answers: a reload before that would show the session again. */
export async function signOut() {
  const said = { method: "DELETE", headers: headers() };
  const tell = () => fetch(`${base}/session`, said).catch(() => setTimeout(tell, 1000));
  await tell();
  others.postMessage("changed");
  left = true;
  heard(null);
}

/** Take the table's answer on who is signed in, and report a change. */
function heard(now) {
  const before = who;
  who = now;
  if (!isSignedIn(before)) return;
  if (me() === null) locked();
  else if (hasLapsed() !== (before.lapsed === true)) lapsed();
}

function headers() {
  return { "content-type": "application/json", "x-csrf": who?.csrf ?? "" };
}

function post(target, body) {
  return fetch(base + target, { method: "POST", headers: headers(), body: JSON.stringify(body) });
}

function address(target, more = {}) {
  const query = new URLSearchParams({ role: "manager", ...more });
  query.set("lang", document.documentElement.lang);
  return `${target}?${query}`;
}

async function answered(answer) {
  if (answer.status === 401) await check();
  const told = await answer.json().catch(() => ({}));
  return answer.ok || told.verdicts ? told : { problem: told.reason ?? "refused", says: told.detail ?? told.says ?? "" };
}

/** Send a GET request; resolves to the answer, or {problem, says}. */
export async function read(target, more) {
  return answered(await fetch(base + address(target, more)));
}

/** Send a POST request; resolves to the answer, or {problem, says}. */
export async function write(target, body) {
  return answered(await post(address(target), body));
}

export function foresee(command) {
  return write("/api/preview", { ...command, id: "look" });
}

/** Send one command. Resolves to {done, reason, says}: `says` is the reason of a refusal in words. */
export async function send(command) {
  return verdictOf(await write("/api/commands", { id: number(), ...command }));
}

/** Send a ruling with a second shift manager, {name, pin}. `wrong` in the answer: why that person is refused. */
export async function sendWith(second, command, id) {
  const told = await write("/api/rulings", { ruling: { ...command, id }, second });
  return told.verdicts ? verdictOf(told) : { done: false, wrong: told.says };
}

function verdictOf(told) {
  const verdict = told.verdicts?.[0];
  return { done: verdict?.verdict === "done", reason: verdict?.reason ?? told.problem, says: verdict?.says ?? told.says ?? "" };
}

// all pages of this browser share the session, which lasts while somebody uses one of them

const others = new BroadcastChannel("tablectl-session");
others.onmessage = () => check();

const ALIVE = 30_000; // least ms between two reports that somebody uses the page
let told = 0;

async function alive() {
  if (!me() || hasLapsed() || performance.now() - told < ALIVE) return;
  told = performance.now();
  const answer = await post("/session/alive", {}).catch(() => null);
  if (answer?.status === 401 || answer?.status === 403) check();
}

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, alive, { passive: true });

/** Check the session at the table, and take over a change. */
export async function check() {
  const asked = who;
  if (!me()) return;
  const answer = await fetch(`${base}/session`).catch(() => null);
  const told = answer?.ok ? await answer.json().catch(() => null) : null;
  if (told !== null && asked === who) heard(told); // not if somebody has signed in meanwhile
}
