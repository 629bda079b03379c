// Event stream of screens, with a watch for silence.
// Invariant: a page never looks alive when it is not. Its time is the table's, counted by a clock that nobody can set.

import { base } from "./base.js";
import { mark } from "./dom.js";

const SILENT = 3_000; // ms without an event after which the line counts as down; a beat comes each second
const AGAIN = 3_000; // ms for an attempt to connect

/** Event stream at an address. `hear`: handler of each kind of event. `stale(time)`: called once when the line is down
 *  since then, or from the beginning (null); `stale(false)`: it is up. `refused(text)`: called with the reason if this
 *  browser is refused. */
export class Line {
  #source = null;
  #heard = performance.now();
  #tried = 0;
  #ahead = 0; // ms by which the table's time is ahead of performance.now()
  #last = null; // the table's time in the last event
  #gone = null; // true: the line is down, as last reported
  #version = null;
  #looking = 0;

  constructor(path, query, hear, stale, refused) {
    const lang = new URLSearchParams(location.search).get("lang");
    this.address = `${path}?${new URLSearchParams(lang === null ? query : { ...query, lang })}`;
    this.hear = hear;
    this.stale = stale;
    this.refused = refused;
    this.#open();
    this.#looking = setInterval(() => this.#look(), 250);
  }

  close() {
    clearInterval(this.#looking);
    this.#source.close();
  }

  /** The table's time, in ms since 1970. */
  get now() {
    return performance.now() + this.#ahead;
  }

  #open() {
    this.#source?.close();
    this.#tried = performance.now();
    this.#source = new EventSource(this.address);
    for (const kind of ["beat", ...Object.keys(this.hear)]) this.#source.addEventListener(kind, (event) => this.#hear(event, kind));
    this.#source.addEventListener("error", () => this.#lost());
  }

  #tell(gone) {
    if (this.#gone === gone) return;
    this.#gone = gone;
    this.stale(gone ? this.#last : false);
  }

  #lost() {
    this.#tell(true);
    if (this.#last === null && this.#source.readyState === EventSource.CLOSED) this.#ask();
  }

  /** Request the reason why there is no stream. */
  async #ask() {
    const stop = new AbortController();
    try {
      const answer = await fetch(this.address, { signal: stop.signal });
      if (!answer.ok) this.refused?.((await answer.json()).detail);
    } catch {
      return; // no answer at all
    } finally {
      stop.abort();
    }
  }

  #hear(event, kind) {
    const told = JSON.parse(event.data);
    this.#heard = performance.now();
    this.#last = Date.parse(told.now);
    this.#ahead = this.#last - this.#heard;
    this.#tell(false);
    if (told.version !== undefined) this.#isOf(told);
    this.hear[kind]?.(told);
  }

  /** Reload the page if the screen is for pages of another version; set language and time zone. */
  #isOf({ version, lang, zone: timeZone }) {
    try {
      zone = Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
    } catch {} // not known here
    if (this.#version !== null && this.#version !== version) location.reload();
    this.#version = version;
    mark(document.documentElement, "lang", lang); // sets only another value, as even an equal one costs new styles
  }

  #look() {
    const now = performance.now();
    const closed = this.#source.readyState === EventSource.CLOSED; // the browser does not reconnect by itself then
    if (now - this.#heard < SILENT && !closed) return;
    this.#tell(true);
    if (now - this.#tried > AGAIN) this.#open();
  }
}

/** Stream of a table's screens. `draw(screen, told)`: called with each screen, and the whole event. */
export class Table extends Line {
  constructor(role, draw, stale, refused) {
    super(`${base}/api/screen`, { role }, { screen: (told) => draw(told.screen, told) }, stale, refused);
  }
}

/** Call `tick` about four times a second, on whole quarter seconds. */
export function ticking(tick) {
  const turn = () => {
    tick();
    setTimeout(turn, 250 - (performance.now() % 250));
  };
  turn();
}

let zone; // of the studio's clocks; undefined: that of this browser

/** Format a time of day by the studio's clocks. */
export const time = (at) => new Date(at).toLocaleTimeString("en-GB", { timeZone: zone });

/** Format a day by the studio's clocks. */
export const date = (at, lang, options) => new Date(at).toLocaleDateString(lang, { ...options, timeZone: zone });

export function span(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Format a time within a round: +0:04.2. */
export function offset(seconds) {
  return `+${span(seconds)}.${Math.floor(seconds * 10) % 10}`;
}
