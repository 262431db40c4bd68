import { canonicalJson } from '@bonafide/internal';
import { type CycleRecord, maxOutputLength } from '../audit/cycle-record.ts';
import { applyBeliefs } from '../beliefs/beliefs.ts';
import { type DirectiveRegistry, directiveKinds } from '../directives/directive.ts';
import { CortexError } from '../errors.ts';
import { decideTrust } from '../guards/gate.ts';
import { parseAnswer } from '../reflection/parse.ts';
import { soulBelief } from '../reflection/soul.ts';
import { type ValidatedAnswer, validateAnswer } from '../reflection/validate.ts';

/** The decisions of a cycle, computed again from its record. */
export interface Replay {
  readonly cycle: number;
  /** True when every decision is the same as the recorded one. */
  readonly identical: boolean;
  /** Human-readable differences; empty when identical. */
  readonly differences: readonly string[];
  readonly assessments: readonly {
    readonly peerId: string;
    readonly proposed: number;
    readonly trust: number;
    readonly guards: readonly string[];
  }[];
  readonly beliefs: CycleRecord['beliefs'];
}

/** Returns the position that an id such as `d12-3` gives its item in the answer. */
const positionOf = (id: string) => Number(id.slice(id.lastIndexOf('-') + 1)) - 1;

/** Compares directives, commitments, lessons, soul alignment, summary and dropped items with the record. Pure. */
function otherDifferences(record: CycleRecord, answer: ValidatedAnswer): readonly string[] {
  const { replay } = record;
  const directives = replay.directives.map(({ id }) => {
    const item = answer.directives[positionOf(id)];
    if (item === undefined) return null;
    const { peerId, kind, params, suggestion } = item;
    return { id, peerId, kind, params, suggestion };
  });
  const commitments = replay.commitments.map(({ id }) => {
    const item = answer.commitments[positionOf(id)];
    return item === undefined ? null : { id, ...item };
  });
  const soul = record.soul && { score: record.soul.score, reasons: record.soul.reasons };
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['directives', replay.directives, directives],
    ['commitments', replay.commitments, commitments],
    ['lessons', record.lessons, answer.lessons],
    ['soul alignment', soul, answer.soulAlignment],
    ['summary', record.summary, answer.summary],
    ['dropped items', record.dropped.slice(0, answer.dropped.length), answer.dropped],
  ];
  return pairs.flatMap(([name, was, is]) =>
    canonicalJson(was) === canonicalJson(is)
      ? []
      : [`${name}: was ${JSON.stringify(was)}, is ${JSON.stringify(is)}`],
  );
}

/**
 * Repeats the decisions of a recorded cycle: parses and validates its raw answer, sends each proposal through the gate with
 * the recorded facts, applies the beliefs, and compares directives, commitments and lessons. Pure; nothing is written.
 *
 * @throws CortexError `NOT_REPLAYABLE` for a cycle without a complete answer.
 */
export function replayCycle(record: CycleRecord, directives: DirectiveRegistry = directiveKinds): Replay {
  const { cycle, output, outputLength, replay } = record;
  if (
    record.status !== 'applied' ||
    output === null ||
    outputLength > maxOutputLength ||
    record.depth === 'triage'
  ) {
    throw new CortexError(
      'NOT_REPLAYABLE',
      `Cycle ${cycle} has no complete answer: it failed, was a triage, or answered more than ${maxOutputLength} characters.`,
    );
  }
  const given = record.parse === 'object' ? JSON.parse(output) : output;
  const parsed = parseAnswer(given, record.finishReason ?? undefined);
  if (!parsed.ok) throw new CortexError('NOT_REPLAYABLE', `The answer of cycle ${cycle} cannot be parsed.`);
  const answer = validateAnswer(parsed.frame, replay.peers, { directives, now: record.startedAt });
  const differences: string[] = [];

  const assessments = record.assessments.map((applied) => {
    const { peerId, infoScore, now, gate, by } = applied;
    const proposal = answer.assessments.find((one) => one.peerId === peerId);
    const proposed = by === 'facts' ? (gate.history.base ?? 0) : (proposal?.trust ?? Number.NaN);
    const input = { proposed, infoScore, now, history: gate.history, evidence: gate.facts };
    const decision = decideTrust(input, replay.config);
    for (const [name, was, is] of [
      ['proposal', applied.proposed, proposed],
      ['trust', applied.trust, decision.trust],
      ['guards', applied.guards.join(', '), decision.guards.join(', ')],
    ] as const) {
      if (was !== is) differences.push(`${peerId}: ${name} was ${was}, is ${is}`);
    }
    return { peerId, proposed, trust: decision.trust, guards: decision.guards };
  });

  differences.push(...otherDifferences(record, answer));

  const { maxBeliefs, beliefTtlMs } = replay.config;
  const context = { cycle, now: replay.now, vetoed: replay.vetoed, maxBeliefs, beliefTtlMs };
  const { added, reaffirmed, revised, expired, evicted } = applyBeliefs(
    replay.beliefs,
    [...answer.beliefs, ...soulBelief(answer)],
    context,
  );
  const beliefs = {
    added: [...added],
    reaffirmed: [...reaffirmed],
    revised: [...revised],
    expired: [...expired],
    evicted: [...evicted],
  };
  for (const [name, keys] of Object.entries(beliefs)) {
    const was = record.beliefs[name as keyof typeof beliefs].join(', ');
    if (was !== keys.join(', ')) differences.push(`beliefs ${name}: was ${was}, is ${keys.join(', ')}`);
  }
  return { cycle, identical: differences.length === 0, differences, assessments, beliefs };
}
