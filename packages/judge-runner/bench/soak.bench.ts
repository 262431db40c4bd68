/*
 * A thousand judgments, eight at once, of programs that succeed, fail, are violent, crash and exhaust. Every outcome
 * must be what it is alone, and this process must not grow. Prints a markdown table.
 */
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createJudge, detectSandbox, type VectorSuite } from '../src/index.ts';

const runs = Number(process.env.RUNS ?? 1000);
const sandbox = await detectSandbox();
const judge = createJudge({ sandbox, concurrency: 8 });
const suite: VectorSuite = {
  ...{ id: 'soak', language: 'python', mode: 'vectors', entryPoint: 'solve' },
  cases: [{ id: 'only', layer: 'correctness', args: [[3, 1, 2]], expect: [1, 2, 3] }],
  limits: { cpuHardMs: 500, memoryHardBytes: 64 * 2 ** 20, outputBytes: 100_000 },
};
const programs: readonly (readonly [source: string, outcome: string])[] = [
  ['def solve(x): return sorted(x)', 'SUCCESS null'],
  ['import json, re, threading\ndef solve(x): return sorted(x)', 'SUCCESS null'],
  ['def solve(x): return x', 'FAILURE null'],
  ['def solve(x): raise ValueError(x)', 'FAILURE null'],
  ['import socket\nsocket.socket()', 'SECURITY_VIOLATION null'],
  ['open("/etc/" + "shadow")', 'SECURITY_VIOLATION null'],
  ['import os\nos._exit(3)', 'ERROR crash'],
  ['def solve(x):\n  while True: print("x" * 1000)', 'ERROR output'],
];
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
const descriptors = () => readdirSync('/proc/self/fd').length;

let wrong = 0;
let done = 0;
const rows: string[] = [];
async function batch(count: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < count) {
        const [source, expected] = programs[next % programs.length] ?? ['', ''];
        next += 1;
        const verdict = await judge.run({ artifact: { language: 'python', source }, suite });
        if (`${verdict.outcome} ${verdict.errorKind}` !== expected) wrong += 1;
      }
    }),
  );
  done += count;
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  rows.push(
    `| ${done} | ${mebibytes(heapUsed + external)} | ${mebibytes(rss)} | ${descriptors()} | ${wrong} |`,
  );
}

const begun = performance.now();
for (let part = 0; part < 10; part += 1) await batch(Math.ceil(runs / 10));
const seconds = (performance.now() - begun) / 1000;
await judge.close();
await sandbox.close();
console.log(
  '| runs so far | in use, MiB | RSS, MiB | descriptors | wrong outcomes |\n|---:|---:|---:|---:|---:|',
);
console.log(rows.join('\n'));
console.log(`\n${(done / seconds).toFixed(1)} judgments a second; at the end ${descriptors()} descriptors.`);
process.exitCode = wrong === 0 ? 0 : 1;
