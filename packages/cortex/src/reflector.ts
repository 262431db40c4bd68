import type * as z from 'zod';
import type { CycleFacts } from './facts.ts';

/** What a reflector is asked. It sees this and nothing else: no conversation, no secret (CTX-9). */
export interface ReflectRequest {
  /** Who it is, how to score, how to answer: under 500 tokens. */
  readonly system: string;
  /** This cycle's facts as text, for a language model. What peers wrote is delimited and capped. */
  readonly input: string;
  /** The same facts as data, for a reflector that computes. */
  readonly facts: CycleFacts;
  /** Schema of the answer, for models that can be held to one. */
  readonly schema: z.ZodType;
  /** Aborted at the timeout and by `close()`. One that ignores it is left behind: its answer is discarded. */
  readonly signal: AbortSignal;
}

/** Tokens that one call took, when the reflector knows. */
export interface ReflectUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What a reflector answers. `output` is JSON as text, or the object itself. */
export interface ReflectAnswer {
  readonly output: string | object;
  /** `'length'` says that the answer was cut: it is then never repaired (CTX-11). */
  readonly finishReason?: string;
  readonly usage?: ReflectUsage;
}

/** The one that thinks (CTX-8): a language model, a rule, a script. */
export interface Reflector {
  /** Goes into the ledger with each assessment as its `assessor`, e.g. a model id. */
  readonly name?: string;
  reflect(request: ReflectRequest): Promise<ReflectAnswer>;
}
