// Questions of a ruling before it can be made: which draw, which card, which place, whether it was seen.
// Invariant: the present answer is marked; a touch of another answer replaces it.

import { suit } from "./cards.js";
import { make, mark, svg } from "./dom.js";
import { cards } from "./lie.js";

/** Button of a choice; `chosen`: it is the present one. */
export function choice(text, chosen, act) {
  const button = make("button.choice", { type: "button", "aria-pressed": String(chosen) }, ...[text].flat());
  button.addEventListener("click", act);
  return button;
}

/** Group of buttons with a label. */
export function group(kind, label, ...children) {
  return make(`div.${kind}`, { role: "group", "aria-label": label }, make("p.label", {}, label), make("div.choices", {}, ...children));
}

function drawsOf(made, screen, words, answer, changed) {
  if (made.draw !== null && made.ruling.draws.length < 2) return null;
  const known = cards(screen).filter((one) => made.ruling.draws.includes(one.draw));
  const chips = known.map((one) => {
    const text = [make("b", {}, `#${one.draw}`), ` ${one.face.card ? one.face.rank : one.face.name}`, one.at ? ` ${one.at}` : ""];
    if (one.face.suit) text.splice(2, 0, symbol(one.face.suit));
    return choice(text, made.draw === one.draw, () => answer({ draw: one.draw, wide: false }));
  });
  const wide = made.draw === null || made.wide;
  const others = choice(words.another, false, () => { made.wide = true; changed(); });
  const element = group("draws", words.which_draw, ...chips, ...(wide ? [] : [others]));
  mark(others, "data-others", true);
  mark(element, "data-wide", wide);
  return element;
}

function symbol(name) {
  const colour = "DH".includes(name) ? "red" : "black";
  return svg("svg", { class: `suit ${colour}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, suit(name));
}

function cardOf(made, screen, words, answer) {
  const [first] = screen.deck;
  const ranks = first.map((face) => choice(face.rank, made.rank === face.rank, () => answer({ rank: face.rank })));
  const suits = screen.deck.map(([face]) => {
    const button = choice(symbol(face.suit), made.suit === face.suit, () => answer({ suit: face.suit }));
    button.setAttribute("aria-label", face.name.replace(/^.* /, ""));
    return button;
  });
  return make("div.card-of", {}, group("ranks", words.which_card, ...ranks), make("div.suits", { role: "group", "aria-label": words.which_card }, ...suits));
}

function placeOf(made, screen, words, answer) {
  const { places } = made.ruling;
  const lays = screen.lays.filter((one) => places.length === 0 || places.includes(one.key));
  const chips = lays.map((one) => choice(one.text, made.place === one.key, () => answer({ place: one.key })));
  return group("lays", places.length === 0 ? words.which_place : words.which_hand, ...chips);
}

function seenOf(made, screen, words, answer) {
  const chips = [[false, words.seen_no], [true, words.seen_yes]].map(([value, text]) => choice(text, made.seen === value, () => answer({ seen: value })));
  return group("was-seen", words.was_seen, ...chips);
}

/** Elements for the inputs that this ruling needs, in order. `answer(more)`: takes an answer; `changed`: redraws. */
export function needed(made, screen, words, answer, changed) {
  const parts = { draw: drawsOf, card: cardOf, place: placeOf, seen: seenOf };
  return made.ruling.needs.flatMap((need) => parts[need](made, screen, words, answer, changed) ?? []);
}

/** Choice of what happens to affected decisions and bets. `usual`: the first choice is possible and is the default. */
export function touched(made, words, answer, usual) {
  const { choices } = made;
  if (choices.length === 0) return [];
  const chosen = made.touched ?? (usual ? choices[0] : null);
  return [group("touched", words.touched, ...choices.map((one) => choice(words[`choice_${one}`], chosen === one, () => answer({ touched: one }))))];
}

/** Button to say that the deck was checked, if more copies of a card lie open than there can be. */
export function checked(made, screen, words, answer) {
  if (!screen.fault?.suspect || made.ruling.ruling === "cancel") return [];
  return [group("checked", screen.fault.suspect, choice(words.deck_checked, made.checked, () => answer({ checked: !made.checked })))];
}
