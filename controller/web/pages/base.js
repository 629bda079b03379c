// Where a console asks for its table: at the table itself, or below a floor's address, which asks it on.
// Invariant: a page that is shown within another calls nobody: that one does.

/** What every path of the table begins with. */
export const base = location.pathname.match(/^\/tables\/[^/]+/)?.[0] ?? "";

/** Whether it is shown within the floor's page. */
export const within = self !== top;
