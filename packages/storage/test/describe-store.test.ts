import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary.ts';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

it('STO-1 the kit gives each test a store of its own, closes it whatever happens, and tells what it skips', async () => {
  const folder = temporaryFolder();
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const root = fileURLToPath(new URL('./support/kit', import.meta.url));
  const [report, kit] = [join(folder, 'report.json'), join(folder, 'kit.json')];
  const args = [
    vitest,
    'run',
    '--config',
    join(root, 'vitest.config.ts'),
    '--root',
    root,
    '--reporter',
    'json',
    '--outputFile',
    report,
  ];
  await new Promise((resolve) =>
    execFile(process.execPath, args, { env: { PATH: process.env.PATH, KIT_REPORT: kit } }, resolve),
  );
  const results = (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults.flatMap(
    (file) => file.assertionResults,
  );
  expect(results.map(({ fullName, status }) => `${status} ${fullName}`)).toEqual([
    'passed shelf putting things LED-1 keeps what was put',
    'passed shelf putting things LED-2 is empty at first',
    'failed shelf failing on purpose fails and is closed all the same',
    'passed shelf restarting keeps things across a restart',
    'passed careful shelf putting things LED-1 keeps what was put',
    'passed careful shelf putting things LED-2 is empty at first',
    'skipped careful shelf failing on purpose (skipped: it is made so) fails and is closed all the same',
    'passed careful shelf restarting keeps things across a restart',
    'passed inline shelf one one',
    'skipped inline shelf two (skipped: not here) two',
    'skipped inline shelf three needs what this one has not',
  ]);
  expect(results[2]?.failureMessages.join()).toContain('on purpose');
  const { opened, closed, writerActiveMessage } = JSON.parse(readFileSync(kit, 'utf8'));
  expect(opened).toHaveLength(9);
  expect(closed).toEqual(opened);
  expect(writerActiveMessage).toContain(
    "skips 'puting things', which is not one of: putting things, failing on purpose, restarting",
  );
});
