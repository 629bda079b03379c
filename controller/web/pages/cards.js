// Cards: rank and suit large, the same drawing on every page. The style of the place sets the size.
// Invariant: a card is a picture with a name, which is part of the screen.

import { make, svg } from "./dom.js";

const SUITS = {
  S: "M50 5C58 25 92 39 92 62 92 76 82 84 71 84 63 84 57 80 54 74 54 82 58 90 65 95L35 95C42 90 46 82 46 74 43 80 37 84 29 84 18 84 8 76 8 62 8 39 42 25 50 5Z",
  H: "M50 93C43 78 7 58 7 32 7 17 17 8 29 8 39 8 47 15 50 25 53 15 61 8 71 8 83 8 93 17 93 32 93 58 57 78 50 93Z",
  D: "M50 4C57 21 70 38 85 50 70 62 57 79 50 96 43 79 30 62 15 50 30 38 43 21 50 4Z",
  C: "M50 5A21 21 0 0 1 66 40A21 21 0 1 1 54 69C54 80 58 89 65 95L35 95C42 89 46 80 46 69A21 21 0 1 1 34 40A21 21 0 0 1 50 5Z",
};

export function suit(name, attributes = {}) {
  return svg("path", { d: SUITS[name], ...attributes });
}

const placed = (x, y, size) => ({ transform: `translate(${x} ${y}) scale(${size})` });
const COURT = {
  J: "M16 78L22 40 42 52 58 26 62 52 84 44 84 78Z",
  Q: "M14 78L10 36 34 54 50 22 66 54 90 36 86 78Z",
  K: "M12 78L6 30 30 48 42 34V24H34V14H42V6H58V14H66V24H58V34L70 48 94 30 88 78Z",
}; // headgear: a cap, a queen's crown, a crown with a cross

/** Middle of a face: a large suit; on a court card a frame with its headgear over the suit. */
function middle(face) {
  if (!(face.rank in COURT)) return [suit(face.suit, placed(40, 76, 0.54))];
  const frame = svg("rect", { class: "court", x: 44, y: 50, width: 51, height: 84, rx: 5 });
  return [frame, svg("path", { d: COURT[face.rank], ...placed(46.5, 51, 0.46) }), suit(face.suit, placed(48.5, 90, 0.42))];
}

/** One card. `face`: {card, rank, suit, name}; without a rank it is a back. */
export function card(face) {
  const colour = "DH".includes(face.suit) && face.suit ? "red" : "black";
  const element = make(face.rank ? `div.card.${colour}` : "div.card.back", { role: "img", "aria-label": face.name });
  if (!face.rank) return element;
  const rank = svg("text", face.rank.length > 1 ? { x: 3, y: 44, class: "long" } : { x: 8, y: 45 }, face.rank);
  const marks = face.suit ? [suit(face.suit, { class: "index", ...placed(9, 52, 0.34) }), ...middle(face)] : [];
  element.append(svg("svg", { class: "face", viewBox: "0 0 100 140", "aria-hidden": "true" }, rank, ...marks));
  return element;
}
