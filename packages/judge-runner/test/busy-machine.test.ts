import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { cpuOfThread, ownThread } from '../src/thread-time.ts';

it('knows the CPU time of a thread of its own, and of no other (JDG-20, JDG-25)', () => {
  const thread = ownThread();
  expect(thread).toMatch(/^\d+$/);
  const before = cpuOfThread(String(thread)) ?? Number.NaN;
  const begun = process.threadCpuUsage();
  while (process.threadCpuUsage(begun).user < 100_000);
  expect((cpuOfThread(String(thread)) ?? 0) - before).toBeGreaterThanOrEqual(80);
  expect(cpuOfThread('1')).toBeNull();
});

it('a pattern matches on a machine that leaves no time to its thread for a while (JDG-20, JDG-23)', async () => {
  // Each of these patterns takes about a tenth of a second.
  const program = `
    import { matchesOutput } from ${JSON.stringify(import.meta.resolve('../src/program/match.ts'))};
    const matches = () => matchesOutput('a'.repeat(length), '(?:(a|a)*b|a*)', 'pattern');
    let length = 12;
    const takesMs = () => {
      const begun = performance.now();
      matches();
      return performance.now() - begun;
    };
    while (takesMs() < 60) length += 1;
    for (let n = 0; n < 12; n += 1) console.log(matches());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const found: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => found.push(...text.trim().split('\n')));
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  while (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGSTOP');
    await sleep(400);
    child.kill('SIGCONT');
    await sleep(30);
  }
  await ended;
  expect(found).toEqual(Array.from({ length: 12 }, () => 'true'));
});
