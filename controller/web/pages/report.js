// Hand-over on the report's page: two people enter name and PIN; the page is then reloaded with it.
// Invariant: no PIN stays in the page, whatever the table answers.

const form = document.querySelector("#hand-over");

const typed = (whose) => ({ name: form.elements[`${whose}-name`].value.trim(), pin: form.elements[`${whose}-pin`].value });

async function handOver() {
  const body = { from: typed("from"), to: typed("to"), shown: Number(form.dataset.shown), note: form.elements.note.value };
  for (const whose of ["from", "to"]) form.elements[`${whose}-pin`].value = "";
  const { csrf } = await (await fetch("/session")).json();
  const headers = { "content-type": "application/json", "x-csrf": csrf ?? "" };
  const target = `/session/hand-over?lang=${document.documentElement.lang}`;
  const answer = await fetch(target, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.ok) location.reload();
  else form.querySelector("[role=status]").textContent = (await answer.json()).detail;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  handOver().catch(() => { form.querySelector("[role=status]").textContent = form.dataset.never; });
});
