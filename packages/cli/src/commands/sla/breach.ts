import { writeFile } from 'node:fs/promises';
import { sanitizeRemoteText } from '@bonafide/internal';
import {
  activePenalties,
  advanceBreach,
  applyPenalties,
  type Breach,
  type BreachEvent,
  type BreachStep,
  breachTransitions,
  detectBreach,
  parseBreach,
} from '@bonafide/trust-score';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import type { Printer } from '../../print.ts';
import { type PolicyOptions, readPolicy } from '../trust/policy.ts';
import { readJson } from '../trust/read.ts';
import { type Ground, grounds, type PlainStep } from './steps.ts';

/** Options of every command about a breach. */
export interface BreachOptions {
  /** Time of the step, ms since epoch. @default now */
  readonly at?: number;
  readonly json: boolean;
}

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;

/** Describes the next step with its deadline. */
function next({ state, disputableUntil, dispute, penalty, arbitrator, detectedAt }: Breach): string {
  switch (state) {
    case 'detected':
      return disputableUntil === detectedAt
        ? 'Disputes are not allowed: it can be confirmed.'
        : `The agent may dispute it until ${minute(disputableUntil)}; then it can be confirmed.`;
    case 'disputed':
      return (
        `${sanitizeRemoteText(arbitrator ?? 'An arbitrator that is not the agent', 100)} may decide until ` +
        `${minute(dispute?.decideBy ?? 0)}; without a decision it lapses and the breach stands. The clock keeps running.`
      );
    case 'upheld':
    case 'confirmed':
      return `The penalty (${penalty.type.replaceAll('_', ' ')}) can be applied.`;
    case 'penalised':
    case 'recovering':
      return 'Each day above target recovers a part of it.';
    case 'excused':
    case 'recovered':
      return 'It is closed.';
  }
}

function printBreach(breach: Breach, now: number, print: Printer): void {
  const { breachId, agentId, metric, value, breachThreshold, state, dispute, detectedAt } = breach;
  const safe = (text: string) => sanitizeRemoteText(text, 300);
  print.line(print.paint('bold', `Breach ${safe(breachId)} of ${safe(agentId)}: ${state}`));
  print.line(`  ${safe(metric)} was ${value}, beyond ${breachThreshold}, found ${minute(detectedAt)}`);
  if (dispute !== null) {
    print.line(`  Claim of the agent, ${minute(dispute.filedAt)}: ${safe(dispute.claim)}`);
    for (const one of dispute.evidence) print.line(`    evidence: ${safe(one)}`);
    const { decision } = dispute;
    if (decision !== null)
      print.line(`  Decided ${minute(decision.at)}: ${decision.outcome}, since ${safe(decision.reason)}`);
  }
  const { score, acceptsNewDelegations } = applyPenalties(1, activePenalties(breach, now), now);
  if (score < 1) print.line(`  In effect: the trust score counts ${Number((score * 100).toFixed(1))} %`);
  if (!acceptsNewDelegations) print.line('  In effect: no new delegations');
  print.line(`  Next: ${next(breach)}`);
  const legal = Object.keys(breachTransitions[state]);
  if (legal.length > 0) print.line(print.paint('dim', `  Possible steps: ${legal.join(', ')}`));
}

function printStep({ breach, notices }: BreachStep, now: number, json: boolean, print: Printer): void {
  if (json) {
    print.json({ breach, notices });
    return;
  }
  printBreach(breach, now, print);
  for (const { to, text } of notices)
    print.line(`  Notice to ${to === 'public' ? 'the public' : `the ${to}`}: ${text}`);
}

/** Writes a breach into a new file, which must not exist. A file that is overwritten would lose the state of a breach. */
async function writeNew(path: string, breach: Breach): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(breach, null, 2)}\n`, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const name = sanitizeRemoteText(path, 200);
    const message =
      code === 'EEXIST' ? `The file ${name} exists. Name a new one with --out.` : `${name}: ${code}`;
    throw new CliError('USAGE', message, { cause });
  }
}

/** Applies an event to the breach in a file, and writes the result. */
async function step(
  path: string,
  event: BreachEvent,
  options: BreachOptions & { readonly out?: string },
  print: Printer,
): Promise<void> {
  const now = options.at ?? Date.now();
  const result = advanceBreach(parseBreach(await readJson(path)), event, now);
  if (options.out !== undefined) await writeNew(options.out, result.breach);
  printStep(result, now, options.json, print);
}

/** `bonafide sla breach <sla>`: creates the breach of a promise, on the verifier's terms. */
export async function slaBreach(
  path: string,
  options: BreachOptions &
    PolicyOptions & {
      readonly out?: string;
      readonly id: string;
      readonly agent: string;
      readonly metric: string;
      readonly value: number;
      readonly downtimeHours?: number;
    },
  print: Printer,
): Promise<void> {
  const sla = z.record(z.string(), z.unknown()).safeParse(await readJson(path));
  if (!sla.success) throw new CliError('USAGE', 'An SLA is a JSON object with guarantees.');
  const { id, agent, metric, value, downtimeHours, at = Date.now() } = options;
  const result = detectBreach(
    sla.data,
    {
      ...{ breachId: id, agentId: agent, metric, value },
      ...(downtimeHours === undefined ? {} : { downtimeMs: downtimeHours * 3_600_000 }),
    },
    at,
    { policy: await readPolicy(options) },
  );
  if (options.out !== undefined) await writeNew(options.out, result.breach);
  printStep(result, at, options.json, print);
}

/** `bonafide sla show <breach>`: prints the state of a breach and what comes next. */
export async function slaShow(path: string, options: BreachOptions, print: Printer): Promise<void> {
  const breach = parseBreach(await readJson(path));
  if (options.json) print.json(breach);
  else printBreach(breach, options.at ?? Date.now(), print);
}

/** `bonafide sla dispute <breach>`: files the claim of the accused agent. */
export function slaDispute(
  path: string,
  options: BreachOptions & {
    readonly out?: string;
    readonly id: string;
    readonly claim: string;
    readonly evidence: readonly string[];
    readonly remedy: 'remove' | 'reduce';
    readonly forceMajeure?: Ground;
  },
  print: Printer,
): Promise<void> {
  const { id, claim, evidence, remedy, forceMajeure } = options;
  const event: BreachEvent = {
    ...{ type: 'dispute', disputeId: id, claim, evidence },
    requestedRemedy: `${remedy}_penalty`,
    forceMajeure: forceMajeure === undefined ? null : grounds[forceMajeure],
  };
  return step(path, event, options, print);
}

/** `bonafide sla decide <breach>`: records the decision of the arbitrator, who cannot be the agent. */
export function slaDecide(
  path: string,
  options: BreachOptions & {
    readonly out?: string;
    readonly outcome: 'upheld' | 'excused';
    readonly because: string;
    readonly arbitrator: string;
  },
  print: Printer,
): Promise<void> {
  const { outcome, because, arbitrator } = options;
  return step(path, { type: 'decide', outcome, reason: because, arbitrator }, options, print);
}

/** `bonafide sla advance <breach> <step>`: confirms a breach, lets a dispute lapse, applies the penalty, or records a day. */
export function slaAdvance(
  path: string,
  name: PlainStep,
  options: BreachOptions & { readonly out?: string; readonly affected?: readonly string[] },
  print: Printer,
): Promise<void> {
  const event: BreachEvent =
    name === 'good-day' || name === 'bad-day'
      ? { type: 'day', aboveTarget: name === 'good-day' }
      : name === 'penalise'
        ? { type: name, affectedDelegators: options.affected ?? [] }
        : { type: name };
  return step(path, event, options, print);
}
