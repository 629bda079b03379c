// The cards on the table for the shift manager, each with the number of its draw; cards at fault are marked.
// Invariant: a card can be touched only while a ruling asks for a card.

import { card } from "./cards.js";
import { list, make, mark, say, show } from "./dom.js";

function makeCard(item) {
  const kind = item.pick ? "button.lying" : "div.lying";
  const element = make(kind, item.pick ? { type: "button" } : {}, card(item.face), make("span.number", {}, make("i", {}, "#"), String(item.draw)));
  if (item.pick) element.addEventListener("click", () => item.pick(item.draw));
  if (item.wrong && !item.many) element.append(make("span.wrong", { "aria-hidden": "true" }, "!"));
  return element;
}

function drawCards(row, items) {
  const many = items.filter((item) => item.wrong).length > 1; // only one of them is at fault: the note says so
  const key = (item) => [item.draw, item.face.card, item.face.name, Boolean(item.pick), item.wrong, item.many].join(" ");
  list(row, many ? items.map((item) => ({ ...item, many })) : items, key, makeCard, (element, item) => {
    mark(element, "data-wrong", item.wrong);
    mark(element, "data-alike", item.alike);
    mark(element, "data-stray", item.stray);
    mark(element, "data-chosen", item.chosen);
    if (item.pick) mark(element, "aria-pressed", String(item.chosen));
  });
}

/** Every card on the table, with the number of its draw. */
export function cards(screen) {
  const placed = screen.places.flatMap((place) =>
    place.hands.flatMap((hand) =>
      hand.cards.map((face, index) => ({ draw: screen.draws[hand.place]?.[index], face, at: hand.name })),
    ),
  );
  return [...placed, ...screen.loose.map((one) => ({ draw: one.draw, face: one.face, at: one.at }))];
}

/** Draw the cards. `asked`: {draws, chosen, pick} while a ruling asks for a card. */
export function lie(screen, words, asked, { felt, loose }) {
  const drawn = (draw, face) => ({
    draw,
    face,
    wrong: Boolean(screen.fault?.cards.includes(draw)),
    alike: Boolean(screen.fault?.alike.includes(draw)),
    chosen: asked?.chosen === draw,
    pick: asked?.draws.includes(draw) ? asked.pick : null,
  });
  const strays = (place) => screen.loose.filter((one) => one.place === place);
  const taken = screen.places.filter((place) => place.taken || place.hands.some((hand) => strays(hand.place).length));
  const hands = taken.flatMap(({ stack, hands }) => hands.map((hand) => ({ ...hand, stack })));
  const columns = (most, less) => (hands.length % most === 1 ? less : most); // avoids a row with a single hand
  felt.style.setProperty("--wide", columns(4, 3));
  felt.style.setProperty("--narrow", columns(3, 4));
  const create = () => make("div.spot", {}, make("div.head", {}, make("span.name"), make("span.total")), make("div.row"), make("p.foot", {}, make("span"), make("span")));
  list(felt, hands, (hand) => hand.place, create, (element, hand) => {
    const [head, row, foot] = element.children;
    mark(element, "data-stack", hand.stack);
    mark(element, "data-due", hand.due);
    mark(element, "data-void", hand.void);
    mark(element, "data-place", hand.place);
    mark(element, "data-seen", strays(hand.place).length > 0);
    mark(element, "data-noted", Boolean(hand.note));
    say(head.children[0], hand.name);
    say(head.children[1], hand.total);
    const own = hand.cards.map((face, index) => drawn(screen.draws[hand.place]?.[index], face));
    const others = strays(hand.place).map((one) => ({ ...drawn(one.draw, one.face), stray: true }));
    drawCards(row, [...own, ...others]);
    say(foot.children[0], [hand.note, hand.said].filter(Boolean).join(" · "));
    say(foot.children[1], hand.result);
  });
  const unseen = screen.loose.filter((one) => one.place === "");
  show(loose, unseen.length > 0);
  say(loose.children[0], screen.fault?.loose ?? words.loose);
  drawCards(loose.children[1], unseen.map((one) => drawn(one.draw, one.face)));
}
