import type { CycleRecord } from '../audit/cycle-record.ts';
import { type DroppedItem, dropped } from '../audit/dropped-item.ts';
import { applyBeliefs, type Belief, type BeliefChange, type BeliefRefusal } from '../beliefs/beliefs.ts';
import { type Commitment, pruneCommitments } from '../commitments/commitments.ts';
import type { Directive } from '../directives/directive.ts';
import { addDirectives } from '../directives/directive-queue.ts';
import type { CycleRequest } from './cycle-request.ts';
import { soulBelief } from './soul.ts';
import type { ValidatedAnswer } from './validate.ts';

const refusalMessages: Readonly<Record<BeliefRefusal, string>> = {
  revision_not_stated: 'another value is held: say that this revises it',
  held_by_operator: 'the operator wrote or pinned this belief',
  held_by_facts: 'facts say what this belief says',
  vetoed: 'the operator vetoed this belief',
};

/** Changes that an answer made to the state, besides assessments. */
export interface AppliedAnswer {
  /** The beliefs and vetoes before. */
  readonly before: { readonly beliefs: readonly Belief[]; readonly vetoed: CycleRecord['replay']['vetoed'] };
  /** Keys of beliefs by what happened to them. */
  readonly beliefs: CycleRecord['beliefs'];
  readonly issued: readonly Directive[];
  readonly noted: readonly Commitment[];
  /** Beliefs that were refused. */
  readonly drops: readonly DroppedItem[];
}

/** Applies the beliefs, directives, lessons and commitments of an answer to the newest state. */
export async function applyAnswer(
  { config, memory }: Pick<CycleRequest, 'config' | 'memory'>,
  answer: ValidatedAnswer,
  { cycle, now }: { readonly cycle: number; readonly now: number },
): Promise<AppliedAnswer> {
  let before: { readonly beliefs: readonly Belief[]; readonly vetoed: CycleRecord['replay']['vetoed'] } = {
    beliefs: [],
    vetoed: [],
  };
  let change: BeliefChange | undefined;
  await memory.beliefs.update((stored) => {
    before = stored;
    const { maxBeliefs, beliefTtlMs } = config;
    const context = { cycle, now, vetoed: stored.vetoed, maxBeliefs, beliefTtlMs };
    const proposals = [...answer.beliefs, ...soulBelief(answer)];
    change = applyBeliefs(stored.beliefs, proposals, context);
    return { ...stored, beliefs: [...change.beliefs] };
  });
  let issued: readonly Directive[] = [];
  let noted: readonly Commitment[] = [];
  if (answer.directives.length > 0) {
    await memory.directives.update((stored) => {
      const added = addDirectives(stored.directives, answer.directives, { ...config, cycle, now });
      issued = added.directives.filter(({ id }) => added.issued.includes(id));
      return { ...stored, directives: added.directives };
    });
  }
  if (answer.lessons.length > 0) {
    await memory.lessons.update((stored) => {
      const others = stored.lessons.filter((lesson) => !answer.lessons.includes(lesson));
      const lessons = config.maxLessons === 0 ? [] : [...others, ...answer.lessons].slice(-config.maxLessons);
      return { ...stored, lessons };
    });
  }
  if (answer.commitments.length > 0) {
    await memory.commitments.update((stored) => {
      const added = answer.commitments.map(({ peerId, what, dueAt }, index) => ({
        ...{ id: `c${cycle}-${index + 1}`, peerId, what, dueAt, correlationId: null, createdAt: now },
        source: 'reflector' as const,
        status: 'open' as const,
      }));
      const known = (one: { peerId: string; dueAt: number }) =>
        stored.commitments.some((each) => each.peerId === one.peerId && each.dueAt === one.dueAt);
      const all = [...stored.commitments, ...added.filter((one) => !known(one))];
      const commitments = pruneCommitments(all, now);
      noted = added.filter(({ id }) => commitments.some((one) => one.id === id));
      return { ...stored, commitments };
    });
  }
  const { added = [], reaffirmed = [], revised = [], expired = [], evicted = [] } = change ?? {};
  const drops = (change?.refused ?? []).map(({ proposal, reason }) =>
    dropped('belief', reason, refusalMessages[reason], proposal),
  );
  const beliefs = {
    added: [...added],
    reaffirmed: [...reaffirmed],
    revised: [...revised],
    expired: [...expired],
    evicted: [...evicted],
  };
  return { before, beliefs, issued, noted, drops };
}
