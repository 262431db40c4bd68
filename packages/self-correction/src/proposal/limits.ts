import * as z from 'zod';
import { parseInput } from '../errors.ts';
import type { AdjustmentProposal } from '../statistics/adjustment.ts';

/** Numbers are compared in hundredths, since decimals are inexact. */
const hundredths = (value: number) => Math.round(value * 100);

/** Smallest number of outcomes behind a proposal. */
const minSample = 30;

/** One condition with its result. */
export interface Condition {
  readonly name: string;
  readonly holds: boolean;
  /** Human-readable detail. */
  readonly detail: string;
}

const numbersSchema = z.looseObject({ to: z.number(), delta: z.number(), sampleSize: z.number().min(0) });
const mergeSchema = numbersSchema.extend({
  ci: z.enum(['green', 'pending', 'red', 'unknown']),
  confidence: z.number(),
  conditional: z.boolean(),
  changes: z.array(z.looseObject({ rolledBack: z.boolean() })),
  labels: z.array(z.string()),
});

/** The numbers of a proposal that limits refer to. */
type Numbers = Pick<AdjustmentProposal, 'to' | 'delta' | 'sampleSize'>;

/**
 * Checks the limits outside of which no pull request is made: result within 0.1 to 0.9, change below 0.3 and not zero, 30 outcomes.
 */
export function checkLimits(proposal: Numbers): readonly Condition[] {
  const { to, delta, sampleSize } = parseInput(numbersSchema, 'proposal', proposal);
  const result = hundredths(to);
  return [
    {
      name: 'range',
      holds: result >= 10 && result <= 90,
      detail: `Threshold ${to.toFixed(2)} within [0.1, 0.9]`,
    },
    {
      name: 'magnitude',
      holds: Math.abs(hundredths(delta)) < 30,
      detail: `Change ${signed(delta)} below 0.3`,
    },
    {
      name: 'effect',
      holds: hundredths(delta) !== 0,
      detail: `Change ${signed(delta)} has an effect`,
    },
    {
      name: 'sample',
      holds: sampleSize >= minSample,
      detail: `Sample of ${sampleSize}, at least ${minSample}`,
    },
  ];
}

/** State of the checks of a pull request. `unknown`: they cannot be read, or there are none. */
export type CheckState = 'green' | 'pending' | 'red' | 'unknown';

/** Input of {@link checkAutoMerge}. */
export interface AutoMergeInput extends Numbers, Pick<AdjustmentProposal, 'confidence' | 'conditional'> {
  readonly ci: CheckState;
  /** Earlier changes of thresholds, oldest first: whether each was rolled back. */
  readonly changes: readonly { readonly rolledBack: boolean }[];
  readonly labels: readonly string[];
}

/** Label with which a person keeps the decision. */
const manualReviewLabel = 'manual-review';

/**
 * Checks every condition of an automatic merge. All must hold: change below 0.15, 30 outcomes, green checks, confidence above 0.8,
 * no rollback among the last 10 changes, no `manual-review` label, and no pattern that asks for a person. Pure.
 */
export function checkAutoMerge(input: AutoMergeInput): {
  readonly eligible: boolean;
  readonly conditions: readonly Condition[];
} {
  const { delta, sampleSize, ci, confidence, changes, labels, conditional } = parseInput(
    mergeSchema,
    'input',
    input,
  );
  const rollbacks = changes.slice(-10).filter(({ rolledBack }) => rolledBack).length;
  const conditions = [
    {
      name: 'magnitude',
      holds: Math.abs(hundredths(delta)) < 15,
      detail: `Change ${signed(delta)} below 0.15`,
    },
    {
      name: 'sample',
      holds: sampleSize >= minSample,
      detail: `Sample of ${sampleSize}, at least ${minSample}`,
    },
    { name: 'ci', holds: ci === 'green', detail: `Checks are ${ci}` },
    { name: 'confidence', holds: confidence > 0.8, detail: `Confidence ${confidence.toFixed(2)} above 0.8` },
    { name: 'rollbacks', holds: rollbacks === 0, detail: `${rollbacks} rollbacks in the last 10 changes` },
    { name: 'label', holds: !labels.includes(manualReviewLabel), detail: `No label ${manualReviewLabel}` },
    { name: 'pattern', holds: !conditional, detail: 'The pattern asks for no investigation' },
  ];
  return { eligible: conditions.every(({ holds }) => holds), conditions };
}

/** Formats a change with its sign. */
export const signed = (delta: number) => `${delta < 0 ? '-' : '+'}${Math.abs(delta).toFixed(2)}`;
