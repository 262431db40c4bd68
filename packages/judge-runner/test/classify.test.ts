import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  causeOf,
  classify,
  compositePassRate,
  type Layer,
  performanceTier,
  type RunRecord,
  summarizeLayers,
  type TestResult,
} from '../src/index.ts';

const tests = (count: number, layer: Layer = 'correctness') =>
  Array.from({ length: count }, (_, index) => ({ id: `${layer}-${index}`, layer }));

const record = (passed: number, total: number, more: Partial<RunRecord> = {}): RunRecord => ({
  expected: tests(total),
  passed: tests(passed).map((test) => test.id),
  violations: [],
  exceeded: [],
  protocolError: null,
  crash: null,
  ...more,
});
const violation = { kind: 'syscall', evidence: '' } as const;

describe('classify', () => {
  it('JDG-2 decides by the pass rate when nothing else happened', () => {
    expect(classify(record(20, 20))).toBe('SUCCESS');
    expect(classify(record(19, 20))).toBe('PARTIAL');
    expect(classify(record(16, 20))).toBe('PARTIAL');
    expect(classify(record(15, 20))).toBe('FAILURE');
    expect(classify(record(4, 5))).toBe('PARTIAL');
    expect(classify(record(0, 1))).toBe('FAILURE');
    expect(classify(record(0, 0))).toBe('FAILURE');
  });

  it('JDG-3 a failed smoke test is FAILURE whatever else passed', () => {
    const expected = [...tests(1, 'smoke'), ...tests(99)];
    expect(classify(record(99, 99, { expected }))).toBe('FAILURE');
    expect(classify(record(99, 99, { expected, passed: expected.map((test) => test.id) }))).toBe('SUCCESS');
  });

  it('JDG-2 orders the causes: security > disk > oom > output > pids > cpu > timeout > protocol > crash', () => {
    const order = ['disk', 'oom', 'output', 'pids', 'cpu', 'timeout'] as const;
    fc.assert(
      fc.property(
        fc.subarray([...order]).chain((kinds) => fc.shuffledSubarray(kinds, { minLength: kinds.length })),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (exceeded, security, protocol, crash) => {
          const run = record(20, 20, {
            exceeded,
            violations: security ? [violation] : [],
            protocolError: protocol ? 'x' : null,
            crash: crash ? 'x' : null,
          });
          const expected = security
            ? 'security'
            : (order.find((kind) => exceeded.includes(kind)) ??
              (protocol ? 'protocol' : crash ? 'crash' : null));
          expect(causeOf(run)).toBe(expected);
          const outcome =
            expected === null ? 'SUCCESS' : expected === 'security' ? 'SECURITY_VIOLATION' : 'ERROR';
          expect(classify(run)).toBe(outcome);
        },
      ),
    );
  });

  it('JDG-5 only expected ids count, and each once', () => {
    const passed = ['correctness-0', 'correctness-0', 'invented'];
    expect(classify(record(0, 2, { passed }))).toBe('FAILURE');
    expect(classify(record(0, 1, { passed }))).toBe('SUCCESS');
  });
});

describe('layers', () => {
  const result = (layer: Layer, status: TestResult['status']): TestResult => ({
    id: `${layer}-${status}`,
    layer,
    status,
    durationMs: null,
    reason: null,
  });

  it('JDG-3 the composite pass rate is (correctness + half of edge), by count', () => {
    const results = [
      result('correctness', 'passed'),
      result('correctness', 'passed'),
      result('edge', 'failed'),
      result('edge', 'passed'),
      result('performance', 'failed'),
      result('security', 'not-run'),
    ];
    expect(compositePassRate(summarizeLayers(results))).toBe(2.5 / 3);
    expect(compositePassRate(summarizeLayers([result('smoke', 'passed')]))).toBeNull();
    expect(
      summarizeLayers(results).map(({ layer, total, passed, failed, notRun }) => [
        layer,
        total,
        passed,
        failed,
        notRun,
      ]),
    ).toEqual([
      ['correctness', 2, 2, 0, 0],
      ['edge', 2, 1, 1, 0],
      ['performance', 1, 0, 1, 0],
      ['security', 1, 0, 0, 1],
    ]);
  });

  it('JDG-3 performance tests set the tier, and nothing else of the composite', () => {
    const tierOf = (passed: number, failed: number) =>
      performanceTier(
        summarizeLayers([
          ...Array.from({ length: passed }, () => result('performance', 'passed')),
          ...Array.from({ length: failed }, () => result('performance', 'failed')),
        ]),
      );
    expect([tierOf(5, 0), tierOf(4, 1), tierOf(3, 2), tierOf(2, 3), tierOf(0, 5), tierOf(0, 0)]).toEqual([
      ...[1, 2, 2, 3, 3, null],
    ]);
  });
});
