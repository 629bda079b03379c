// Fields for a day, with an optional time, in search forms.
// Invariant: a day without a time is the whole day; a time without a day is on the other field's day, or today.

import { make } from "./dom.js";
import { date } from "./stream.js";

/** Fields for the day (`name`) and the time (`name` with `_at`); `text`: label of the time. */
export function day(name, text) {
  const long = "9999-12-31"; // else a year may have six digits, and takes digits of the time that is typed next
  return make("div.day", {}, make("input", { name, type: "date", max: long }), make("input", { name: `${name}_at`, type: "time", "aria-label": text }));
}

/** Write a time into both fields. */
export function fill({ elements }, name, time) {
  [elements[name].value, elements[`${name}_at`].value] = time.split("T");
}

/** Read a form: all fields that are not empty, with `from` and `to` as times. */
export function asked(form) {
  const { from, from_at, to, to_at, ...others } = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  const begin = from ?? (from_at && (to ?? today()));
  const end = to ?? (to_at && (from ?? today()));
  return { ...others, ...(begin && { from: `${begin}T${from_at ?? "00:00"}` }), ...(end && { to: to_at ? `${end}T${to_at}` : `${after(end)}T00:00` }) };
}

const today = () => date(Date.now(), "en-CA"); // such as 2026-01-31

function after(day) {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
