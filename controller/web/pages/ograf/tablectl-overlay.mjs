// The overlay as an OGraf graphic (EBU, version 1), for graphics servers that speak it.
// Invariant: it shows the table's own page, so that what goes on air is what the table says, and no copy of it.

const FADE = 400; // ms
const LOADS = 10_000; // ms that a table has to answer
const DONE = { statusCode: 200 };
const refused = (statusCode, statusMessage) => ({ statusCode, statusMessage });

/** The page at this address, in this layout and language. Throws TypeError where that is no address. */
function pageOf({ address, layout, language }) {
  const page = new URL("/overlay", address);
  if (layout) page.searchParams.set("layout", layout);
  if (language) page.searchParams.set("lang", language);
  return page.href;
}

export default class TablectlOverlay extends HTMLElement {
  #frame = null;

  /** Everything is there when this has ended; nothing is seen yet. */
  async load(params) {
    const { data = {}, renderType } = params;
    if (renderType !== "realtime") return refused(400, "expected renderType realtime: a table is live");
    this.#frame ??= this.appendChild(document.createElement("iframe"));
    const { style } = this.#frame;
    // another colour scheme than the page's own would make its ground opaque
    Object.assign(style, { position: "absolute", inset: "0", width: "100%", height: "100%", border: "0" });
    Object.assign(style, { background: "none", colorScheme: "dark", opacity: "0" });
    return this.#show(data);
  }

  async updateAction({ data }) {
    return this.#frame ? this.#show(data) : refused(409, "expected load first");
  }

  async playAction({ skipAnimation } = {}) {
    if (!this.#frame) return { ...refused(409, "expected load first"), currentStep: 0 };
    await this.#fade("1", skipAnimation);
    return { ...DONE, currentStep: 0 };
  }

  async stopAction({ skipAnimation } = {}) {
    if (!this.#frame) return refused(409, "expected load first");
    await this.#fade("0", skipAnimation);
    return DONE;
  }

  async customAction({ id }) {
    return refused(404, `expected no custom action, got ${id}`);
  }

  async goToTime() {
    return refused(501, "a table is live: no time can be gone to");
  }

  async setActionsSchedule() {
    return refused(501, "a table is live: nothing can be scheduled");
  }

  async dispose() {
    this.#frame?.remove();
    this.#frame = null;
    return DONE;
  }

  async #show(data) {
    try {
      const page = pageOf(data);
      if (this.#frame.src === page) return DONE;
      this.#frame.src = page;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return refused(400, "expected the address of a table, such as https://10.0.0.7:8032");
    }
    return this.#loaded();
  }

  #loaded() {
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(refused(504, "the table did not answer")), LOADS);
      this.#frame.addEventListener("load", () => (clearTimeout(late), resolve(DONE)), { once: true });
    });
  }

  async #fade(opacity, skipAnimation) {
    const from = getComputedStyle(this.#frame).opacity;
    this.#frame.style.opacity = opacity;
    if (!skipAnimation) await this.#frame.animate([{ opacity: from }, { opacity }], FADE).finished;
  }
}
