// The call for the shift manager: a sound, a notification, the page's title.
// Invariant: a fault is heard until somebody has come; who mutes it mutes this fault, not the next.

import { mark } from "./dom.js";

const EVERY = 2500; // ms
const NOTES = [[660, 0], [880, 0.22], [660, 0.44]]; // Hz, and when, in s

let sounds = null; // the browser gives it at the first touch
let calling = null; // the fault that calls
let muted = null; // the fault that was muted
let slept = true; // whether nothing could be heard until the last touch

function ready() {
  slept = isSilent();
  sounds ??= new AudioContext();
  if (sounds.state === "suspended") sounds.resume().catch(() => {});
}

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, ready, { passive: true });

/** Once and quietly: for who is at the table and looks elsewhere. */
export function chime() {
  play(0.06);
}

/** Let the call be heard once. */
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

/** Tell it outside of the page, where nobody looks at this one. */
export function tell(title, body, tag) {
  if (!document.hidden || !("Notification" in self) || Notification.permission !== "granted") return;
  try {
    new Notification(title, { body, tag, requireInteraction: true });
  } catch {} // a phone has them in another way
}

/** Call for this fault, until called with null. A new one is also told outside of the page. */
export function call(fault, title, text) {
  const fresh = fault !== null && fault !== calling;
  calling = fault;
  if (fresh && fault !== muted) play();
  if (fresh) tell(title, text, String(fault));
}

/** Mute the fault that calls, or let it be heard again; with none there is nothing to mute. A touch that woke the sound
 *  does no more. */
export function mute() {
  if (!slept) muted = muted === calling ? null : calling;
}

/** Whether nothing can be heard: a browser plays no sound on a page that nobody has touched since it was loaded. */
function isSilent() {
  return sounds?.state !== "running";
}

/** Draw the button: whether a fault would be heard. */
export function draw(button, words) {
  const [silent, off] = [isSilent(), calling !== null && muted === calling];
  for (const name of ["aria-label", "title"]) mark(button, name, silent ? words.sound_waits : off ? words.sound_off : words.sound_on);
  mark(button, "data-silent", silent);
  mark(button, "aria-pressed", String(off));
}

/** Whether the browser could be asked to tell of faults outside of the page. */
export function mayAsk() {
  return "Notification" in self && Notification.permission === "default";
}

export function askToNotify() {
  return Notification.requestPermission();
}
