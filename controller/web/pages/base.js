// Base path of a console's requests: at the table itself, or below a floor's address, which passes them on.
// Invariant: a page inside a floor's page calls nobody, because the floor's page does.

/** Prefix of all paths of the table. */
export const base = location.pathname.match(/^\/tables\/[^/]+/)?.[0] ?? "";

/** True if this page is shown inside the floor's page. */
export const within = self !== top;
