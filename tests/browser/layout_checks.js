// Return the layout faults of a page and all its texts: {wrong: [...], texts: [...]}.
// Everything to read or touch must be whole, in sight, and with nothing over it.
// `smallest`: least size of letters, in px.
(smallest) => {
  const LAYERS = "dialog[open], .stale, .gate, .stop, .refused"; // these cover other parts on purpose
  const CODES = ".code, code, .device dd"; // for engineers, who know these codes from the record
  const BOXES = "button, .hand, .spot, .device, .panel"; // with a visible edge
  const CONTROLS = "button, input, summary, a[href], select";
  const wrong = [];
  const say = (what, one) => wrong.push(`${what}: ${one.tagName.toLowerCase()}.${one.className} ${one.textContent.trim().slice(0, 60)}`);
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("svg") && one.offsetWidth > 1;
  const shown = [...document.querySelectorAll("body *")].filter(isShown);
  const words = (one) => [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const layer = shown.filter((one) => one.matches(LAYERS)).at(-1) ?? null;
  const edges = layer?.getBoundingClientRect();
  const isOver = (box) => box.right > edges.left && box.left < edges.right && box.bottom > edges.top && box.top < edges.bottom;
  const isBeneath = (one, box) => layer !== null && !layer.contains(one) && (layer.matches("dialog") || isOver(box) || box.top >= innerHeight);
  const isForeign = (one) => (one.closest("[lang]")?.lang ?? "") !== document.documentElement.lang; // marked as such
  const scrolled = () => [document.documentElement, ...shown].filter((one) => one.scrollTop > 0);
  for (const one of scrolled()) one.scrollTop = 0;

  /** Boxes of its lines of text, from the top of the letters to their foot, without the font's room around. */
  function lines(one) {
    return words(one).flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].map(({ x, y, width, height }) => new DOMRect(x, y + height * 0.18, width, height * 0.62));
    });
  }

  /** True if scrolling cannot reach it: cut off by a part around it, or outside of the window. */
  function isCut(one, box) {
    for (let around = one; around !== document.documentElement; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      const isWide = overflowX === "auto" && around.matches(":has(> table)"); // a wide table is scrolled sideways
      if (overflowX !== "visible" && !isWide && (box.left < edge.left - 2 || box.right > edge.right + 2)) return true;
      if (isWide || ["auto", "scroll"].includes(overflowY)) return false;
      if (overflowY !== "visible" && (box.top < edge.top - 2 || box.bottom > edge.bottom + 2)) return true;
    }
    const page = document.documentElement.getBoundingClientRect();
    return box.left < -1 || box.right > innerWidth + 1 || box.top < Math.min(0, page.top) - 1 || box.bottom > Math.max(innerHeight, page.bottom) + 1;
  }

  /** Visible part of a card: a stack clips its oldest cards. */
  function drawn(card, { left, right, y, height }) {
    const row = card.closest("[data-stack] .cards");
    const edge = row && getComputedStyle(row).overflowX === "clip" ? row.getBoundingClientRect().left : left;
    return new DOMRect(Math.max(left, edge), y, Math.max(0, right - Math.max(left, edge)), height);
  }

  /** True if the element has a background colour or picture of its own. */
  function isPainted(one) {
    const parts = [null, "::before", "::after"].map((part) => getComputedStyle(one, part)).filter(({ content }, part) => part === 0 || content !== "none");
    const isClear = ({ backgroundColor, backgroundImage }) => backgroundImage === "none" && /^rgba\(.*, 0\)$/.test(backgroundColor);
    return one.closest("svg") !== null || !parts.every(isClear);
  }

  /** True if its middle is covered: for a control by any element, for the rest by a painted one. */
  function isCovered(one, find) {
    const isUnder = () => {
      const { left, right, top, bottom } = find();
      const here = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
      const depth = here.findIndex((other) => one.contains(other) || other.contains(one));
      if (depth < 0) return true;
      const over = here.slice(0, depth);
      return one.closest(CONTROLS) ? depth > 0 || !(one.closest(CONTROLS).contains(here[0])) : over.some(isPainted);
    };
    if (!isUnder()) return false;
    one.scrollIntoView({ block: "center" });
    return isUnder();
  }

  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const boxes = [];
  for (const one of shown) {
    const isControl = one.matches(CONTROLS);
    const found = lines(one);
    if (found.length === 0 && !isControl && !one.matches(".card")) continue;
    const whole = one.getBoundingClientRect();
    if (isBeneath(one, whole)) continue;
    for (const box of found) boxes.push([one, box]);
    const room = one.closest(BOXES)?.getBoundingClientRect();
    if (room && found.some((box) => box.left < room.left - 1 || box.right > room.right + 1)) say("sticks out", one);
    if (one.matches(".card")) boxes.push([one, drawn(one, whole)]);
    if ([...found, ...(isControl ? [whole] : [])].some((box) => isCut(one, box))) say("cut off", one);
    if (found.length && parseFloat(getComputedStyle(one).fontSize) < smallest) say("too small", one);
    if (isControl && Math.min(whole.width, whole.height) < 24) say("too small to touch", one);
  }
  const pinned = (one) => (one === null || getComputedStyle(one).position === "sticky" ? one : pinned(one.parentElement));
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  boxes.forEach(([one, box], index) => {
    for (const [other, its] of boxes.slice(index + 1)) {
      const meant = one.matches(".card") && other.matches(".card, .wrong"); // cards in a fan; the mark on a card
      const isOver = one !== other && !meant && across(box, its) > 2 && down(box, its) > 2;
      if (isOver && pinned(one) === pinned(other)) say(`covers ${other.className} ${other.textContent.slice(0, 30)}`, one);
    }
  });
  for (const one of new Set(boxes.map(([one]) => one))) {
    if (!one.matches(".card") && isCovered(one, () => lines(one)[0])) say("covered", one);
  }
  for (const one of shown.filter((one) => one.matches(CONTROLS) && !isBeneath(one, one.getBoundingClientRect()))) {
    if (isCovered(one, () => one.getBoundingClientRect())) say("covered", one);
  }
  for (const one of scrolled()) one.scrollTop = 0;
  const read = (one) => ["aria-label", "title", "placeholder", "alt"].map((name) => one.getAttribute(name)).filter(Boolean);
  const texts = [document.title, ...shown.filter((one) => !one.matches(CODES) && !isForeign(one)).flatMap((one) => [...words(one).map((node) => node.data.trim()), ...read(one)])];
  return { wrong, texts };
}
