// Cards on their way: a new one slides from the corner where the shoe stands and is turned there; one that lay face
// down is turned where it lies.
// The one rule: they are drawn where they belong before they move, so that nothing else does.

const filled = (slot) => slot !== undefined && slot.firstElementChild !== null;
const isBack = (slot) => slot.firstElementChild.classList.contains("back");
const lie = (row) => [...row.children].map((slot) => (filled(slot) ? (isBack(slot) ? "back" : "face") : "empty"));

/** Draw what there is by `draw`, and let the cards within `felt` move that have come by it. A row that was not there
 *  before stands still. */
export function slide(felt, draw) {
  const before = new Map([...felt.querySelectorAll(".cards")].map((row) => [row, lie(row)]));
  draw();
  for (const [row, was] of before) {
    [...row.children].forEach((slot, index) => {
      if (!filled(slot)) return;
      if (was[index] === "back" && !isBack(slot)) slot.dataset.moves = "turns";
      else if ((was[index] ?? "empty") === "empty") send(slot);
    });
  }
}

const WAY = 480; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");

function send(slot) {
  const { left, right, bottom } = slot.getBoundingClientRect();
  const shoe = getComputedStyle(document.body).getPropertyValue("--shoe").trim();
  slot.style.setProperty("--from-x", `${shoe === "left" ? -right : innerWidth - left}px`);
  slot.style.setProperty("--from-y", `${-bottom}px`);
  slot.dataset.moves = "comes";
  const unseen = [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }]; // before the card is turned
  if (!still.matches) slot.closest(".hand").parts.total.animate(unseen, WAY);
}
