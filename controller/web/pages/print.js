// Print key of a page for printing.

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
