import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { outcomeResult } from '../src/index.ts';
import { outcomes } from '../src/outcome.ts';

it('the README lists every outcome with its result, in the usual order of work (X-11, LED-9)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `(\w+)` \| (open|success|failure) \|/gmu)];
  expect(rows.map(([, outcome, result]) => [outcome, result])).toEqual(
    outcomes.map((outcome) => [outcome, outcomeResult(outcome)]),
  );
});
