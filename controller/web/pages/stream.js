// The screen, as it comes: pictures, and how long it has been silent.
// Invariant: a page never looks alive when it is not. It counts from the table's time, by a clock nobody can set.

import { base } from "./base.js";
import { mark } from "./dom.js";

const SILENT = 3_000; // ms without a word, of which one comes each second: the line is gone, whatever the browser thinks
const AGAIN = 3_000; // ms for an attempt

/** Follow the event stream at an address. `hear`: what is done with each kind of event; `stale(time)`, once: the line has been
 *  gone since then, or from the beginning (null); `stale(false)`: it is there. `refused(text)`: this browser is not let
 *  in, for that reason. */
export class Line {
  #source = null;
  #heard = performance.now();
  #tried = 0;
  #ahead = 0; // of the table's time over performance.now(), in ms
  #last = null; // the table's time, when it was heard last
  #gone = null; // whether the line is, as it was told last
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

  /** Follow it no more. */
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

  /** Why there is no stream: the answer says so. */
  async #ask() {
    const stop = new AbortController();
    try {
      const answer = await fetch(this.address, { signal: stop.signal });
      if (!answer.ok) this.refused?.((await answer.json()).detail);
    } catch {
      return; // nobody is there
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

  /** It is a picture for pages of that version, in that language. */
  #isOf({ version, lang }) {
    if (this.#version !== null && this.#version !== version) location.reload();
    this.#version = version;
    mark(document.documentElement, "lang", lang); // to write even the same is to find all styles anew
  }

  #look() {
    const now = performance.now();
    const closed = this.#source.readyState === EventSource.CLOSED; // it will not try again by itself
    if (now - this.#heard < SILENT && !closed) return;
    this.#tell(true);
    if (now - this.#tried > AGAIN) this.#open();
  }
}

/** Follow the table. `draw(screen, told)`: called with each screen, and the messages beside it. */
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

/** A time of day, as it is where the screen stands. */
export function time(at) {
  return new Date(at).toLocaleTimeString("en-GB");
}

/** Seconds as 0:07. */
export function span(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
