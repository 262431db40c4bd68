import * as merge from '../mutation/merge.ts';
import { checked, clockSchema, wholeProposalSchema } from '../schemas.ts';

/**
 * Compares two vector clocks; an absent counter is 0.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const compareClocks = checked(merge.compareClocks, 'compareClocks', {
  a: clockSchema,
  b: clockSchema,
});

/**
 * Merges two proposals conservatively: lowest thresholds, longest timeouts, least parallelism and money, least
 * confidence, most severe action. Commutative, associative and idempotent, so that the order in which several agents
 * hear of each other does not matter.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const mergeMutations = checked(merge.mergeMutations, 'mergeMutations', {
  a: wholeProposalSchema,
  b: wholeProposalSchema,
});

/**
 * Returns the proposal that counts when two meet: the later one, or the merge of two that do not know each other.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const resolveProposals = checked(merge.resolveProposals, 'resolveProposals', {
  a: wholeProposalSchema,
  b: wholeProposalSchema,
});
