import {
  createLedger,
  createMemoryLedgerStore,
  isBonafideError,
  type LedgerConfig,
  type LedgerErrorCode,
  type RecordInput,
} from '../../src/index.ts';

export const dayMs = 86_400_000;
export const start = Date.UTC(2026, 0, 3, 12);
export const hex = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';
export const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';
export const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';

export function setUp(config: LedgerConfig = {}) {
  const time = { now: start };
  const logged: object[] = [];
  const log = (details: object) => void logged.push(details);
  const ledger = createLedger({
    store: createMemoryLedgerStore(),
    clock: () => time.now,
    random: () => 0.5,
    config,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  return { ledger, time, logged };
}

export const hello = (fields: Partial<RecordInput> = {}): RecordInput => ({
  peerId: hex,
  channel: 'nostr',
  content: 'hello',
  ...fields,
});

export async function codeOf(work: () => Promise<unknown>): Promise<LedgerErrorCode | 'nothing was thrown'> {
  try {
    await work();
  } catch (error) {
    if (isBonafideError(error)) return error.code as LedgerErrorCode;
    throw error;
  }
  return 'nothing was thrown';
}
