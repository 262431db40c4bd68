/** Public relays, for commands and new agents that are given none. */
export const publicRelays: readonly string[] = [
  'wss://relay.damus.io',
  'wss://nos.lol',
  'wss://relay.primal.net',
];
