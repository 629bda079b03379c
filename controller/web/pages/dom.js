// Elements without a template language: made by `make`, kept in step by `list`.
// Invariant: what has not changed is not touched, so that nothing flickers and nothing moves.

const LATE = 100; // ms without a frame: the page has just been hidden

/** The element of the page that this selects. */
export const at = (selector) => document.querySelector(selector);

/** An element with classes, attributes and children: make("p.big", {role: "status"}, "text"). */
export function make(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = made(document.createElement(tag), attributes, children);
  element.classList.add(...classes);
  return element;
}

/** An element of a drawing: svg("circle", {r: 4, class: "ring"}). */
export function svg(tag, attributes, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Write a text where it is another one. Where there is none, the element keeps its room. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Name the page in its tab: to write even the same is to find styles anew. */
export function entitle(text) {
  if (document.title !== text) document.title = text;
}

/** Set or take away an attribute. */
export function mark(element, name, value) {
  const text = value === true ? "" : value;
  if (text === false || text === null || text === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text);
}

/** Show or hide. */
export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/** Load a style sheet that a part of the page needs. Returns a promise of whether it came. */
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

/** Do this once what has changed is painted: what nobody sees keeps nobody from seeing. */
export function afterPaint(act) {
  if (document.hidden) return act(); // nothing is painted
  const once = () => {
    clearTimeout(late);
    act?.();
    act = null;
  };
  const late = setTimeout(once, LATE);
  requestAnimationFrame(() => requestAnimationFrame(once));
}

/** One child for each item, kept by `key`: `create(item)` makes it, `update(child, item)` brings it up to date. */
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
