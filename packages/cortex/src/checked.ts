import * as z from 'zod';
import { cycleRecordSchema } from './audit/cycle-record.ts';
import * as held from './beliefs/beliefs.ts';
import { modelNote as note } from './beliefs/model-note.ts';
import { renderBeliefs as render } from './beliefs/render-beliefs.ts';
import { isPeerTemplate as isTemplate, type PeerTemplateName } from './beliefs/templates.ts';
import { cortexConfigSchema } from './config.ts';
import { shouldConsult as advise } from './consultation/should-consult.ts';
import { renderConsultation as renderAnswer } from './consultation/verdict.ts';
import { estimateCycle as estimate } from './cost/estimate.ts';
import { registrySchema as directives } from './directives/directive.ts';
import { trustBand as band } from './guards/band.ts';
import { clampTrust as clamp } from './guards/clamp.ts';
import { gateEvidence as evidenceOf } from './guards/evidence.ts';
import { finishedWork as finished } from './guards/finished-work.ts';
import * as gate from './guards/gate.ts';
import { gateHistory as historyOf } from './guards/gate-history.ts';
import { ruleTrust as rule } from './guards/rule-trust.ts';
import { parseInput } from './host-options.ts';
import { replayCycle as replay } from './operator/replay.ts';
import * as parse from './reflection/parse.ts';
import * as input from './reflection/reflection-input.ts';
import { reflectionFrameSchema } from './reflection/schemas.ts';
import { validateAnswer as validate } from './reflection/validate.ts';
import { evaluateTriggers as evaluate } from './triggers/triggers.ts';

/** Returns a function that checks its arguments. They are passed on as they are. */
const checked =
  <Arguments extends readonly unknown[], Result>(
    run: (...given: Arguments) => Result,
    what: string,
    schemas: Readonly<Record<string, z.ZodType>>,
  ): ((...given: Arguments) => Result) =>
  (...given) => {
    for (const [place, [name, schema]] of Object.entries(schemas).entries())
      parseInput(schema, given[place], `${what}.${name}`);
    return run(...given);
  };

const at = z.number();
const time = at.nullable();
const trust = z.number().min(-10).max(10);
const infoScore = z.number().min(0).max(10);
const count = z.number().min(0);
/** What a model proposes: a number of any size, also none. */
const proposed = z.custom<number>((given) => typeof given === 'number', 'Expected a number');

const evidence = z.looseObject({
  center: z.number(),
  operatorTrust: time,
  inherited: time,
  settledAt: time,
  lastSuccessAt: time,
  lastFailureAt: time,
  alarmAt: time,
  violation: z.boolean(),
});
const outcomes = z.array(
  z.looseObject({
    correlationId: z.string(),
    outcome: z.string(),
    createdAt: at,
    sequence: z.number().optional(),
  }),
);
const row = z.looseObject({ trust, createdAt: at });
const { maxTrustDelta, guards, cooldownMs, dailyRise } = cortexConfigSchema.shape;
const gateConfig = z.looseObject({
  maxTrustDelta: maxTrustDelta.unwrap(),
  guards: guards.unwrap(),
  cooldownMs: cooldownMs.unwrap(),
  dailyRise: dailyRise.unwrap(),
});
const history = z.looseObject({
  base: time,
  changedAt: time,
  risen: z.number(),
  roseAboveAt: time,
  fellBelowAt: time,
  hasNews: z.boolean(),
  roseOnSameFacts: z.boolean(),
  fellOnSameFacts: z.boolean(),
});
const rows = {
  rows: z.array(row),
  lastInteractionAt: time,
  seenThroughAt: time.optional(),
  evidence: evidence.optional(),
  now: at,
};
const belief = held.beliefSchema.required();
const name = z.looseObject({ key: z.string(), peerId: z.string().nullable() });
const peer = z.looseObject({
  peerId: z.string(),
  label: z.string(),
  alias: z.string().nullable(),
  channel: z.string(),
  firstSeenAt: at,
  lastSeenAt: at,
  interactionCount: count,
  infoScore: z.number(),
  latest: z.looseObject({ trust: z.number(), rationale: z.string(), createdAt: at }).nullable(),
  trajectory: z.array(z.number()),
  work: z.looseObject({ successes: count, failures: count, disputed: count }),
  evidence,
  alarms: z.array(z.looseObject({})),
  missed: count,
  interactions: z.array(z.looseObject({})),
  lastFactAt: time,
});
/** Returns true while a belief is confirmed or pinned. @throws CortexError `INVALID_INPUT` */
export const isActive = checked(held.isActive, 'isActive', { belief, now: at });

