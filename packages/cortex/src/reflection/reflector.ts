import type * as z from 'zod';
import type { CycleFacts } from './cycle-facts.ts';

/** Input of a reflector. It contains no conversation and no secret. */
export interface ReflectRequest {
  /**
   * `deep`: a whole reflection. `triage`: whether one is worth its cost. `consultation`: a question of the main loop.
   */
  readonly depth: 'deep' | 'triage' | 'consultation';
  /** Instructions: role, scale, answer format; under 500 tokens. */
  readonly system: string;
  /** Facts of this cycle as text for a language model. Text by peers is delimited and truncated. */
  readonly input: string;
  /** The same facts as data, for a reflector that computes. */
  readonly facts: CycleFacts;
  /** Schema of the answer, for models with structured output. */
  readonly schema: z.ZodType;
  /** Aborts at the timeout and on `close()`. The answer of a reflector that ignores it is discarded. */
  readonly signal: AbortSignal;
}

/** Token counts of one call, when known. */
export interface ReflectUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Answer of a reflector. `output` is JSON text or the object itself. */
export interface ReflectAnswer {
  readonly output: string | object;
  /** `'length'` marks a truncated answer, which is never repaired. */
  readonly finishReason?: string;
  readonly usage?: ReflectUsage;
}

/** A model, a rule or a script that reflects. */
export interface Reflector {
  /** Written to the ledger as `assessor` of each assessment, for example a model id. */
  readonly name?: string;
  reflect(request: ReflectRequest): Promise<ReflectAnswer>;
}
