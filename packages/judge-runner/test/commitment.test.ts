import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawInputs, drawNumber } from '../src/fresh/fresh-cases.ts';
import {
  checkCommitment,
  commitOracle,
  openLeaf,
  type PytestSuite,
  type VectorSuite,
  verifyLeaf,
} from '../src/index.ts';
import { anySpec } from './specs.ts';

const suiteOf = (count: number): VectorSuite => ({
  id: 's',
  language: 'python',
  mode: 'vectors',
  entryPoint: 'f',
  cases: Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    layer: 'correctness',
    args: [index],
    expect: index * index,
  })),
});

describe('commitment', () => {
  it('JDG-6 JDG-22 covers the packages and objects that a suite declares, and nothing where it declares none', () => {
    const suite: PytestSuite = {
      ...{ id: 's', language: 'python', mode: 'split', files: { 'test_a.py': 'def test(): pass' } },
      ...{ python: { packages: ['numpy==2.4.6'] }, objects: ['Stack'] },
    };
    const commitment = commitOracle(suite);
    expect(commitment.count).toBe(2);
    const opening = openLeaf(commitment, suite, '@settings');
    expect(opening.case).toEqual({ id: '@settings', python: ['numpy==2.4.6'], objects: ['Stack'] });
    expect(verifyLeaf(commitment, opening)).toBe(true);
    for (const other of [
      { ...suite, python: { packages: ['numpy==2.4.5'] } },
      { ...suite, objects: ['Stack', 'Liar'] },
      { ...suite, remoteEq: true as const },
    ])
      expect(() => checkCommitment(commitment, other)).toThrow(/not the one/);
    const { python: _python, objects: _objects, ...bare } = suite;
    expect(() => checkCommitment(commitment, bare)).toThrow(/2 cases, the suite 1/);
    expect(commitOracle(bare).count).toBe(1);
  });

  it('JDG-6 every case of every size opens, at its own place only', () => {
    for (let count = 1; count <= 40; count += 1) {
      const suite = suiteOf(count);
      const commitment = commitOracle(suite);
      for (const [index, test] of suite.cases.entries()) {
        const opening = openLeaf(commitment, suite, test.id);
        expect(verifyLeaf({ root: commitment.root, count }, opening), `${index} of ${count}`).toBe(true);
        if (count > 1)
          expect(
            verifyLeaf(commitment, { ...opening, index: (index + 1) % count }),
            `${index} of ${count}`,
          ).toBe(false);
      }
    }
  });

  it('JDG-6 a changed case, salt, path or root is noticed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(), (count, pick) => {
        const suite = suiteOf(count);
        const commitment = commitOracle(suite);
        const opening = openLeaf(commitment, suite, `case-${pick % count}`);
        const flip = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1);
        expect(verifyLeaf(commitment, { ...opening, case: { ...opening.case, expect: -1 } })).toBe(false);
        expect(verifyLeaf(commitment, { ...opening, salt: flip(opening.salt) })).toBe(false);
        expect(verifyLeaf({ ...commitment, root: flip(commitment.root) }, opening)).toBe(false);
        expect(verifyLeaf(commitment, { ...opening, path: [...opening.path, opening.salt] })).toBe(false);
        expect(verifyLeaf(commitment, { ...opening, index: -1 })).toBe(false);
        for (const at of opening.path.keys())
          expect(
            verifyLeaf(commitment, {
              ...opening,
              path: opening.path.map((hash, i) => (i === at ? flip(hash) : hash)),
            }),
          ).toBe(false);
        expect(verifyLeaf(commitment, { ...opening, path: opening.path.slice(1) })).toBe(count === 1);
      }),
    );
  });

  it('JDG-6 is the tree of RFC 6962, computed here a second time', () => {
    const sha = (text: string) => createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex');
    const salt = (index: number) => new Uint8Array(32).fill(index);
    const suite = suiteOf(3);
    const leaf = (index: number) =>
      sha(
        `00${Buffer.from(salt(index)).toString('hex')}${Buffer.from(
          `{"args":[${index}],"expect":${index * index},"id":"case-${index}","layer":"correctness"}`,
        ).toString('hex')}`,
      );
    expect(commitOracle(suite, { salt }).root).toBe(sha(`01${sha(`01${leaf(0)}${leaf(1)}`)}${leaf(2)}`));
  });

  it('JDG-6 equal cases have unequal leaves, since each is salted', () => {
    const suite = suiteOf(2);
    expect(commitOracle(suite).root).not.toBe(commitOracle(suite).root);
    expect(new Set(commitOracle(suiteOf(30)).salts).size).toBe(30);
  });

  it('JDG-6 X-4 the script and the error of an unknown part say what to give', () => {
    const suite = suiteOf(2);
    expect(() => openLeaf(commitOracle(suite), suite, 'nope')).toThrow("It has 'case-0', 'case-1'.");
    const script = resolve(import.meta.dirname, '../scripts/verify-commitment.py');
    const called = (...args: string[]) => spawnSync('python3', [script, ...args], { encoding: 'utf8' });
    const usage = 'Usage: python3 verify-commitment.py commitment.json opening.json';
    expect(called('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining(usage) });
    expect(called()).toMatchObject({ status: 2, stderr: expect.stringContaining(usage) });
    const folder = mkdtempSync(join(tmpdir(), 'bonafide-commitment-'));
    try {
      const empty = join(folder, 'empty.json');
      writeFileSync(empty, '{}');
      const wrong = called(empty, empty);
      expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining("'index' is missing") });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('JDG-6 another suite is refused', () => {
    const commitment = commitOracle(suiteOf(4));
    expect(() => checkCommitment(commitment, suiteOf(4))).not.toThrow();
    expect(() => checkCommitment(commitment, suiteOf(5))).toThrow(
      expect.objectContaining({ code: 'COMMITMENT_MISMATCH' }),
    );
    const changed = { ...suiteOf(4), cases: suiteOf(4).cases.toReversed() };
    expect(() => checkCommitment(commitment, changed)).toThrow(
      expect.objectContaining({ code: 'COMMITMENT_MISMATCH' }),
    );
    expect(() => openLeaf(commitment, suiteOf(4), 'other')).toThrow(
      expect.objectContaining({ code: 'COMMITMENT_MISMATCH' }),
    );
  });

  describe("an outsider's script", () => {
    const script = resolve(import.meta.dirname, '../scripts/verify-commitment.py');
    /** What a stranger's Python, which knows nothing of this package, makes of published commitment and openings. */
    const verify = (...contents: readonly object[]): { code: number; text: string } => {
      const folder = mkdtempSync(join(tmpdir(), 'commitment-'));
      try {
        const paths = contents.map((content, index) => {
          const path = join(folder, `${index}.json`);
          writeFileSync(path, JSON.stringify(content));
          return path;
        });
        return {
          code: 0,
          text: execFileSync('/usr/bin/python3', ['-I', script, ...paths], { encoding: 'utf8' }),
        };
      } catch (error) {
        const failed = error as { status: number; stdout: string };
        return { code: failed.status, text: failed.stdout };
      } finally {
        rmSync(folder, { recursive: true });
      }
    };

    it('JDG-6 draws the inputs of a run again from its seed and the opened generators', () => {
      fc.assert(
        fc.property(fc.array(anySpec, { maxLength: 6 }), fc.string(), (specs, seed) => {
          const generators = specs.map((spec, index) => ({
            id: `g${index}`,
            layer: 'correctness' as const,
            args: [spec],
          }));
          const suite: VectorSuite = {
            ...suiteOf(2),
            generators: [...generators, { id: 'own', layer: 'edge', args: { from: 'f' }, raises: true }],
            oracle: { language: 'python', source: 'def f(x): return [x]' },
          };
          const commitment = commitOracle(suite);
          expect(commitment.count).toBe(2 + generators.length + 1 + 1);
          const names = [...generators.map(({ id }) => id), 'own', 'oracle/solution.py'];
          const openings = names.map((name) => openLeaf(commitment, suite, name));
          const cases = generators.map((generator) => {
            const args = drawInputs({ generator, index: 0, seed });
            return { id: `${generator.id}#0`, layer: 'correctness', args, expect: 1 };
          });
          const number = drawNumber({
            generator: { id: 'own', layer: 'edge', args: { from: 'f' } },
            index: 7,
            seed,
          });
          const own = { id: 'own#7', layer: 'edge', args: [number], raises: 'E' };
          const told = verify(commitment, openings, { fresh: { seed, cases: [...cases, own] } });
          expect(told.code, told.text).toBe(0);
          expect(told.text.match(/: drawn from the seed/g) ?? []).toHaveLength(generators.length);
          expect(told.text).toContain(`case own#7: f(${number}) of the oracle draws it`);
          if (cases[0] === undefined) return;
          const other = [{ ...cases[0], args: [...(cases[0].args ?? []), 1] }];
          expect(verify(commitment, openings, { fresh: { seed, cases: other } }).code).toBe(1);
        }),
        { numRuns: 25 },
      );
    });

    it('JDG-6 finds a verdict that was given by another commitment', () => {
      const [suite, other] = [suiteOf(3), suiteOf(4)];
      const { root, count } = commitOracle(suite);
      const commitment = commitOracle(suite);
      const opening = openLeaf(commitment, suite, 'case-1');
      const published = { root: commitment.root, count: commitment.count };
      const told = verify(published, opening, { fresh: null, commitment: published });
      expect(told).toEqual({
        code: 0,
        text: expect.stringContaining('verdict: was judged by the commitment'),
      });
      for (const named of [{ root, count }, { ...published, count: 4 }, commitOracle(other)])
        expect(verify(published, opening, { fresh: null, commitment: named })).toEqual({
          code: 1,
          text: expect.stringContaining('verdict: WAS JUDGED BY ANOTHER COMMITMENT'),
        });
      const without = verify(published, opening, { fresh: null, commitment: null });
      expect(without).toEqual({ code: 0, text: expect.stringContaining('verdict: names no commitment') });
    });

    it('JDG-6 confirms every opened case, and finds the one that was changed', () => {
      const odd: VectorSuite = {
        ...suiteOf(9),
        cases: [
          ...suiteOf(9).cases,
          {
            id: 'é😀\ud800"\\\u0001\u007f',
            layer: 'edge',
            args: [0.1, 1e-7, 1.5e-9, 0.000123, -2.5],
            expect: { b: 1, ä: 2, '😀': 3 },
          },
          { id: 'loose', layer: 'edge', args: [], expect: 1, tolerance: 1e-10 },
        ],
      };
      const commitment = commitOracle(odd);
      const { root, count } = commitment;
      const openings = odd.cases.map((test) => openLeaf(commitment, odd, test.id));
      const right = verify({ root, count }, openings);
      expect(right).toEqual({
        code: 0,
        text: openings.map(({ index }) => `test ${index}: belongs to the commitment\n`).join(''),
      });
      const changed = openings.map((opening, index) =>
        index === 4 ? { ...opening, case: { ...opening.case, expect: 17 } } : opening,
      );
      const wrong = verify({ root, count }, changed);
      expect(wrong.code).toBe(1);
      expect(wrong.text.match(/DOES NOT BELONG/g)).toHaveLength(1);
      expect(wrong.text).toContain('test 4: DOES NOT BELONG');
      expect(verify({ root }, openings).code).toBe(2);
    });
  });

  it('JDG-6 files and expected tests of a pytest suite are committed to as well', () => {
    const files = { 'test_a.py': 'def test_a(): pass', 'conftest.py': '' };
    const suite: PytestSuite = {
      id: 'p',
      language: 'python',
      mode: 'split',
      files,
      tests: [{ id: 'test_a.py::test_a', layer: 'smoke' }],
    };
    const commitment = commitOracle(suite);
    expect(commitment.count).toBe(3);
    for (const name of ['conftest.py', 'test_a.py', 'test_a.py::test_a'])
      expect(verifyLeaf(commitment, openLeaf(commitment, suite, name))).toBe(true);
    const changed = { ...suite, files: { ...files, 'test_a.py': 'def test_a(): assert 0' } };
    expect(() => checkCommitment(commitment, changed)).toThrow('not the one');
  });
});
