import { hasMethods, isCallable, parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { JobError } from './errors.ts';

/** Returns the options of a `create…` function. Throws `INVALID_CONFIG` with the name of every invalid or unknown one. */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what = 'options',
): z.output<Schema> {
  return parseOrThrow(
    schema,
    value,
    what,
    (message, cause) => new JobError('INVALID_CONFIG', message, cause),
  ) as z.output<Schema>;
}

/** Returns an argument. Throws `INVALID_INPUT` with the name of every invalid or unknown field. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  return parseOrThrow(
    schema,
    value,
    what,
    (message, cause) => new JobError('INVALID_INPUT', message, cause),
  ) as z.output<Schema>;
}

/** A function of the caller. */
export const callable = z.custom<(...given: never[]) => unknown>(isCallable, 'must be a function');

/** An object of the caller with these methods. */
export const port = (...methods: readonly string[]) =>
  z.custom<object>(hasMethods(...methods), `must have the methods ${methods.join(', ')}`);

/** A duration in ms that the platform's timers can wait. */
export const duration = z.number().positive().max(2_147_483_647);
export const msat = z.int().min(0);
export const timers = port('after');
const blobs = port('put');
const logger = port('debug', 'info', 'warn', 'error');
export const wallet = port('pay', 'lookup');
export const network = z.enum(['bitcoin', 'testnet', 'signet', 'regtest', 'simnet']);
export const signal = z.custom<AbortSignal>(
  (given) => given instanceof AbortSignal,
  'must be an AbortSignal',
);

/** Shape of `ReferenceOptions`. The addresses are checked by the guard that takes them. */
export const references = z.strictObject({
  addresses: z.record(z.string(), z.unknown()).optional(),
  maxBytes: z.int().positive().optional(),
  timeoutMs: duration.optional(),
});

/** Shape of `PaymentOptions`. */
export const payments = z.strictObject({
  wallet,
  store: port('get', 'listOpen'),
  budget: z.strictObject({ limitMsat: msat, windowMs: msat.optional() }).optional(),
  maxFeeMsat: callable.optional(),
  network: network.optional(),
  methods: z.array(port('quote', 'pay', 'lookup')).optional(),
});

/** Options that a client and a provider share. */
export const shared = {
  transport: port('publish'),
  signer: port('signEvent'),
  relays: z.array(z.string()).min(1, 'at least one relay is needed'),
  references: references.optional(),
  blobs: blobs.optional(),
  nip04Decrypt: callable.optional(),
  clock: callable.optional(),
  random: callable.optional(),
  timers: timers.optional(),
  logger: logger.optional(),
};

/** Shape of `MemoryStoreOptions`. */
export const memoryStoreOptions = z.strictObject({ maxEnded: z.int().min(0).default(10_000) });

/** Shape of `KyselyJobsOptions`. */
export const kyselyOptions = z.strictObject({
  agentId: z
    .string()
    .min(1)
    .max(512)
    .regex(/^\P{Cc}*$/u)
    .default('default'),
});
export const database = port('selectFrom', 'transaction');
