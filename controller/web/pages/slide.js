// Animation of cards: a new card slides from the corner of the shoe and is turned over at its place; a face-down card
// is turned over where it lies.
// Invariant: a card is drawn at its place before it moves, so that nothing else moves.

const filled = (slot) => slot !== undefined && slot.firstElementChild !== null;
const isBack = (slot) => slot.firstElementChild.classList.contains("back");
const rows = (felt) => [...felt.querySelectorAll(".cards")];
const lie = (row) => [...row.children].map((slot) => (filled(slot) ? (isBack(slot) ? "back" : "face") : "empty"));

let shoe = "right"; // side of the shoe
let width = 0; // width of the picture
let places = new Map(); // by row: rectangles of its slots

/** Store the places of the slots. Call this before drawing: after it, the browser would have to lay out everything
 *  again. */
export function measure(felt) {
  shoe = getComputedStyle(document.body).getPropertyValue("--shoe").trim();
  width = innerWidth;
  places = new Map(rows(felt).map((row) => [row, [...row.children].map((slot) => slot.getBoundingClientRect())]));
}

/** Call `draw`, and animate the cards within `felt` that are new after it. A new row is not animated. */
export function slide(felt, draw) {
  const before = new Map(rows(felt).map((row) => [row, lie(row)]));
  draw();
  for (const [row, was] of before) {
    [...row.children].forEach((slot, index) => {
      if (!filled(slot)) return;
      if (was[index] === "back" && !isBack(slot)) slot.dataset.moves = "turns";
      else if ((was[index] ?? "empty") === "empty") send(slot, places.get(row)?.[index] ?? slot.getBoundingClientRect());
    });
  }
}

const WAY = 480; // ms of the animation
const still = matchMedia("(prefers-reduced-motion: reduce)");

function send(slot, { left, right, bottom }) {
  slot.style.setProperty("--from-x", `${shoe === "left" ? -right : width - left}px`);
  slot.style.setProperty("--from-y", `${-bottom}px`);
  slot.dataset.moves = "comes";
  const unseen = [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }]; // hidden until the card is turned over
  if (!still.matches) slot.closest(".hand").parts.total.animate(unseen, WAY);
}
