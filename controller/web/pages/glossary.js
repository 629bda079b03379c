// The words of the table, shown over a console: it is not left for them.

import { base } from "./base.js";
import { make } from "./dom.js";

/** Have a button show them. The answer puts them away, as a touch does. `none()`: what is said where they cannot be had. */
export function glossary(button, none) {
  const dialog = make("dialog.words", {});
  document.head.append(make("link", { rel: "stylesheet", href: "/static/glossary.css" }));
  document.body.append(dialog);
  dialog.addEventListener("click", () => dialog.close());
  button.addEventListener("click", async () => {
    const lang = document.documentElement.lang;
    const answer = await fetch(`${base}/glossary?lang=${encodeURIComponent(lang)}`).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    dialog.replaceChildren(page?.querySelector("main") ?? make("p", {}, none()));
    dialog.showModal();
  });
  return () => dialog.close();
}
