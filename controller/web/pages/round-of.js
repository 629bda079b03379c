// Limits a round's page to the player who was searched for, so that no other player's bets are printed.

/** Query parameter for the address of a round's page: the player's place among the round's players, never the name. */
export function onlyOf(players, query) {
  const place = (players ?? []).indexOf(query?.player?.trim());
  return place < 0 ? "" : `&player=${place + 1}`;
}
