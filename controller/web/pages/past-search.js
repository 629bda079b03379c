// Search for a round by player, bet, stake, time, result, fault, end. It is sent in a body, so that no address contains
// a player's name. Invariant: the form is created once and keeps the typed text while the list below it changes.

import { asked, day } from "./days.js";
import { make } from "./dom.js";
import { read, write } from "./talk.js";

/** Search form; `found(query, refused)` is called with the search, or with null for all rounds. */
export function searchForm(words, found) {
  const fold = make("details.find", {}, make("summary", {}, words.find));
  fold.addEventListener("toggle", async () => {
    if (!fold.open || fold.children.length > 1) return;
    const told = await read("/api/rounds/choices").catch(() => ({ says: words.gone }));
    fold.append(told.faults ? form(told, words, found) : make("p.empty", { role: "alert" }, told.says));
    fold.querySelector("[name=player]")?.focus({ preventScroll: true });
  });
  return fold;
}

function form({ faults, winners }, words, found) {
  const ends = { settled: words.settled, cancelled: words.cancelled, disputed: words.disputed, resettled: words.settled_anew };
  const text = (name, more = {}) => make("input", { name, autocomplete: "off", maxlength: "100", ...more });
  const choice = (name, options) => make("select", { name }, ...Object.entries({ "": words.any, ...options }).map(([value, said]) => make("option", { value }, said)));
  const field = (said, input) => make("label", {}, make("span", {}, said), input);
  const says = make("p.empty", { role: "alert" });
  const all = make("button", { type: "button" }, words.show_all);
  const fields = make("form.search", {},
    field(words.player, text("player")), field(words.bet_id, text("bet")),
    field(words.least, text("least", { inputmode: "decimal" })), field(words.most, text("most", { inputmode: "decimal" })),
    field(words.from, day("from", words.time)), field(words.to, day("to", words.time)),
    ...(Object.keys(winners).length ? [field(words.winner, choice("winner", winners))] : []),
    field(words.end, choice("how", ends)), field(words.fault, choice("fault", faults)),
    make("div.ways", {}, make("button", { type: "submit" }, words.search), all, says));
  fields.addEventListener("submit", async (event) => {
    event.preventDefault();
    const query = asked(fields);
    says.textContent = "";
    await found(Object.keys(query).length ? query : null, (said) => { says.textContent = said; });
  });
  all.addEventListener("click", () => {
    fields.reset();
    says.textContent = "";
    found(null, () => {});
  });
  return fields;
}

/** Request the matching rounds, the latest first; with `before` only those behind that round. */
export const search = (query, before) => write("/api/rounds", { ...query, ...(before ? { before: String(before) } : {}) });
