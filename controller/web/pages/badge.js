// A badge reader: it types what it has read, and Enter, as a keyboard does, only quicker than anybody.
// Invariant: wherever the focus is, what it types stays in no field and presses no button.

const QUICK = 80; // ms from one character to the next, at most
const FEWEST = 8; // characters of a badge

let run = ""; // the last characters, as far as they came that quickly
let last = -Infinity; // when the last of them came
let field = null; // where the first of them went, and what was there before
let before = "";

let typed = 0; // characters so far

/** Do what a key stands for, unless it turns out to be one of a reader's: those have others right before or after them. */
export function unlessRead(act) {
  const mine = typed;
  setTimeout(() => {
    if (typed === mine && run.length === 1) act();
  }, QUICK);
}

/** Call `read` with what each badge says. */
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
