// The places of a table with their hands, for any page that shows them.
// Invariant: a place keeps its size whatever cards lie on it.

import { card } from "./cards.js";
import { list, make, mark, say, show } from "./dom.js";

/** Draw the cards of a hand in order, then stray cards. `room`: number of slots, drawn empty without a card. Indexes:
 *  `lifted` of cards that form the ranked hand, `wrong` of cards at fault, `alike` of a duplicate's other copies. */
function hand(row, { cards: own, strays = [], lifted, wrong = [], alike = [] }, room) {
  const cards = [...own, ...strays];
  const slots = Array.from({ length: Math.max(cards.length, room) }, (_, index) => ({ index, ...cards[index] }));
  mark(row, "data-room", room);
  mark(row, "data-lifts", lifted.length > 0);
  mark(row, "data-either", wrong.length > 1); // only one of them is at fault: the note says so
  list(
    row,
    slots,
    (slot) => (slot.name ? `${slot.index} ${slot.card} ${slot.name}` : `${slot.index}`),
    (slot) => (slot.name ? make("div.slot", {}, card(slot)) : make("div.slot.empty")),
    (element, slot) => {
      mark(element, "data-lifted", lifted.includes(slot.index));
      mark(element, "data-wrong", wrong.includes(slot.index));
      mark(element, "data-alike", alike.includes(slot.index));
      mark(element, "data-stray", slot.index >= own.length && slot.index < cards.length);
    },
  );
}

function makeHand() {
  const element = make("div.hand");
  element.parts = {
    name: make("span.name"),
    count: make("span.count"),
    sign: make("span.sign", { "aria-hidden": "true" }),
    cards: make("div.cards"),
    total: make("span.total"),
    said: make("span.said"),
    result: make("span.result"),
  };
  const { name, count, sign, cards, total, said, result } = element.parts;
  element.append(make("div.head", {}, name, count, sign), total, cards, make("div.foot", {}, said, result));
  return element;
}

function drawHand(element, shown, place) {
  const { name, count, sign, cards, total, said, result } = element.parts;
  mark(element, "data-stack", place.stack);
  mark(element, "data-due", shown.due);
  mark(element, "data-seen", Boolean(shown.strays));
  mark(element, "data-noted", Boolean(shown.note));
  mark(element, "data-asked", shown.asked);
  mark(element, "data-won", shown.won);
  mark(element, "data-lost", shown.lost);
  mark(said.parentElement, "data-formed", shown.formed || null);
  mark(element, "data-void", shown.void);
  mark(element, "data-over", shown.result !== "");
  say(name, shown.name);
  say(count, place.stack && shown.cards.length ? `×${shown.cards.length}` : "");
  say(sign, shown.note ?? (shown.asked ? "?" : shown.due ? "↓" : ""));
  cards.classList.toggle("fan", place.seat);
  hand(cards, shown, place.stack ? 1 : place.room);
  say(total, shown.total);
  say(said, shown.said);
  say(result, shown.result);
}

function drawPlace(element, place) {
  mark(element, "data-place", place.place);
  mark(element, "data-empty", !place.taken);
  mark(element, "data-hands", place.hands.length);
  list(element, place.hands, (shown) => shown.place, makeHand, (child, shown) => drawHand(child, shown, place));
}

/** Draw all places, the seats in a row of their own. Marks for styles are set on the container, because `:has` in a
 *  style would make the browser search all places with each card. */
export function felt(places, element) {
  const [others, seats] = element.children;
  const key = (place) => place.place;
  const create = () => make("div.place");
  const common = places.filter((place) => !place.seat);
  mark(element, "data-stacks", places.some((place) => place.stack));
  mark(others, "data-decided", common.some((place) => place.hands.some((shown) => shown.won)));
  list(others, common, key, create, drawPlace);
  list(seats, places.filter((place) => place.seat), key, create, drawPlace);
  show(seats, places.some((place) => place.seat));
}