/** Returns the active beliefs in the given order. @throws CortexError `INVALID_INPUT` */
export const activeBeliefs = checked(held.activeBeliefs, 'activeBeliefs', {
  beliefs: z.array(belief),
  now: at,
});

/**
 * Applies the proposals of one cycle to the beliefs: expired ones go, equal ones are reaffirmed, others are added, revised or refused,
 * and the least recently confirmed ones beyond `maxBeliefs` go. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const applyBeliefs = checked(held.applyBeliefs, 'applyBeliefs', {
  held: z.array(belief),
  proposals: z.array(
    name.extend({
      value: z.string(),
      kind: z.enum(['template', 'note', 'operator']),
      rationale: z.string(),
      handle: z.string().nullable(),
      revises: z.string().nullable(),
    }),
  ),
  context: z.looseObject({
    cycle: z.number(),
    now: at,
    vetoed: z.array(name).optional(),
    maxBeliefs: count,
    beliefTtlMs: count,
  }),
});

/** Renders active beliefs as a section of a prompt; '' without any. @throws CortexError `INVALID_INPUT` */
export const renderBeliefs = checked(render, 'renderBeliefs', {
  beliefs: z.array(belief),
  context: z.strictObject({
    now: at,
    peerId: z.string().nullish(),
    maxTokens: count.optional(),
  }),
});

/** Quotes words of a model, delimited and cut. @throws CortexError `INVALID_INPUT` */
export const modelNote = checked(note, 'modelNote', { text: z.string(), maxBytes: count.optional() });

const isText = checked((key: string) => isTemplate(key), 'isPeerTemplate', { key: z.string() });

/** Returns true for a key that names a template. @throws CortexError `INVALID_INPUT` */
export const isPeerTemplate = (key: string): key is PeerTemplateName => isText(key);

/**
 * Advises whether to ask before answering: when a request is about money, a commitment or trust. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const shouldConsult = checked(advise, 'shouldConsult', {
  request: z.string(),
  context: z.strictObject({ firstContact: z.boolean().optional(), amountMsat: count.optional() }).optional(),
});

/**
 * Renders a consultation for the main prompt: the verdict plainly, words of a model as delimited notes.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const renderConsultation = checked(renderAnswer, 'renderConsultation', {
  consultation: z.looseObject({
    verdict: z.enum(['approve', 'deny', 'conditional']),
    conditions: z.array(z.string()),
    reasoning: z.string(),
    suggestedReply: z.string().nullable(),
    decidedBy: z.enum(['reflector', 'facts', 'timeout', 'budget', 'failure']),
  }),
});

/**
 * Estimates a cycle with `peers` active peers: within a factor of 2 of what ordinary cycles measure. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const estimateCycle = checked(estimate, 'estimateCycle', {
  config: z.looseObject({
    scheduleMs: z.number().positive(),
    interactionsPerPeer: count,
    peersPerCycle: count.nullable(),
    maxContextTokens: count,
    budget: z.looseObject({ prices: z.looseObject({ input: count, output: count }) }),
  }),
  peers: count,
});

/** Returns the range in which an opinion about a peer may lie. Pure. @throws CortexError `INVALID_INPUT` */
export const trustBand = checked(band, 'trustBand', { evidence, infoScore });

/**
 * Limits a proposed trust to whole numbers from −10 to 10 and to `maxDelta` from the last one; without a last one, from 0. A proposal
 * that is no finite number changes nothing. Pure.
 *
 * @throws CortexError `INVALID_INPUT` for a value that is no number
 */
export const clampTrust = checked(clamp, 'clampTrust', {
  proposed,
  last: z.number().nullable(),
  maxDelta: count.optional(),
});

/** Derives the evidence from the ledger's rows. Pure. @throws CortexError `INVALID_INPUT` */
export const gateEvidence = checked(evidenceOf, 'gateEvidence', {
  facts: z.looseObject({
    outcomes,
    rows: z.array(row.extend({ source: z.enum(['agent', 'cortex', 'operator']) })),
    alarms: z.array(at).optional(),
    violation: z.boolean().optional(),
    now: at,
  }),
});

