// What the devices of a table told last, and where to ask for it.
// Invariant: a frame that is withheld is there, never left out.

import { make } from "./dom.js";
import { time } from "./stream.js";
import { read } from "./talk.js";

/** The frames, the latest first; at most so many. */
export function frames(told, words, most) {
  return told.slice(0, most).map((frame) =>
    make("li", {}, make("time", {}, time(frame.at)), make("span", {}, (words[frame.said] ?? frame.said) + (frame.draw ? ` #${frame.draw}` : "")),
      frame.bytes === null ? make("i", {}, words.withheld) : make("code", {}, frame.bytes)),
  );
}

/** Ask the table for its devices. */
export function devices() {
  return read("/api/devices");
}
