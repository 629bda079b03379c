// The last messages of a table's devices, and the request for them.
// Invariant: a withheld message is shown as withheld, never left out.

import { make } from "./dom.js";
import { time } from "./stream.js";
import { read } from "./talk.js";

/** Lines of the messages, the latest first, at most `most`. */
export function frames(told, words, most) {
  return told.slice(0, most).map((frame) =>
    make("li", {}, make("time", {}, time(frame.at)), make("span", {}, (words[frame.said] ?? frame.said) + (frame.draw ? ` #${frame.draw}` : "")),
      frame.bytes === null ? make("i", {}, words.withheld) : make("code", {}, frame.bytes)),
  );
}

/** Request the state of the table's devices. */
export function devices() {
  return read("/api/devices");
}
