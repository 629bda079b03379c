// A number for a command.
// Invariant: no two are the same, so that what is sent twice is done once.

export function number() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
