// Cards on their way: a new one slides from the corner where the shoe stands and is turned there; one that lay face
// down is turned where it lies.
// Invariant: they are drawn where they belong before they move, so that nothing else does.

const filled = (slot) => slot !== undefined && slot.firstElementChild !== null;
const isBack = (slot) => slot.firstElementChild.classList.contains("back");
const rows = (felt) => [...felt.querySelectorAll(".cards")];
const lie = (row) => [...row.children].map((slot) => (filled(slot) ? (isBack(slot) ? "back" : "face") : "empty"));

let shoe = "right"; // where it stands
let width = 0; // of the picture
let places = new Map(); // of the cards in each row

/** Remember where cards come to lie: before anything is drawn that costs nothing, after it all would be laid out once
 *  more. */
export function measure(felt) {
  shoe = getComputedStyle(document.body).getPropertyValue("--shoe").trim();
  width = innerWidth;
  places = new Map(rows(felt).map((row) => [row, [...row.children].map((slot) => slot.getBoundingClientRect())]));
}

/** Draw what there is by `draw`, and let the cards within `felt` move that have come by it. A row that was not there
 *  before stands still. */
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

const WAY = 480; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");

function send(slot, { left, right, bottom }) {
  slot.style.setProperty("--from-x", `${shoe === "left" ? -right : width - left}px`);
  slot.style.setProperty("--from-y", `${-bottom}px`);
  slot.dataset.moves = "comes";
  const unseen = [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }]; // before the card is turned
  if (!still.matches) slot.closest(".hand").parts.total.animate(unseen, WAY);
}
