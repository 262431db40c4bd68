import * as z from 'zod';

/** Capability of the providers, as their cards name it. */
export const codeGeneration = 'code-generation';

/** The NIP-90 kind under which it is asked for. */
export const jobKind = 5000;

/** Schema of a provider process's argument, JSON. It holds no secret: keys are in files. */
export const providerArguments = z.strictObject({
  name: z.string(),
  relay: z.string(),
  keyFile: z.string(),
  database: z.string(),
  seed: z.number(),
});

/** Argument of a provider process. */
export type ProviderArguments = z.infer<typeof providerArguments>;
