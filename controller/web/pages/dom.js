// Helpers to build and update elements: `make` creates them, `list` keeps children equal to items.
// Invariant: unchanged elements are not touched, so that nothing flickers or moves.

const LATE = 100; // ms without a frame, after which the page counts as hidden

export const at = (selector) => document.querySelector(selector);

/** Create an element with classes, attributes and children: make("p.big", {role: "status"}, "text"). */
export function make(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = made(document.createElement(tag), attributes, children);
  element.classList.add(...classes);
  return element;
}

/** Create an SVG element: svg("circle", {r: 4, class: "ring"}). */
export function svg(tag, attributes, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Set the text of an element if it differs. An element with an empty text keeps its space. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set the title if it differs: an equal one makes the browser compute styles again. */
export function entitle(text) {
  if (document.title !== text) document.title = text;
}

export function mark(element, name, value) {
  const text = value === true ? "" : value;
  if (text === false || text === null || text === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text);
}

export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/** Load a style sheet for a part of the page. Resolves to true if it was loaded. */
export function dress(name) {
  const link = make("link", { rel: "stylesheet", href: `/static/${name}.css` });
  document.head.append(link);
  return new Promise((done) => {
    link.onload = () => done(true);
    link.onerror = () => {
      link.remove();
      done(false);
    };
  });
}

/** Call `act` after the changes are painted, so that invisible work does not delay them. */
export function afterPaint(act) {
  if (document.hidden) return act(); // a hidden page is never painted
  const once = () => {
    clearTimeout(late);
    act?.();
    act = null;
  };
  const late = setTimeout(once, LATE);
  requestAnimationFrame(() => requestAnimationFrame(once));
}

/** Keep one child for each item, by `key`: `create(item)` makes a child, `update(child, item)` updates it. */
export function list(element, items, key, create, update) {
  const before = new Map([...element.children].map((child) => [child.key, child]));
  const children = items.map((item, index) => {
    const name = key(item, index);
    const child = before.get(name) ?? Object.assign(create(item), { key: name });
    before.delete(name);
    update(child, item, index);
    return child;
  });
  for (const gone of before.values()) gone.remove();
  children.forEach((child, index) => {
    if (element.children[index] !== child) element.insertBefore(child, element.children[index] ?? null);
  });
}
