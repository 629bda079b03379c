// Preview of a ruling as computed by the table: a sentence, and the changes card by card.
// Invariant: every card in the text is also shown.

import { card } from "./cards.js";
import { make, mark } from "./dom.js";
import { cards } from "./lie.js";

function fate(lies, words) {
  if (lies === null) return "–";
  if (lies.fate === "placed") return words.placed.replace("{place}", lies.name);
  return { burnt: words.burnt, carried: words.carried, void: words.void }[lies.fate] ?? words.is_loose;
}

function changes(seen, screen, words) {
  const name = (place) => screen.lays.find((one) => one.key === place)?.text ?? place;
  const known = [...cards(screen).map((one) => one.face), ...screen.deck.flat()]; // a card on the table may not be of the deck
  const face = (text) => known.find((one) => one.card === text) ?? { card: text, rank: text[0], suit: "", name: text };
  return seen.cards.map((one) => {
    const before = one.before && { ...one.before, name: name(one.before.place) };
    const after = { ...one.after, name: name(one.after.place) };
    const shown = one.after.card ? [card(face(one.after.card))] : [];
    const was = one.before?.card && one.before.card !== one.after.card ? [card(face(one.before.card)), make("span.arrow", {}, "→")] : [];
    const [from, to] = [fate(before, words), fate(after, words)];
    const text = make("span", {}, make("b", {}, `#${one.draw}`), ` ${from === to ? to : `${from} → ${to}`}`);
    return make("li", {}, ...was, ...shown, text);
  });
}

/** Draw the preview. `seen`: the table's answer; null: none yet. `lacks`: the ruling is not complete yet. */
export function leads(seen, lacks, screen, words) {
  const box = make("div.leads", { "aria-live": "polite" }, make("p.label", {}, words.leads_to));
  if (seen === null) box.append(make("p.says", {}, lacks ? "…" : words.looking));
  else box.append(make("p.says", {}, seen.says), make("ul.changes", {}, ...changes(seen, screen, words), ...(seen.manual ? [make("li.small", {}, words.manual)] : [])));
  mark(box, "data-refused", seen?.verdict === "refused");
  return box;
}
