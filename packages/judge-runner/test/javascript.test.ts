import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJudge, type Judge, type TaggedJson, type VectorCase, type VectorSuite } from '../src/index.ts';

let judge: Judge;
beforeAll(() => {
  judge = createJudge();
});
afterAll(() => judge?.close());

const suite = (cases: readonly Omit<VectorCase, 'id' | 'layer'>[], limits = {}): VectorSuite => ({
  id: 'javascript',
  language: 'javascript',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: cases.map((test, index) => ({ id: `case-${index}`, layer: 'correctness', ...test })),
  limits,
});
const run = (source: string, cases: readonly Omit<VectorCase, 'id' | 'layer'>[], limits = {}) =>
  judge.run({ artifact: { language: 'javascript', source }, suite: suite(cases, limits) });
const sorts = [{ args: [[3, 1, 2]], expect: [1, 2, 3] }];

describe('JavaScript artifacts', () => {
  it('JDG-7 modules of both kinds, functions, methods and promises are judged alike', async () => {
    const sources = [
      'export function solve(xs) { return xs.sort(); }',
      'export const solve = async (xs) => xs.sort();',
      'module.exports = { solve: (xs) => xs.sort() };',
      'module.exports = function solve(xs) { return xs.sort(); };',
      'export default { solve: (xs) => xs.sort() };',
    ];
    const verdicts = await Promise.all(sources.map((source) => run(source, sorts)));
    expect(verdicts.map((verdict) => [verdict.outcome, verdict.summary])).toEqual(
      sources.map(() => ['SUCCESS', '1 of 1 tests passed.']),
    );
    const files = {
      'solution.mjs':
        "import { order } from './lib/order.mjs'; export class T { static solve(xs) { return order(xs); } }",
      'lib/order.mjs': 'export const order = (xs) => xs.toSorted();',
    };
    const several = await judge.run({
      artifact: { language: 'javascript', files },
      suite: { ...suite(sorts), entryPoint: 'T.solve' },
    });
    expect(several.outcome).toBe('SUCCESS');
  });

  it('JDG-7 every plain value makes the journey there and back', async () => {
    const values: TaggedJson[] = [
      null,
      true,
      0,
      -5,
      0.5,
      'é\u0000😀',
      [1, ['a', null]],
      { a: 1, b: [2] },
      { $int: '0x123456789abcdef0123' },
      { $int: '-0x123456789abcdef0123' },
      { $float: 'inf' },
      { $float: 'nan' },
      { $float: '-0.0' },
      { $bytes: '00ff' },
      { $set: [1, 'a'] },
      { $dict: [[1, 'a']] },
    ];
    const verdict = await run(
      'export const solve = (x) => x;',
      values.map((value) => ({ args: [value], expect: value })),
    );
    expect(verdict.tests.filter((test) => test.status !== 'passed')).toEqual([]);
  });

  it('JDG-7 exceptions, wrong answers and what is no plain value are told apart', async () => {
    const verdict = await run(
      `export function solve(kind) {
        if (kind === 'throw') throw new RangeError('bad');
        if (kind === 'reject') return Promise.reject(new TypeError('bad'));
        if (kind === 'equal') return { valueOf: () => 1, toString: () => '1', constructor: class Yes {} };
        return new (class Odd {})();
      }`,
      [
        { args: ['throw'], raises: 'RangeError' },
        { args: ['throw'], raises: 'Error' },
        { args: ['reject'], raises: 'TypeError' },
        { args: ['throw'], raises: 'TypeError' },
        { args: ['equal'], expect: 1 },
        { args: ['odd'], expect: {} },
        { fn: 'missing', args: [], expect: null },
      ],
    );
    expect(verdict.tests.map((test) => test.status)).toEqual([
      ...['passed', 'passed', 'passed'],
      ...['failed', 'failed', 'failed', 'failed'],
    ]);
  });

  it('JDG-7 attacks come out in their classes', async () => {
    const solve = '; export const solve = (xs) => xs.sort();';
    const attempts: [string, string, string | null, RegExp][] = [
      [
        `import net from 'node:net'; net.connect(80, '1.2.3.4').on('error', () => {})${solve}`,
        'SECURITY_VIOLATION',
        null,
        /socket/,
      ],
      [
        `import dgram from 'node:dgram'; dgram.createSocket('udp4').bind(1)${solve}`,
        'SECURITY_VIOLATION',
        null,
        /socket/,
      ],
      [
        `import { spawnSync } from 'node:child_process'; spawnSync('/usr/bin/python3')${solve}`,
        'SECURITY_VIOLATION',
        null,
        /It called/,
      ],
      [
        `import fs from 'node:fs'; try { fs.readFileSync('/etc/' + 'shadow') } catch {}${solve}`,
        'SECURITY_VIOLATION',
        null,
        /shadow/,
      ],
      [
        `import fs from 'node:fs'; try { fs.readFileSync('/proc/self/' + 'environ') } catch {}${solve}`,
        'SECURITY_VIOLATION',
        null,
        /environ/,
      ],
      ['process.exit(0)', 'ERROR', 'crash', /^$/],
      ['export const solve = () => process.exit(0)', 'ERROR', 'crash', /^$/],
      [
        `import fs from 'node:fs'; export const solve = () => fs.writeSync(4, '{"id":1,"value":[1,2,3]}\\n')`,
        'ERROR',
        'protocol',
        /^$/,
      ],
      ['export const solve = () => { for (;;); }', 'ERROR', 'cpu', /^$/],
      [
        'export const solve = () => { const all = []; for (;;) all.push(new Array(1e6).fill(1)); }',
        'ERROR',
        'oom',
        /^$/,
      ],
      ['export const solve = () => new Promise(() => {})', 'ERROR', 'crash', /^$/],
      [
        `import fs from 'node:fs'; export const solve = () => fs.writeFileSync('/box/f', Buffer.alloc(9e6))`,
        'ERROR',
        'disk',
        /^$/,
      ],
      [
        'Array.prototype.sort = () => [1, 2, 3]; JSON.stringify = () => "{}"; export const solve = () => ({ toJSON: () => [1, 2, 3] })',
        'FAILURE',
        null,
        /^$/,
      ],
      ['this is no JavaScript', 'ERROR', 'crash', /^$/],
    ];
    const limitsOf = (kind: string | null) => ({
      // What never ends waits for this limit; the others must not meet it first.
      cpuHardMs: kind === 'cpu' ? 2500 : 60_000,
      wallMs: 240_000,
      memoryHardBytes: 256 * 2 ** 20,
      diskBytes: 4 * 2 ** 20,
    });
    const verdicts = await Promise.all(
      attempts.map(([source, , kind]) => run(source, sorts, limitsOf(kind))),
    );
    for (const [index, verdict] of verdicts.entries()) {
      const [source = '', outcome, kind, evidence = /^$/] = attempts[index] ?? [];
      expect([verdict.outcome, verdict.errorKind], `${source}: ${verdict.summary}`).toEqual([outcome, kind]);
      expect(verdict.violations[0]?.evidence ?? '').toMatch(evidence);
    }
  });

  it('JDG-7 the box is the same one', async () => {
    const verdict = await run(
      `import fs from 'node:fs'; import os from 'node:os';
      export const solve = () => [process.getuid(), os.hostname(), fs.readdirSync('/etc'), Object.keys(process.env).filter((name) => /TOKEN|VITEST/.test(name)), fs.readdirSync('/artifact')]`,
      [{ args: [], expect: [65534, 'sandbox', ['ld.so.cache'], [], ['solution.js']] }],
    );
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
    expect(verdict.quality).toBeNull();
  });

  it('JDG-7 a suite for one language refuses artifacts in another', async () => {
    await expect(
      judge.run({ artifact: { language: 'python', source: '' }, suite: suite(sorts) }),
    ).rejects.toMatchObject({ code: 'ARTIFACT_INVALID' });
  });
});
