// Race of hands: the progress of each hand, and the leader.
// Invariant: the progress of a hand is its total as sent by the table.

import { mark } from "./dom.js";

const FAR = 24; // points: the highest total with one card, so a full lane

/** Draw the hands within `felt` as a race if `on`, else remove the race. */
export function race(felt, on) {
  const hands = [...felt.querySelectorAll(".places .hand")];
  const totals = hands.map((hand) => Number(hand.parts.total.textContent));
  const top = Math.max(...totals);
  hands.forEach((hand, index) => {
    hand.style.setProperty("--run", on ? totals[index] / Math.max(top, FAR) : 0);
    mark(hand, "data-leads", on && top > 0 && totals[index] === top);
  });
}
