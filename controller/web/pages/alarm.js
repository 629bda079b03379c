// The call for the shift manager: a sound, a notification, the page's title.
// Invariant: a fault calls until somebody has come. Muting silences this fault only, not the next.

import { mark } from "./dom.js";

const EVERY = 2500; // ms between two calls
const NOTES = [[660, 0], [880, 0.22], [660, 0.44]]; // pitch in Hz, start in s

let sounds = null; // AudioContext; browsers allow it after the first touch
let calling = null; // the fault that calls
let muted = null; // the fault that was muted
let slept = true; // true: before the last touch no sound was possible

function ready() {
  slept = isSilent();
  sounds ??= new AudioContext();
  if (sounds.state === "suspended") sounds.resume().catch(() => {});
}

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, ready, { passive: true });

/** Play the call once, quietly, for a person at the table who looks elsewhere. */
export function chime() {
  play(0.06);
}

export function play(loud = 0.25) {
  if (isSilent()) return;
  const volume = sounds.createGain();
  volume.connect(sounds.destination);
  for (const [pitch, after] of NOTES) {
    const tone = sounds.createOscillator();
    const at = sounds.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(loud, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.18);
    tone.connect(volume);
    tone.start(at);
    tone.stop(at + 0.2);
  }
}

setInterval(() => {
  if (calling !== null && calling !== muted) play();
}, EVERY);

/** Show a notification of the operating system if this page is not visible. */
export function tell(title, body, tag) {
  if (!document.hidden || !("Notification" in self) || Notification.permission !== "granted") return;
  try {
    new Notification(title, { body, tag, requireInteraction: true });
  } catch {} // phones have no `new Notification`
}

/** Call for this fault until this is called with null. A new fault also shows a notification. */
export function call(fault, title, text) {
  const fresh = fault !== null && fault !== calling;
  calling = fault;
  if (fresh && fault !== muted) play();
  if (fresh) tell(title, text, String(fault));
}

/** Mute the calling fault, or unmute it. If this touch has only just made sound possible, it does nothing else. */
export function mute() {
  if (!slept) muted = muted === calling ? null : calling;
}

/** True if no sound is possible: browsers play none on a page that nobody has touched since it was loaded. */
function isSilent() {
  return sounds?.state !== "running";
}

/** Draw the sound button, which shows if a fault would be heard. */
export function draw(button, words) {
  const [silent, off] = [isSilent(), calling !== null && muted === calling];
  for (const name of ["aria-label", "title"]) mark(button, name, silent ? words.sound_waits : off ? words.sound_off : words.sound_on);
  mark(button, "data-silent", silent);
  mark(button, "aria-pressed", String(off));
}

/** True if the user can still be asked to allow notifications. */
export function mayAsk() {
  return "Notification" in self && Notification.permission === "default";
}

export function askToNotify() {
  return Notification.requestPermission();
}
