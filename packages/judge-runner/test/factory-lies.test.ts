import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Artifact, NodeTestSuite } from '../src/index.ts';
import { correctFactories, testsOfFactories, wrongFactories } from './corpus/attacks-by-factories.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
/** Every wrong module; otherwise every third. */
const isFull = process.env.BONAFIDE_PROOF === 'full';

const suite: NodeTestSuite = {
  ...{ id: 'factories', language: 'javascript', mode: 'split' },
  files: { 'test/it.test.mjs': testsOfFactories },
};
const artifactOf = (source: string): Artifact => ({ language: 'javascript', source });
const referred: NodeTestSuite = { ...suite, reference: artifactOf(correctFactories) };

/** Names of the tests that pass in two boxes. */
async function passedIn(source: string, given: NodeTestSuite): Promise<readonly string[]> {
  const { tests, errorKind } = await judge.run({ artifact: artifactOf(source), suite: given });
  expect(errorKind).toBe(null);
  return tests.flatMap(({ id, status }) => (status === 'passed' ? [id.slice(id.lastIndexOf('::') + 2)] : []));
}

/** Names of the tests that fail where the module and its tests run in one process. */
async function failedInOneProcess(source: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-one-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const module = join(folder, 'node_modules/solution');
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(module, 'index.js'), source);
  writeFileSync(join(folder, 'it.test.mjs'), testsOfFactories);
  const report = await new Promise<string>((resolve) => {
    // A failed test is an exit code.
    const options = { env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 };
    const args = ['--test-reporter=tap', join(folder, 'it.test.mjs')];
    execFile(process.execPath, args, options, (_, stdout) => resolve(stdout));
  });
  return [...report.matchAll(/^not ok \d+ - (.*)$/gmu)].map(([, name = '']) => name);
}

describe('wrong modules whose objects are live', () => {
  const modules = Object.entries(wrongFactories).filter((_, index) => isFull || index % 3 === 0);
  it.each(modules)('%s: a test that fails in one process fails in two boxes (JDG-17)', async (_, source) => {
    const failed = new Set(await failedInOneProcess(source));
    expect(failed.size).toBeGreaterThan(30);
    for (const given of [suite, referred])
      expect((await passedIn(source, given)).filter((name) => failed.has(name))).toEqual([]);
  });

  it('the correct module passes all with a reference, and without one all that no warning names (JDG-21)', async () => {
    expect(await failedInOneProcess(correctFactories)).toEqual([]);
    const all = await passedIn(correctFactories, referred);
    expect(all).toHaveLength(39);
    const passed = await passedIn(correctFactories, suite);
    const { warnings } = await judge.checkSuite(suite);
    const named = warnings.map(({ test }) => test.slice(test.lastIndexOf('::') + 2));
    expect(all.filter((name) => !passed.includes(name) && !named.includes(name))).toEqual([]);
    expect(passed.length).toBeGreaterThanOrEqual(36);
  });
});
