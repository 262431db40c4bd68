import { createRuleReflector, estimateCycle, parseConfig, type Reflector } from '../../src/index.ts';
import { createScriptedReflector } from '../../src/testing/index.ts';
import { countTokens } from '../../test/world/tokenizers.ts';
import { createWorld, hour, minute, peerId, type World } from '../../test/world/world.ts';
import { cited, inlineRationale, sequences } from './quality.ts';

/** The guards under which the plan is measured. */
export type PlanGuards = 'clamp' | 'all';

/** One row of the simulation plan: what was measured, and whether its criterion holds. */
export interface PlanResult {
  readonly measured: string;
  readonly passes: boolean;
}

/** A row of the simulation plan. */
export interface PlanRow {
  readonly name: string;
  readonly criterion: string;
  /** True when all guards keep trust below what the criterion of the plain clamp asks for. */
  readonly stricterWithAll: boolean;
  run(guards: PlanGuards): Promise<PlanResult>;
}

const alice = peerId('a');
const propose = (trust: number) => ({
  assessments: [{ peerId: alice, trust, rationale: `proposed ${trust}` }],
});
const trustOf = async (world: World) => (await world.ledger.getLatestAssessment(alice))?.trust ?? 0;
const talk = (world: World) =>
  world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: 'hello' });
const signed = (trust: number) => (trust > 0 ? `+${trust}` : String(trust).replace('-', '−'));

/** Lets a model propose the values in turn, an hour and a message apart, and returns the trust after each cycle. */
async function proposals(
  world: World,
  guards: PlanGuards,
  values: readonly number[],
): Promise<readonly number[]> {
  const reflector = createScriptedReflector(...values.map(propose));
  const cortex = world.cortex({ reflector, config: { guards } });
  await cortex.start();
  const trusts: number[] = [];
  for (const _ of values) {
    world.now += hour;
    await talk(world);
    await cortex.reflectNow('again');
    trusts.push(await trustOf(world));
  }
  return trusts;
}

async function quality(guards: PlanGuards): Promise<PlanResult> {
  let better = 0;
  for (const outcomes of sequences) {
    await using world = await createWorld();
    for (const [n, outcome] of outcomes.entries()) await world.work(alice, `w${n}`, outcome);
    await world.cortex({ reflector: createRuleReflector(), config: { guards } }).reflectNow('compare');
    const rationale = (await world.ledger.getLatestAssessment(alice))?.rationale ?? '';
    if (cited(rationale) > cited(inlineRationale(outcomes))) better += 1;
  }
  return { measured: `${better} of ${sequences.length}`, passes: better >= 0.7 * sequences.length };
}

async function hallucination(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  for (let n = 0; n < 20; n += 1) {
    world.now += 48 * hour;
    await world.work(alice, `w${n}`, 'verified');
  }
  await world.ledger.recordAssessment(alice, 5, 'twenty of twenty', { source: 'cortex' });
  const trusts = [5, ...(await proposals(world, guards, [-10, -10, -10, 5]))];
  const falls = trusts.slice(1).map((trust, n) => (trusts[n] ?? 0) - trust);
  const recovers = (trusts[4] ?? 0) > (trusts[3] ?? 0) || trusts[4] === 5;
  return { measured: trusts.map(signed).join(', '), passes: Math.max(...falls) <= 3 && recovers };
}

async function pattern(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  for (const [n, costMsat] of [1_000, 1_000, 1_000, 1_000, 1_000, 50_000].entries()) {
    const request = { peerId: alice, channel: 'nostr', content: 'a favor, please', correlationId: `r${n}` };
    await world.ledger.recordIncoming({ ...request, metrics: { costMsat } });
    world.now += hour;
  }
  const cortex = world.cortex({ reflector: createRuleReflector(), config: { guards } });
  await cortex.reflectNow('look');
  const rationale = (await world.ledger.getLatestAssessment(alice))?.rationale ?? '';
  const named = /50 times the median/u.test(rationale) && !/median/u.test(inlineRationale(['requested']));
  const kinds = cortex
    .directives()
    .poll()
    .map(({ kind }) => kind);
  return {
    measured: `named: ${named ? 'yes' : 'no'}; directive ${kinds.join(', ') || 'none'}`,
    passes: named && kinds.includes('decline_large_work'),
  };
}

async function cost(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  const rule = createRuleReflector();
  const counting: Reflector = {
    async reflect(request) {
      const answer = await rule.reflect(request);
      const inputTokens = countTokens(`${request.system}\n${request.input}`);
      return { ...answer, usage: { inputTokens, outputTokens: countTokens(JSON.stringify(answer.output)) } };
    },
  };
  const cortex = world.cortex({ reflector: counting, config: { guards } });
  for (let n = 0; n < 10; n += 1) {
    for (let peer = 0; peer < 5; peer += 1)
      await world.work(peerId(String(peer)), `w${n}-${peer}`, 'verified');
    world.now += hour;
    await cortex.reflectNow('measure');
  }
  const measured = cortex.history().reduce((sum, record) => sum + record.cost.inputTokens, 0);
  const estimated = 10 * estimateCycle(parseConfig(), 5).inputTokens;
  const ratio = measured / estimated;
  return {
    measured: `${measured} tokens, ${ratio.toFixed(2)} × the estimate`,
    passes: ratio > 0.5 && ratio < 2,
  };
}

