import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type DecisionRecord,
  type LogRecord,
  type OutcomeRecord,
} from '../src/index.ts';
import { encodeRecord, validateRecord } from '../src/log/record-codec.ts';
import { readUsualRecord } from '../src/log/usual-records.ts';
import { exclusionReasonSchema, outcomeSchema, tierSchema } from '../src/schemas.ts';
import { good, manualClock, platform } from './support.ts';

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const duration = fc.double({ min: 0, max: 1e9, noNaN: true });
const msat = fc.nat();
const text = fc
  .string({ maxLength: 60, unit: 'binary' })
  .map((given) => given.slice(0, 60).toWellFormed().replaceAll('\0', ''));
const id = text.map((given) => `id ${given}`);
const at = fc.integer({ min: 0, max: 2e12 });
const ref = fc.nat(9).map((n) => platform(n + 1));
const columns = { id, at, taskType: text.map((given) => `type ${given}`) };

const outcome: fc.Arbitrary<OutcomeRecord> = fc.record({
  kind: fc.constant('outcome'),
  ...columns,
  platform: ref,
  jobId: id,
  outcome: fc.constantFrom(...outcomeSchema.options),
  valueMsat: orNull(msat),
  measurements: fc.record({
    passRate: orNull(share),
    latencyMs: orNull(duration),
    executionMs: orNull(duration),
    quality: orNull(fc.integer({ min: 0, max: 10 })),
    softLimitExceeded: orNull(fc.boolean()),
    memoryShare: orNull(duration),
    coverage: orNull(share),
    errorKind: orNull(text),
    costMsat: orNull(msat),
  }),
});

