import * as z from 'zod';
import { confidenceCondition, entryConditions, thresholdConditions } from '../alerts/conditions.ts';
import type { MutationProposal } from '../mutation/proposal.ts';
import { recordId } from '../record-id.ts';
import type { MutationSource } from '../records.ts';
import { parseInput, proposalSchema, rollbackSchema, taskFilterSchema } from '../schemas.ts';
import type { MatrixState } from '../state/state.ts';
import { changesView, rollbackTo, thresholdsView } from '../views/thresholds.ts';
import type { MatrixContext } from './context.ts';
import type { RoutingMatrix } from './matrix.ts';
import { maintenanceSchema, proposeVariables } from './propose-variables.ts';

const sourceSchema = z.enum(['operator', 'agent']);

type Tuning = Pick<
  RoutingMatrix,
  'thresholds' | 'mutations' | 'applyMutation' | 'rollbackThresholds' | 'maintain'
>;

/** Creates the operations on thresholds and other variables. */
export function createTuning({ alerts, clock, newId, upToDate, append }: MatrixContext): Tuning {
  async function mutate(
    current: MatrixState,
    source: MutationSource,
    proposal: MutationProposal,
  ): Promise<void> {
    const id = recordId('mutation', newId());
    await append(current, { kind: 'mutation', id, at: clock(), taskType: null, source, proposal });
  }

  return {
    thresholds: () => upToDate(thresholdsView),

    async mutations(filter = {}) {
      const { taskType } = parseInput(taskFilterSchema, filter, 'mutations');
      return upToDate((current) => changesView(current, taskType));
    },

    async applyMutation(given, source = 'agent') {
      const proposal = parseInput(proposalSchema, given, 'applyMutation') as MutationProposal;
      const by = parseInput(sourceSchema, source, 'applyMutation.source');
      return upToDate(async (current) => {
        await mutate(current, by, proposal);
        for (const condition of thresholdConditions(current, clock())) alerts.note(condition);
        return thresholdsView(current);
      });
    },

    async rollbackThresholds(given) {
      const { at, taskType } = parseInput(rollbackSchema, given, 'rollbackThresholds');
      return upToDate(async (current) => {
        await mutate(current, 'rollback', rollbackTo(current, at, taskType ?? undefined));
        return thresholdsView(current);
      });
    },

    async maintain(observations = {}) {
      const seen = parseInput(maintenanceSchema, observations, 'maintain');
      return upToDate(async (current) => {
        const now = clock();
        for (const condition of [
          ...entryConditions(current, now),
          ...thresholdConditions(current, now),
          confidenceCondition(current, now),
        ]) {
          alerts.note(condition);
        }
        const proposal = proposeVariables(current, seen);
        if (proposal !== null) await mutate(current, 'extended', proposal);
      });
    },
  };
}
