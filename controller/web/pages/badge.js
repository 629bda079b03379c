// A badge reader types a badge code and Enter like a keyboard, only faster than any person.
// Invariant: wherever the focus is, a badge code stays in no field and presses no button.

const QUICK = 80; // longest time in ms between two characters of a reader
const FEWEST = 8; // least number of characters of a badge

let run = ""; // the last characters that followed each other that quickly
let last = -Infinity; // time of the last of them
let field = null; // field that got the first of them, and its value before
let before = "";

let typed = 0; // number of characters so far

/** Do the act of a key, unless the key was typed by a reader: then others come right before or after it. */
export function unlessRead(act) {
  const mine = typed;
  setTimeout(() => {
    if (typed === mine && run.length === 1) act();
  }, QUICK);
}

/** Call `read` with the code of each badge. */
export function badges(read) {
  addEventListener("keydown", (event) => {
    const quick = event.timeStamp - last <= QUICK;
    if (event.key === "Enter" && quick && run.length >= FEWEST) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const code = run;
      putBack();
      run = "";
      read(code);
    } else if (event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (!quick) begin();
      run += event.key;
      typed += 1;
      last = event.timeStamp;
    } else if (event.key !== "Shift") run = "";
  }, true);
}

function begin() {
  run = "";
  field = document.activeElement?.matches("input, textarea") ? document.activeElement : null;
  before = field?.value ?? "";
}

function putBack() {
  if (field === null || field.value === before) return;
  field.value = before;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
