import * as z from 'zod';

/** What the providers offer, as their cards name it. */
export const codeGeneration = 'code-generation';

/** The NIP-90 kind under which it is asked for. */
export const jobKind = 5000;

/** What a provider process is told, as JSON in its first argument. No secret: keys are in files. */
export const providerArguments = z.strictObject({
  name: z.string(),
  relay: z.string(),
  keyFile: z.string(),
  database: z.string(),
  seed: z.number(),
});

/** What a provider process is told. */
export type ProviderArguments = z.infer<typeof providerArguments>;
