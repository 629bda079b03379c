// The calls that whoever looks has to hear: each once, and once more a level.
// Invariant: what somebody is coming for already calls nobody else.

import { play, tell } from "./alarm.js";
import { at, say } from "./dom.js";

const APART = 1500; // ms between two calls that are heard

let heard = new Map(); // levels, by call
let rung = -Infinity; // when, last

export const NEW = 3; // the priority of a call that nobody was called to again
const GRAVEST = 3; // levels: whoever was to come did not, twice

/** How urgent a call is: 1 for a halted table and for one called again and again, 2 called again, 3 new. */
export const priority = ({ code, level }) => (code === "halted" || level >= GRAVEST ? 1 : level === 2 ? 2 : NEW);

/** Let those be heard that are new, or have risen. */
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

/** Once for a call, as often as its level says; where many come at once, for all of them. It is told outside of the page
 *  too. */
function ring(level, title, text) {
  if (performance.now() - rung > APART) for (let turn = 0; turn < Math.min(level, 3); turn += 1) setTimeout(play, turn * 900);
  rung = Math.max(rung, performance.now());
  tell(title, text, "tablectl");
}

/** Leave them: whoever comes hears them anew. */
export function forget() {
  heard.clear();
  say(at(".announce"), "");
}