/**
 * Returns the newest finished pieces of work, oldest first: for each the final outcome up to `asOf`. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const finishedWork = checked(finished, 'finishedWork', {
  outcomes,
  // `Infinity` is the default.
  asOf: proposed.refine((given) => !Number.isNaN(given), 'Expected a time').optional(),
});

/**
 * Returns the trust that finished work justifies, −10 to 10: newer work weighs more, a failure as much as two successes, a dispute
 * twice as much. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const ruleTrust = checked(rule, 'ruleTrust', {
  work: z.array(z.looseObject({ result: z.enum(['success', 'failure']), disputed: z.boolean() })),
});

/**
 * Summarizes a peer's assessments for the gate. Pure. Trust before the first one counts as 0.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const gateHistory = checked(historyOf, 'gateHistory', {
  input: z.looseObject({ ...rows, truncated: z.boolean().optional() }),
});

/**
 * Decides which trust is written for a proposal. Every guard that acts is named. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const gateAssessment = checked(gate.gateAssessment, 'gateAssessment', {
  input: z.looseObject({ ...rows, proposed, infoScore }),
  config: gateConfig.optional(),
});

/**
 * Decides as {@link gateAssessment} does, from a summary of the rows that a record can hold. Pure.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const decideTrust = checked(gate.decideTrust, 'decideTrust', {
  input: z.looseObject({ proposed, infoScore, history, evidence: evidence.optional(), now: at }),
  config: gateConfig,
});

/** Computes the decisions of a cycle again from its record. @throws CortexError `NOT_REPLAYABLE`, `INVALID_INPUT` */
export const replayCycle = checked(replay, 'replayCycle', { record: cycleRecordSchema, directives });

/**
 * Parses an answer of a model: JSON, also in a fence or slightly damaged.
 *
 * @throws CortexError `INVALID_INPUT` for what is neither text nor an object
 */
export const parseAnswer = checked(parse.parseAnswer, 'parseAnswer', {
  output: z.union([z.string(), z.looseObject({})]),
  finishReason: z.string().optional(),
});

/** Repairs common damage of JSON: text around it, commas, quotes and brackets. @throws CortexError `INVALID_INPUT` */
export const repairJson = checked(parse.repairJson, 'repairJson', { text: z.string() });

/**
 * Builds the reflector's instructions: role, scale and answer format, in under 500 tokens. `marker` is the random
 * word of this cycle in front of all text by others.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const systemText = checked(input.systemText, 'systemText', {
  agentName: z.string(),
  marker: z.string(),
});

/**
 * Builds the input of a cycle within `maxTokens`. Whole peers that find no room are left out.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const buildInput = checked(input.buildInput, 'buildInput', {
  facts: z.looseObject({
    cycle: z.number(),
    now: at,
    agentName: z.string(),
    triggers: z.array(z.string()),
    activity: z.looseObject({
      received: count,
      sent: count,
      llmCalls: count,
      tools: z.array(z.looseObject({})),
    }),
    peers: z.array(peer),
    beliefs: z.array(belief),
    soul: z.string().nullable(),
    previousSummary: z.string().nullable(),
    lessons: z.array(z.string()),
  }),
  options: z.strictObject({ marker: z.string(), maxTokens: z.number().positive() }),
});

/**
 * Validates an answer item by item. Pure. Invalid items are dropped with a reason. Only peers of this cycle, integers
 * in range and non-blank rationales pass; beliefs of the closed set and directives only where the facts permit them.
 *
 * @throws CortexError `INVALID_INPUT`
 */
export const validateAnswer = checked(validate, 'validateAnswer', {
  frame: reflectionFrameSchema,
  peers: z.array(peer),
  options: z.strictObject({ directives, now: at.optional() }).optional(),
});

/** Returns the triggers that fire, from memory only. Pure. @throws CortexError `INVALID_INPUT` */
export const evaluateTriggers = checked(evaluate, 'evaluateTriggers', {
  state: z.looseObject({
    lastCycleAt: at,
    interactions: count,
    peersWaiting: count,
    newPeers: count,
    newPeerPermits: count,
    overdue: count,
    jumps: count,
    factors: z.record(z.string(), z.number()),
  }),
  config: z.looseObject({
    scheduleMs: z.number(),
    triggers: z.looseObject({
      timer: z.looseObject({ enabled: z.boolean() }),
      count: z.looseObject({ enabled: z.boolean(), interactions: count }),
      newPeer: z.looseObject({ enabled: z.boolean() }),
      promise: z.looseObject({ enabled: z.boolean() }),
      pattern: z.looseObject({ enabled: z.boolean() }),
    }),
  }),
  now: at,
});
