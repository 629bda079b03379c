// Hands that run against each other: how far each has come, and which one leads.
// Invariant: how far it has come is its total, as the table tells it.

import { mark } from "./dom.js";

const FAR = 24; // points: what one card can bring a hand to

/** Draw the hands within `felt` as a race, or take that away. */
export function race(felt, on) {
  const hands = [...felt.querySelectorAll(".places .hand")];
  const totals = hands.map((hand) => Number(hand.parts.total.textContent));
  const top = Math.max(...totals);
  hands.forEach((hand, index) => {
    hand.style.setProperty("--run", on ? totals[index] / Math.max(top, FAR) : 0);
    mark(hand, "data-leads", on && top > 0 && totals[index] === top);
  });
}
