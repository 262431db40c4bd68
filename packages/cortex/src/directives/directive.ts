import type { Schema } from '@bonafide/internal';
import { hasMethods, isCallable } from '@bonafide/internal';
import * as z from 'zod';
import type { PeerFacts } from '../facts/facts.ts';

/** A kind of directive: its parameters, and whether the facts about the peer permit it. */
export interface DirectiveKind {
  /** Validates the parameters. Text in parameters would be a standing injection: use numbers, booleans and enums. */
  readonly params: Schema<{ readonly [name: string]: unknown }>;
  /** Returns false when the facts about the peer contradict the directive. @default always permitted */
  readonly permits?: (peer: PeerFacts) => boolean;
}

const none = z.strictObject({});
const msat = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Center of the facts from which on a peer has proven itself. */
const proven = 4;

/** Returns false for a peer that has proven itself, unless an alarm or an attack says otherwise. */
function isNotProven({ evidence }: PeerFacts): boolean {
  return evidence.center < proven || evidence.alarmAt !== null || evidence.violation;
}

/** The kinds of directives that every cortex knows. The operator can register more. */
export const directiveKinds = {
  /** Ask the peer again, after a time in minutes. */
  follow_up: { params: z.strictObject({ afterMinutes: z.int().min(0).max(43_200).optional() }) },
  /** Request payment before working for the peer. */
  ask_payment_first: { params: none },
  /** Judge the peer's results before they are used or paid. */
  require_verification: { params: none },
  /** Decline or withhold work above a value in millisatoshi. Not permitted where the outcomes speak for the peer. */
  decline_large_work: { params: z.strictObject({ aboveMsat: msat.optional() }), permits: isNotProven },
  /** Prefer others. Not permitted where the outcomes speak for the peer. */
  deprioritise: { params: none, permits: isNotProven },
  /** Prefer this peer. Permitted only where the outcomes speak for it. */
  prioritise: {
    params: none,
    permits: ({ evidence }) => evidence.center >= 1 && !evidence.violation,
  },
} as const satisfies Readonly<Record<string, DirectiveKind>>;

/** The kinds of directives by name. */
export type DirectiveRegistry = Readonly<Record<string, DirectiveKind>>;

/** A directive as a validated answer proposes it. */
export interface ProposedDirective {
  readonly peerId: string;
  readonly handle: string;
  /** Name of a registered kind; `suggestion` for free text, which waits for the operator. */
  readonly kind: string;
  readonly params: { readonly [name: string]: unknown };
  /** Free text of a model; null for a registered kind. */
  readonly suggestion: string | null;
}

/** Schema of a directive in the state. */
export const directiveSchema = z.object({
  id: z.string(),
  cycle: z.number().int(),
  peerId: z.string(),
  handle: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  suggestion: z.string().nullable(),
  /** `waiting` for the operator's approval, or `open` for the main loop. */
  status: z.enum(['waiting', 'open']),
  createdAt: z.number(),
  expiresAt: z.number(),
});

/**
 * A directive for the main loop. Its text, if any, is a suggestion that the operator approved. The cortex executes nothing
 * itself.
 */
export type Directive = Readonly<z.output<typeof directiveSchema>>;

/** Schema of further kinds of directives, which are the host's own objects. */
export const registrySchema = z
  .record(
    z.string(),
    z.custom<DirectiveKind>(
      (given) =>
        typeof given === 'object' &&
        given !== null &&
        hasMethods('safeParse')((given as Partial<DirectiveKind>).params) &&
        ((given as Partial<DirectiveKind>).permits === undefined ||
          isCallable((given as Partial<DirectiveKind>).permits)),
      'Expected a kind of directives with the schema `params`',
    ),
  )
  .optional();
