// Sounds for the calls that concern the viewer: one for each call, and one more for each further level.
// Invariant: a call that somebody has claimed rings for nobody else.

import { play, tell } from "./alarm.js";
import { at, say } from "./dom.js";

const APART = 1500; // least ms between two sounds

let heard = new Map(); // by call: the level that has been heard
let rung = -Infinity; // time of the last sound

export const NEW = 3; // priority of a call at its first level
const GRAVEST = 3; // level from which a call has the highest priority

/** Priority of a call: 1 for a halted table or from the third level on, 2 at the second level, 3 for a new call. */
export const priority = ({ code, level }) => (code === "halted" || level >= GRAVEST ? 1 : level === 2 ? 2 : NEW);

/** Ring for calls that are new, or have reached a further level. */
export function hear(calls, words) {
  const mine = calls.filter((strip) => strip.mine && strip.call.claim === null);
  const key = ({ table, call }) => `${table} ${call.seq} ${call.since}`;
  const fresh = mine.filter((strip) => strip.call.level > (heard.get(key(strip)) ?? 0));
  heard = new Map(calls.map((strip) => [key(strip), Math.max(strip.call.level, heard.get(key(strip)) ?? 0)]));
  if (fresh.length === 0) return;
  const [{ table, call }] = fresh;
  const title = fresh.length === 1 ? `${table}: ${call.head}` : words.fresh_calls.replace("{count}", fresh.length);
  say(at(".announce"), title);
  ring(Math.max(...fresh.map((strip) => strip.call.level)), title, call.text);
}

/** Play the sound as many times as the level says, once for all calls that come together, and show a notification. */
function ring(level, title, text) {
  if (performance.now() - rung > APART) for (let turn = 0; turn < Math.min(level, 3); turn += 1) setTimeout(play, turn * 900);
  rung = Math.max(rung, performance.now());
  tell(title, text, "tablectl");
}

/** Forget what was heard, so that the next person hears all calls. */
export function forget() {
  heard.clear();
  say(at(".announce"), "");
}
