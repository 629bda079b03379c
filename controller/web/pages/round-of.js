// Who a round's page is for: the player who was searched for, so that no other player's bets are printed for them.

/** What an address of a round's page has more: the player's place among those of the round, never the name. */
export function onlyOf(players, query) {
  const place = (players ?? []).indexOf(query?.player?.trim());
  return place < 0 ? "" : `&player=${place + 1}`;
}
