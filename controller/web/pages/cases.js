// Open cases: reports about past rounds. A case is open until its round is corrected or the case is dismissed.
// Invariant: the first touch shows the round. Dismissing a case takes a second touch and a reason.

import { list, make, mark, say, show } from "./dom.js";
import { Reason } from "./reason.js";
import { when } from "./revisions.js";
import { send } from "./talk.js";

/** Draw the cases. `open(round)`: shows a round's story. People without the right to rule cannot dismiss cases. */
export function cases(section, screen, words, open) {
  const [head, who, items] = section.children;
  show(section, screen.cases.length > 0);
  say(head, `${words.cases} (${screen.cases.length})`);
  say(who, screen.who_rules ?? "");
  show(who, screen.who_rules !== null);
  list(items, screen.cases, (one) => one.seq, (one) => item(one, words, open), (element, one) => {
    const [round, dismiss, form] = element.children;
    show(dismiss, screen.who_rules === null);
    dismiss.onclick = () => ask(form, dismiss, one, screen.dismissals, words);
    if (screen.who_rules !== null) leave(form, dismiss);
  });
}

function item(one, words, open) {
  const round = make("button.case", { type: "button" }, make("b", {}, one.name), make("span.at", {}, when(one.since)),
    make("span.text", {}, one.text), make("span.who", {}, one.by));
  round.addEventListener("click", () => open(one.round));
  return make("li", {}, round, make("button.dismiss", { type: "button", "aria-expanded": "false" }, words.dismiss), make("form", { hidden: "" }));
}

function leave(form, dismiss) {
  show(form, false);
  mark(dismiss, "aria-expanded", "false");
  form.replaceChildren();
}

function ask(form, dismiss, one, reasons, words) {
  if (!form.hidden) return leave(form, dismiss);
  const confirm = make("button.confirm", { type: "submit", disabled: "" }, make("b", {}, words.dismiss_case));
  const reason = new Reason(words, reasons, () => { confirm.disabled = reason.text === ""; });
  const back = make("button.leave", { type: "button" }, words.back);
  const error = make("p.error", { role: "alert" });
  back.addEventListener("click", () => { leave(form, dismiss); dismiss.focus(); });
  form.replaceChildren(reason.element, error, make("div.end", {}, back, confirm));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (confirm.disabled) return;
    confirm.disabled = true;
    const told = await send({ command: "dismiss", case: one.seq, because: reason.text }).catch(() => ({ says: words.gone }));
    if (!told.done) say(error, `${words.refused}: ${told.says}`); // a dismissed case disappears with the next screen
    confirm.disabled = told.done === true;
  };
  show(form, true);
  mark(dismiss, "aria-expanded", "true");
  form.querySelector(".choice").focus();
}
