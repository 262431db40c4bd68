import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { ReputationError } from './errors.ts';
import { defaultNamespace } from './formats/nip32-label.ts';
import { defaultKinds } from './formats/review-event.ts';

const kind = z.int().min(0).max(65_535);
const positive = z.int().min(1);
const format = z.enum(['review', 'review-set', 'job-review', 'label', 'attestation']);

const configSchema = z.strictObject({
  consent: z.enum(['each', 'all']).default('each'),
  formats: z.array(format).min(1).default(['review-set']),
  kinds: z.partialRecord(format, kind).default({}),
  namespace: z.string().min(1).max(100).default(defaultNamespace),
  coolingOffMs: z.int().min(0).default(86_400_000),
  minimumChange: z.number().min(0).max(1).default(0.2),
  pollMs: positive.default(60_000),
  attemptMs: positive.default(60_000),
  retryMs: positive.default(30_000),
  maxRetryMs: positive.default(3_600_000),
  holdMs: positive.default(3_600_000),
  filingMs: positive.default(7 * 86_400_000),
  reviewMs: positive.default(7 * 86_400_000),
  arbitrator: z.string().min(1).nullable().default(null),
  maxPerReviewer: positive.default(500),
  maxRaters: z.int().min(0).default(500),
});

/** Settings of {@link createReputation}, all optional. */
export type ReputationConfig = z.input<typeof configSchema>;

/** Settings with their defaults. */
export type ResolvedConfig = z.output<typeof configSchema> & {
  readonly kinds: Readonly<typeof defaultKinds>;
};

/** Validates settings and adds the defaults. Throws `INVALID_CONFIG`. */
export function resolveConfig(config: ReputationConfig = {}): ResolvedConfig {
  const parsed = parseOrThrow(configSchema, config, 'config', (message, options) => {
    return new ReputationError('INVALID_CONFIG', message, options);
  });
  const kinds = { ...defaultKinds, ...parsed.kinds };
  if (new Set(Object.values(kinds)).size < Object.keys(kinds).length)
    throw new ReputationError('INVALID_CONFIG', 'config.kinds: two formats have the same kind.');
  return { ...parsed, kinds };
}
