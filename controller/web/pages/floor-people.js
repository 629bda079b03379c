// Assignment of tables to people: choose tables, then a person.
// Invariant: each person's number of tables is shown beside the limit; the floor decides what is too many.

import { at, list, make, mark, say, show } from "./dom.js";
import { act, note } from "./floor-acts.js";
import { first } from "./lapsed.js";

const order = new Intl.Collator("en", { numeric: true });

let chosen = new Set();
let assigned = ""; // text for an assigned table
let drawn = () => {};

/** Drop the chosen tables, as another person may sign in. */
export function forget() {
  chosen.clear();
}

/** Assigned tables that are no longer on the bus: they count until they are assigned to nobody. */
function gone(strips, people) {
  const there = new Set(strips.map(({ table }) => table));
  return people.flatMap(({ name, tables }) => tables.filter((table) => !there.has(table)).map((table) => ({ table, owner: name })));
}

/** Draw tables and people. `may`: the viewer may assign. */
export function draw(strips, people, words, may) {
  drawn = () => draw(strips, people, words, may);
  assigned = words.assigned;
  const tables = [...strips, ...gone(strips, people)].sort((a, b) => order.compare(a.table, b.table));
  chosen = new Set([...chosen].filter((table) => may && tables.some((strip) => strip.table === table)));
  say(at(".whose h2"), may ? words.choose_tables : words.tables);
  list(at(".whose > div"), tables, (strip) => strip.table, makeTable, (button, strip) => {
    say(button.children[0], strip.table);
    say(button.children[1], strip.owner || words.nobody);
    mark(button, "data-owned", strip.owner !== "");
    mark(button, "aria-pressed", String(chosen.has(strip.table)));
    button.disabled = !may;
  });
  say(at(".who h2"), may ? words.choose_person : words.people);
  const holders = people.filter(({ role }) => role === "supervisor" || role === "manager");
  const rows = [...holders, ...(may ? [{ id: null, name: words.nobody, role: "", tables: [], at_most: null }] : [])];
  list(at(".who ul"), rows, (one) => String(one.id), makePerson, (item, one) => drawPerson(item, one, words, may));
}

function makeTable(strip) {
  const button = make("button.choice.table", { type: "button" }, make("b"), make("span"));
  button.addEventListener("click", () => {
    if (!chosen.delete(strip.table)) chosen.add(strip.table);
    drawn();
  });
  return button;
}

function makePerson(one) {
  const button = make("button.person", { type: "button" }, ...["b", "span.role", "span.many", "span.tables"].map((kind) => make(kind)));
  button.addEventListener("click", () => assign(one));
  return make("li", {}, button);
}

function drawPerson(item, { name, role, tables, at_most }, words, may) {
  const [who, as, many, which] = item.firstChild.children;
  say(who, name);
  say(as, words[`role_${role}`] ?? role);
  say(many, at_most === null ? "" : words.of_most.replace("{count}", tables.length).replace("{most}", at_most));
  say(which, [...tables].sort(order.compare).join(" · "));
  show(which, tables.length > 0);
  item.firstChild.disabled = !may || chosen.size === 0;
}

/** Assign the chosen tables one by one. At the first refusal this stops, and the rest stays chosen. */
async function assign(one) {
  if (first(() => assign(one))) return;
  const { id: person, name } = one;
  const done = [];
  note("");
  for (const table of [...chosen].sort(order.compare)) {
    done.push(table);
    if (!(await act({ act: "assign", table, person }, `${done.join(", ")} · ${assigned.replace("{name}", name)}`))) break;
    chosen.delete(table);
    drawn();
  }
}
