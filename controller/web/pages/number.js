// Id for a command.
// Invariant: no two ids are equal, so that a command sent twice is carried out once.

export function number() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
