// What the shift manager's page says to the table, and who it is that says it.
// Invariant: whoever is signed out is told so at once; what was sent twice by accident is done once.

import { base } from "./base.js";
import { number } from "./number.js";

export const lang = new URLSearchParams(location.search).get("lang");

let who = null; // {table, role, name, csrf, lapsed}
export let left = false; // by signing out, not by being locked out
let badge = null; // what one is enough for
let locked = () => {};
let lapsed = () => {};

/** Call the one when the session is over, the other when it has lapsed or somebody is back. */
export function whenLocked(over, changed) {
  locked = over;
  lapsed = changed;
}

const isSignedIn = (one) => Boolean(one?.csrf) && one.role !== "dealer"; // whose screen nobody signs in at

/** Whoever is signed in; null: nobody. */
export function me() {
  return isSignedIn(who) ? who : null;
}

/** Whether they have to show their PIN again before they do anything. */
export function hasLapsed() {
  return me()?.lapsed === true;
}

/** What a badge is enough for here: "alone", "with_pin"; null: there are none. */
export const badgeIs = () => badge;

/** Ask the table who we are. */
export async function ask() {
  const answer = await fetch(`${base}/session`);
  if (answer.ok) who = await answer.json();
  badge = who?.badge ?? null;
  return me();
}

/** They are back, by PIN or badge. What was wrong, in words; empty where nothing was, or they had never left. */
export async function comeBack(said) {
  if (!hasLapsed()) return "";
  const error = await signIn(said.badge === undefined ? { ...said, name: me().name } : said);
  if (error === "") lapsed();
  return error;
}

/** Sign in. What was wrong, in words; empty where nothing was. */
export async function signIn(said) {
  const answer = await post(`/session?lang=${document.documentElement.lang}`, said);
  const told = await answer.json();
  if (answer.ok) {
    [who, left] = [told, false];
    others.postMessage("changed");
  }
  return answer.ok ? "" : told.detail;
}

/** Sign out: until it is heard, who reloads the page would be they. */
export async function signOut() {
  const said = { method: "DELETE", headers: headers() };
  const tell = () => fetch(`${base}/session`, said).catch(() => setTimeout(tell, 1000));
  await tell();
  others.postMessage("changed");
  left = true;
  heard(null);
}

/** Who we are by now. */
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

/** Something to be read; {problem, says} where it cannot be had. */
export async function read(target, more) {
  return answered(await fetch(base + address(target, more)));
}

/** Something to be done; {problem, says} where it cannot be. */
export async function write(target, body) {
  return answered(await post(address(target), body));
}

/** What a ruling would lead to. */
export function foresee(command) {
  return write("/api/preview", { ...command, id: "look" });
}

/** Send one command. What the table would not do, in words; empty where it is done. */
export async function send(command) {
  return verdictOf(await write("/api/commands", { id: number(), ...command }));
}

/** Send a ruling that another shift manager makes too: {name, pin}. `wrong`: why it is not they. */
export async function sendWith(second, command, id) {
  const told = await write("/api/rulings", { ruling: { ...command, id }, second });
  return told.verdicts ? verdictOf(told) : { done: false, wrong: told.says };
}

function verdictOf(told) {
  const verdict = told.verdicts?.[0];
  return { done: verdict?.verdict === "done", reason: verdict?.reason ?? told.problem, says: verdict?.says ?? told.says ?? "" };
}

// the session is that of all pages of this browser, and goes on while somebody is there

const others = new BroadcastChannel("tablectl-session");
others.onmessage = () => check();

const ALIVE = 30_000; // ms
let told = 0;

async function alive() {
  if (!me() || hasLapsed() || performance.now() - told < ALIVE) return;
  told = performance.now();
  const answer = await post("/session/alive", {}).catch(() => null);
  if (answer?.status === 401 || answer?.status === 403) check();
}

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, alive, { passive: true });

/** Whether the session still is as it was; where it is not, it is so no more here as well. */
export async function check() {
  const asked = who;
  if (!me()) return;
  const answer = await fetch(`${base}/session`).catch(() => null);
  const told = answer?.ok ? await answer.json().catch(() => null) : null;
  if (told !== null && asked === who) heard(told); // else they have come back meanwhile
}