const criterion = fc.record({ raw: orNull(duration), value: share, contribution: share });
const decision: fc.Arbitrary<DecisionRecord> = fc.record({
  kind: fc.constant('decision'),
  ...columns,
  jobId: orNull(id),
  session: orNull(id),
  valueMsat: orNull(msat),
  size: orNull(fc.double({ min: 0.1, max: 1e6, noNaN: true })),
  deadlineMs: orNull(fc.integer({ min: 1 })),
  difficulty: orNull(share),
  strategy: text,
  strategyVersion: text,
  degraded: fc.boolean(),
  wanted: fc.integer({ min: 1, max: 64 }),
  picks: fc.array(
    fc.record({
      platform: ref,
      platformId: text,
      name: orNull(text),
      tier: fc.constantFrom(...tierSchema.options),
      trust: share,
      probability: share,
      reason: text,
    }),
    { maxLength: 2 },
  ),
  candidates: fc.array(
    fc.record({
      platformId: text,
      tier: fc.constantFrom(...tierSchema.options),
      trust: share,
      score: share,
      priceMsat: orNull(duration),
      latencyMs: orNull(duration),
      inFlight: fc.nat(),
      ageMs: duration,
      probability: share,
      criteria: fc.record({
        trust: criterion,
        cost: criterion,
        latency: criterion,
        load: criterion,
        exploration: criterion,
      }),
    }),
    { maxLength: 2 },
  ),
  candidateCount: fc.nat(),
  scale: fc.option(
    fc.record({
      weights: fc.record({
        trust: share,
        cost: share,
        latency: share,
        load: share,
        exploration: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
      leastCostMsat: orNull(duration),
      leastLatencyMs: orNull(duration),
    }),
    { nil: undefined },
  ),
  shortlisted: orNull(fc.nat()),
  excluded: fc.array(
    fc.record({ platformId: text, reason: fc.constantFrom(...exclusionReasonSchema.options) }),
    { maxLength: 2 },
  ),
  excludedCount: fc.nat(),
});

const odd: readonly unknown[] = [
  undefined,
  null,
  '',
  '\0',
  '\ud800',
  'a:b',
  'x'.repeat(5_000),
  'SUCCES',
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  -0,
  0,
  0.5,
  1.5,
  10.5,
  1e6 + 1,
  2 ** 53,
  8.64e15 + 1,
  [],
  [null],
  {},
];

/** A place in a record, and what is put there. */
interface Change {
  readonly place: number;
  readonly value: unknown;
  readonly how: 'replace' | 'remove' | 'add';
}
const change = fc.record({
  place: fc.nat(10_000),
  value: fc.constantFrom(...odd),
  how: fc.constantFrom<Change['how']>('replace', 'remove', 'add'),
});

/** Returns the record with one member replaced, removed or added, at any depth. */
function changed(record: LogRecord, { place, value, how }: Change): LogRecord {
  const copy = structuredClone(record);
  const members: { readonly owner: Record<string, unknown>; readonly name: string }[] = [];
  const visit = (owner: unknown) => {
    if (typeof owner !== 'object' || owner === null) return;
    for (const [name, member] of Object.entries(owner)) {
      members.push({ owner: owner as Record<string, unknown>, name });
      visit(member);
    }
  };
  visit(copy);
  const found = members[place % members.length];
  if (found === undefined) return copy;
  if (how === 'remove' && !Array.isArray(found.owner)) delete found.owner[found.name];
  else found.owner[how === 'add' && !Array.isArray(found.owner) ? 'added' : found.name] = value;
  return copy;
}

describe('records in their usual form', () => {
  it('RTM-23 what this version writes is read without the schema, with the same result', () => {
    fc.assert(
      fc.property(fc.oneof(outcome, decision), (record) => {
        const stored: LogRecord = JSON.parse(JSON.stringify(encodeRecord(record)));
        const read = readUsualRecord(stored);
        expect(read).toStrictEqual(validateRecord(stored));
        // Nothing of what the store handed out is kept.
        expect(Object.values(read ?? {}).filter((member) => Object.is(member, stored.data.platform))).toEqual(
          [],
        );
      }),
    );
  });

  it('RTM-23 RTM-24 whatever is read without the schema, the schema reads equally, and it refuses the rest', () => {
    let [read, refused] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(outcome, decision), change, (record, how) => {
        const stored = changed(encodeRecord(record), how);
        const usual = readUsualRecord(stored);
        if (usual === null) refused += 1;
        else {
          read += 1;
          expect(usual).toStrictEqual(validateRecord(stored));
        }
      }),
      { numRuns: 3_000 },
    );
    // Both cases occurred often.
    expect(Math.min(read, refused)).toBeGreaterThan(300);
  });

  it.each<[string, unknown]>([
    ['wanted', 0],
    ['size', 0],
    ['deadlineMs', 0],
    ['difficulty', 1.1],
    ['candidateCount', -1],
    ['shortlisted', 0.5],
    ['valueMsat', 1.5],
    ['strategy', null],
    ['degraded', 1],
    ['jobId', ''],
    ['session', ''],
    ['picks', {}],
  ])('RTM-24 refuses a decision whose %s is %s, as the schema does', (name, value) => {
    const [record] = fc.sample(decision, { numRuns: 1, seed: 1 });
    const stored = encodeRecord(record as DecisionRecord);
    const broken = { ...stored, data: { ...stored.data, [name]: value as never } };
    expect(readUsualRecord(stored)).not.toBeNull();
    expect(readUsualRecord(broken)).toBeNull();
    expect(() => validateRecord(broken)).toThrow(expect.objectContaining({ code: 'LOG_CORRUPT' }));
  });

  it('RTM-23 RTM-8c logs criteria in a third of their bytes, and reads them as they were decided', async () => {
    const store = createMemoryRoutingStore();
    const matrix = createRoutingMatrix({ store, clock: manualClock(), random: seededRandom(4) });
    for (let n = 1; n <= 16; n += 1) {
      await matrix.register({
        platform: platform(n),
        taskTypes: ['code'],
        priceMsat: n === 3 ? null : 90 + n,
      });
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType: 'code',
          attemptId: `${n} ${i}`,
          verdict: good(n === 5 ? {} : { latencyMs: 700 + n }),
        });
    }
    const decided = await matrix.select({ taskType: 'code', valueMsat: 5_000, size: 0.3 }, { n: 2 });
    const [stored] = (await store.latest({ kind: 'decision', limit: 1 })).items;
    if (stored === undefined) throw new Error('Nothing was logged');
    expect((await matrix.decisions()).items).toEqual([decided]);
    expect(validateRecord(stored)).toEqual(decided);
    expect(decided.candidates.filter(({ criteria }) => criteria.cost.raw === null)).toHaveLength(1);
    const whole = JSON.stringify(decided).length;
    expect(JSON.stringify(stored.data).length).toBeLessThan(0.4 * whole);
    // A record without a scale, as an earlier version wrote it, is read as well.
    const { scale: _, ...before } = decided;
    expect(validateRecord(encodeRecord(before))).toEqual(before);
    expect(readUsualRecord(encodeRecord(before))).toEqual(before);
  });

  it.each<[string, (row: unknown[]) => void]>([
    ['too short', (row) => row.pop()],
    ['too long', (row) => row.push(1)],
    ['with a text for a figure', (row) => row.splice(9, 1, '3')],
    ['without its id', (row) => row.splice(0, 1, null)],
    ['with a negative price', (row) => row.splice(4, 1, -1)],
  ])('RTM-24 refuses a row that is %s', (_, change) => {
    const records = fc.sample(decision, { numRuns: 100, seed: 1 });
    const record = records.find(
      ({ scale, candidates }) =>
        scale !== undefined &&
        candidates.length > 0 &&
        candidates.every(({ criteria }) => criteria.exploration.raw !== null),
    );
    const stored = structuredClone(encodeRecord(record as DecisionRecord));
    expect(readUsualRecord(stored)).not.toBeNull();
    change((stored.data.candidates as unknown[][])[0] as unknown[]);
    expect(readUsualRecord(stored)).toBeNull();
    expect(() => validateRecord(stored)).toThrow(expect.objectContaining({ code: 'LOG_CORRUPT' }));
  });

  it('RTM-24 leaves records of earlier versions to the schema, which fills in what they lack', () => {
    const [record] = fc.sample(decision, { numRuns: 1, seed: 1 });
    const stored = encodeRecord(record as DecisionRecord);
    const { degraded: _, strategyVersion: __, shortlisted: ___, session: ____, ...data } = stored.data;
    expect(readUsualRecord({ ...stored, data })).toBeNull();
    expect(validateRecord({ ...stored, data })).toMatchObject({
      degraded: false,
      strategyVersion: '1',
      shortlisted: null,
      session: null,
    });
  });
});
