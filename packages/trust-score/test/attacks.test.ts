import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as api from '../src/index.ts';
import { attackRow } from './attacks/attack.ts';
import { attacks } from './attacks/index.ts';

const guide = readFileSync(new URL('../../../docs/guides/trust-attacks.md', import.meta.url), 'utf8');

describe('attacks', () => {
  it('are at least forty, of every class (TRU-29)', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(40);
    expect(new Set(attacks.map(({ attack }) => attack)).size).toBe(attacks.length);
  });

  it.each(attacks.map((one) => [one.group, one.attack, one] as const))(
    '%s: %s; the result is the one in the guide (TRU-29, TRU-31, TRU-32, TRU-33, TRU-35)',
    async (_group, _attack, one) => {
      const outcome = await one.run(api);
      expect(outcome.succeeded).toBe(one.open === true);
      expect(guide).toContain(attackRow(one, outcome));
    },
  );
});
