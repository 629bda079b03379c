// Glossary, shown over a console, so that nobody has to leave it.

import { base } from "./base.js";
import { make } from "./dom.js";

/** Make a button show the glossary; returns a function that closes it. `none()`: text if it cannot be loaded. */
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