async function activity(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  const reflector = createScriptedReflector();
  const cortex = world.cortex({ reflector, config: { guards } });
  await cortex.start();
  for (let elapsed = 0; elapsed < 2 * hour; elapsed += minute) {
    world.now += minute;
    await cortex.tick();
  }
  return { measured: `${reflector.requests.length} calls`, passes: reflector.requests.length === 0 };
}

async function timeToLive(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  await world.work(alice, 'one', 'verified');
  const beliefs = [{ key: 'work-record', rationale: 'r', peerId: alice }];
  const reflector = createScriptedReflector({ output: { assessments: [], beliefs } });
  const cortex = world.cortex({ reflector, config: { guards } });
  await cortex.reflectNow('one');
  const shown = cortex.transformSystemPrompt('').includes('work-record');
  world.now += 2 * hour;
  const gone = cortex.transformSystemPrompt('') === '';
  return { measured: `shown, then ${gone ? 'gone' : 'still there'}`, passes: shown && gone };
}

async function boundary(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  await talk(world);
  await world.ledger.recordAssessment(alice, 0, 'no basis', { source: 'agent' });
  const trusts = await proposals(world, guards, [7, 7]);
  return { measured: trusts.map(signed).join(', then '), passes: trusts[0] === 3 && trusts[1] === 6 };
}

async function first(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  const [trust = 0] = await proposals(world, guards, [8]);
  return { measured: signed(trust), passes: trust === 3 };
}

async function migration(guards: PlanGuards): Promise<PlanResult> {
  const trusts: number[] = [];
  for (const proposed of [-10, 10]) {
    await using world = await createWorld();
    await talk(world);
    await world.ledger.recordAssessment(alice, 5, 'from before', { source: 'agent' });
    trusts.push(...(await proposals(world, guards, [proposed])));
  }
  const [low = 0, high = 0] = trusts;
  return { measured: `${signed(low)} to ${signed(high)}`, passes: low >= 2 && high <= 8 };
}

async function concurrency(guards: PlanGuards): Promise<PlanResult> {
  await using world = await createWorld();
  await world.work(alice, 'one', 'verified');
  const called = Promise.withResolvers<() => void>();
  const slow: Reflector = {
    reflect: () => new Promise((resolve) => called.resolve(() => resolve({ output: propose(1) }))),
  };
  const cortex = world.cortex({ reflector: slow, config: { guards } });
  await cortex.start();
  const cycle = cortex.reflectNow('slow');
  const answer = await called.promise;
  for (let n = 0; n < 9; n += 1) cortex.hooks.onMessage({ peerId: alice, content: 'more' });
  const second = await cortex.tick();
  answer();
  await cycle;
  await cortex.close();
  const rows = (await world.ledger.getAssessments(alice)).length;
  const skipped = second?.status === 'skipped' && second.reason === 'busy';
  return {
    measured: `second trigger ${skipped ? 'skipped' : 'ran'}, ${rows} assessment`,
    passes: skipped && rows === 1,
  };
}

const row = (name: string, criterion: string, run: PlanRow['run'], stricterWithAll = false): PlanRow => ({
  name,
  criterion,
  run,
  stricterWithAll,
});

/** The rows of the simulation plan, in its order. */
export const planRows: readonly PlanRow[] = [
  row('assessment quality', 'better than inline in 70 % of 20', quality),
  row('hallucination', 'falls at most 3 a cycle, recovers', hallucination),
  row('pattern detection', 'escalation named', pattern),
  row('cost', 'within 2 × of the estimate', cost),
  row('activity gate', 'no cycle in 2 idle hours', activity),
  row('time to live', 'gone when it has passed', timeToLive),
  row('clamp boundary', '+7 from 0: +3, then +6', boundary, true),
  row('first assessment', '+8 becomes +3', first, true),
  row('migration from +5', 'within +2 to +8', migration),
  row('concurrency', 'second trigger skipped, nothing twice', concurrency),
];

/** Measures every row under both settings of the guards, and formats them as a Markdown table. */
export async function planTable(): Promise<string> {
  const lines: string[] = [];
  for (const [index, { name, criterion, stricterWithAll, run }] of planRows.entries()) {
    const clamp = await run('clamp');
    const all = await run('all');
    const verdict = (passes: boolean, stricter: boolean) =>
      passes ? '' : stricter ? ' (stricter)' : ' (FAILS)';
    const cells = [
      `${index + 1} ${name}`,
      criterion,
      `${clamp.measured}${verdict(clamp.passes, false)}`,
      `${all.measured}${verdict(all.passes, stricterWithAll)}`,
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return ["| row | criterion | `guards: 'clamp'` | `guards: 'all'` |", '|---|---|---|---|', ...lines].join(
    '\n',
  );
}
