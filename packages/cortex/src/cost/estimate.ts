/** Tokens and price of one cycle, and of a day of cycles. */
export interface CycleEstimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the configured prices. */
  readonly money: number;
  /** Cycles a day when something happens in every interval, and their cost. */
  readonly perDay: { readonly cycles: number; readonly tokens: number; readonly money: number };
}

/** Tokens of the parts of a cycle with messages of ordinary length, measured with o200k. */
const tokens = {
  instructions: 430,
  head: 90,
  peer: 150,
  interaction: 24,
  belief: 24,
  answer: 90,
  answerPerPeer: 75,
} as const;

/** Estimates a cycle with `peers` active peers: within a factor of 2 of what ordinary cycles measure. Pure. */
export function estimateCycle(
  config: {
    readonly scheduleMs: number;
    readonly interactionsPerPeer: number;
    readonly peersPerCycle: number | null;
    readonly maxContextTokens: number;
    readonly budget: { readonly prices: { readonly input: number; readonly output: number } };
  },
  peers: number,
): CycleEstimate {
  const included = Math.min(peers, config.peersPerCycle ?? peers);
  const perPeer = tokens.peer + tokens.belief + config.interactionsPerPeer * tokens.interaction;
  const context = Math.min(config.maxContextTokens, tokens.head + included * perPeer);
  const inputTokens = tokens.instructions + context;
  const shown = Math.min(included, Math.floor((context - tokens.head) / perPeer));
  const outputTokens = tokens.answer + shown * tokens.answerPerPeer;
  const { input, output } = config.budget.prices;
  const money = (inputTokens * input + outputTokens * output) / 1_000_000;
  const cycles = Math.floor(86_400_000 / config.scheduleMs);
  return {
    ...{ inputTokens, outputTokens, money },
    perDay: { cycles, tokens: cycles * (inputTokens + outputTokens), money: cycles * money },
  };
}
