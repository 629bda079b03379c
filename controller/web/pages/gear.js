// The devices: their state and figures, and the shoe's last messages.

import { dress, make, mark } from "./dom.js";
import { devices, frames } from "./frames.js";
import { date, time } from "./stream.js";
import { tenths } from "./tenths.js";

function figure(name, value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value));
}

function device(one, screen, words) {
  const { health } = one;
  const state = one.present === null ? words.unknown : one.present ? words.there : words.lost;
  const since = health.since ? ` ${words.since} ${time(health.since)}` : "";
  const name = screen.devices.find((known) => known.device === one.device.name)?.name ?? one.device.name;
  const figures = [figure(words.model, one.device.model), figure(words.where, health.address || one.device.where)];
  if (one.device.name === "shoe") {
    const rate = health.misread_rate === null ? "–" : tenths(health.misread_rate * 1000);
    figures.push(figure(words.read, String(health.read)), figure(words.misreads, rate), figure(words.unread, String(health.unread)),
      figure(words.corrected, String(health.corrected)), figure(words.reader_faults, String(health.faults)));
  }
  figures.push(figure(words.losses, String(health.losses)));
  const element = make("section.device", {}, make("h3", {}, name), make("p.state", {}, state + since),
    ...(one.present === false && health.reason ? [make("p.reason", {}, health.reason)] : []), make("dl", {}, ...figures));
  mark(element, "data-there", one.present === null ? "unknown" : String(one.present));
  return element;
}

let sheet = null; // promise of the loaded style sheet

/** Draw the whole view. */
export async function gear(view, screen, words) {
  const [told, came] = await Promise.all([devices().catch(() => ({ says: words.gone })), (sheet ??= dress("devices"))]);
  if (!came) sheet = null; // try again next time
  if (!told?.devices) return view.replaceChildren(make("p.empty", { role: "alert" }, told?.says ?? words.gone));
  const counted = told.since ? [make("p.small", {}, words.counted.replace("{time}", `${date(told.since, "en-GB")}, ${time(told.since)}`))] : [];
  view.replaceChildren(
    make("h2", {}, words.devices), make("div.devices", {}, ...told.devices.map((one) => device(one, screen, words))), ...counted,
    make("section.frames", {}, make("h2", {}, words.frames), told.frames.length ? make("ol", {}, ...frames(told.frames, words, 24)) : make("p.empty", {}, words.no_frames)),
  );
}
