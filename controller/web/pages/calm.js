// The table while no fault is open: next step, bets, and possible acts.
// Invariant: the first touch asks, the second one acts. People who may only look have no keys.

import { at, list, make, mark, say, show } from "./dom.js";
import { first } from "./lapsed.js";
import { span } from "./stream.js";
import { send } from "./talk.js";

let asks = null; // act that was touched once

/** Cancel an act that was touched once. */
export function leave() {
  asks = null;
}

/** Draw the table. `changed`: redraws the page; `note`: shows the result of an act. */
export function draw(screen, words, changed, note) {
  const shown = screen.fault === null || screen.life === "halted";
  show(at(".calm"), shown);
  const acts = screen.looks_on ? [] : screen.acts;
  if (!acts.find((act) => act.act === asks?.act)?.enabled) asks = null;
  if (!shown) return;
  drawCame(screen, words);
  if (screen.next.tone !== "halted") say(at(".calm .next .label"), words.next);
  say(at(".calm .next h2"), screen.next.head);
  say(at(".calm .next .text"), screen.life === "halted" ? `${screen.next.text}\n${words.players_told}: ${screen.players}` : screen.next.text);
  mark(at(".calm .next"), "data-tone", screen.next.tone);
  say(at(".acts h2"), screen.open);
  show(at(".markets"), screen.markets.length > 0);
  say(at(".markets h2"), words.bets);
  list(at(".markets dl"), screen.markets, (one) => one.market, () => make("div", {}, make("dt"), make("dd")), (element, one) => {
    say(element.children[0], one.count > 1 ? `${one.market} ×\u00a0${one.count}` : one.market);
    say(element.children[1], one.total);
  });
  const create = () => make("button.act", { type: "button" }, make("b"), make("span"));
  list(at(".acts > div"), acts, (act) => act.act, create, (button, act) => {
    button.disabled = !act.enabled;
    mark(button, "aria-expanded", act.asks ? String(asks?.act === act.act) : null);
    say(button.children[0], act.label);
    say(button.children[1], act.hint);
    button.onclick = () => ask(act, changed);
  });
  drawAsk(words, changed, note);
}

/** Draw the round's result; until the round is over, that of the round before. Its space is always reserved. */
function drawCame({ result, last: [before] }, words) {
  mark(at(".came"), "data-none", !result && !before);
  mark(at(".came"), "data-past", !result);
  say(at(".came .label"), result ? words.result : `${words.result} ${before?.round ?? ""}`);
  say(at(".came h2"), result || (before?.result ?? ""));
}

/** Show for how long nothing could be recorded. */
export function tick(since, now, words) {
  at(".calm .next .label").replaceChildren(`${words.halted_for} `, make("b", {}, span((now - Date.parse(since)) / 1000)));
}

function ask(act, changed) {
  if (first(() => ask(act, changed))) return;
  asks = asks?.act === act.act ? null : act;
  changed();
  (at(".acts input") ?? at(".acts .confirm"))?.focus();
}

function drawAsk(words, changed, note) {
  const form = at(".acts form");
  show(form, asks !== null);
  if (asks === null) return form.replaceChildren();
  if (form.firstChild && form.act === asks.act) return;
  form.act = asks.act;
  const label = asks.asks === "because" ? words.uncut_because : words.dealer_name;
  const input = make("input", { type: "text", maxlength: "100", required: "", placeholder: label, "aria-label": label, autocomplete: "off" });
  const back = make("button.leave", { type: "button" }, words.cancel);
  back.addEventListener("click", () => ask(asks, changed));
  form.replaceChildren(make("p", {}, asks.label), ...(asks.asks ? [input] : []), make("div.end", {}, back, make("button.confirm", { type: "submit" }, words.send)));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const mine = asks;
    const { command, asks: field, label: did } = mine;
    const said = await send(field ? { ...command, [field]: input.value.trim() } : command).catch(() => ({ says: words.gone }));
    note(said.done ? `${words.done}: ${did}` : `${words.refused}: ${said.says}`, said.done ? 4000 : 0);
    if (asks === mine) asks = null; // unless another act was touched meanwhile
    changed();
  };
}
