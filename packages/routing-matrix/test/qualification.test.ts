import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, cooldownMs, type Outcome, qualify } from '../src/index.ts';

const dayMs = 86_400_000;
const attempt = (
  outcome: Outcome,
  score = outcome === 'SUCCESS' ? 1 : outcome === 'PARTIAL' ? 0.79 : 0.3,
): Attempt => ({
  outcome,
  score,
});
const of = (...outcomes: readonly Outcome[]) => qualify(outcomes.map((outcome) => attempt(outcome)));

describe('qualification', () => {
  it('RTM-3 makes a full partner of three straight successes, whatever their score', () => {
    expect(of('SUCCESS', 'SUCCESS', 'SUCCESS')).toMatchObject({ verdict: 'ACTIVE', attemptsLeft: 0 });
    const slow = [1, 2, 3].map(() => attempt('SUCCESS', 0.5));
    expect(qualify(slow)).toMatchObject({ verdict: 'ACTIVE', score: 0.5 });
  });

  it('RTM-3 rejects three straight failures, of either kind', () => {
    expect(of('FAILURE', 'ERROR', 'FAILURE')).toMatchObject({ verdict: 'REJECTED', straightFailures: true });
  });

  it('RTM-3 extends two successes and a partial, in any order, to five attempts, then takes the mean', () => {
    expect(of('SUCCESS', 'PARTIAL', 'SUCCESS')).toMatchObject({ verdict: 'CONTINUE', attemptsLeft: 2 });
    expect(of('PARTIAL', 'SUCCESS', 'SUCCESS', 'SUCCESS')).toMatchObject({
      verdict: 'CONTINUE',
      attemptsLeft: 1,
    });
    expect(of('PARTIAL', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS')).toMatchObject({ verdict: 'ACTIVE' });
    expect(of('SUCCESS', 'SUCCESS', 'PARTIAL', 'FAILURE', 'FAILURE')).toMatchObject({
      verdict: 'CONDITIONAL',
      score: 0.678,
    });
  });

  it('RTM-3 makes a conditional partner of one success and two failures', () => {
    expect(of('FAILURE', 'SUCCESS', 'ERROR')).toMatchObject({ verdict: 'CONDITIONAL' });
  });

  it('RTM-3 decides every other pattern by the mean composite', () => {
    expect(of('SUCCESS', 'SUCCESS', 'FAILURE')).toMatchObject({
      verdict: 'CONDITIONAL',
      straightFailures: false,
    });
    expect(of('PARTIAL', 'PARTIAL', 'PARTIAL')).toMatchObject({ verdict: 'CONDITIONAL' });
    expect(of('PARTIAL', 'FAILURE', 'FAILURE')).toMatchObject({
      verdict: 'REJECTED',
      straightFailures: false,
    });
    const nearly = [attempt('SUCCESS', 0.8), attempt('SUCCESS', 0.8), attempt('FAILURE', 0.8)];
    expect(qualify(nearly)).toMatchObject({ verdict: 'ACTIVE', score: 0.8 });
  });

  it('RTM-3 ends at once on a security violation and does not count our own failures', () => {
    expect(of('SUCCESS', 'SECURITY_VIOLATION')).toMatchObject({ verdict: 'BLACKLISTED' });
    expect(of('SUCCESS', 'INFRA', 'SUCCESS')).toMatchObject({ verdict: 'CONTINUE', attemptsLeft: 1 });
    expect(of('INFRA', 'SUCCESS', 'SUCCESS', 'INFRA', 'SUCCESS')).toMatchObject({ verdict: 'ACTIVE' });
  });

  it('RTM-3 decides a plan of a single attempt by its score', () => {
    expect(qualify([attempt('SUCCESS', 0.9)], { attempts: 1 })).toMatchObject({ verdict: 'ACTIVE' });
    expect(qualify([attempt('PARTIAL', 0.7)], { attempts: 1 })).toMatchObject({ verdict: 'CONDITIONAL' });
    expect(qualify([attempt('FAILURE', 0.2)], { attempts: 1 })).toMatchObject({ verdict: 'REJECTED' });
  });

  it('RTM-3 has decided after five attempts, and never takes a sixth', () => {
    const outcomes: readonly Outcome[] = ['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR'];
    const attempts = fc.array(
      fc.record({ outcome: fc.constantFrom(...outcomes), score: fc.double({ min: 0, max: 1, noNaN: true }) }),
      { minLength: 0, maxLength: 5 },
    );
    fc.assert(
      fc.property(attempts, (list) => {
        const decision = qualify(list);
        expect(decision.attemptsLeft === 0).toBe(decision.verdict !== 'CONTINUE');
        if (decision.verdict === 'CONTINUE') {
          expect(list.length + decision.attemptsLeft).toBe(list.length < 3 ? 3 : 5);
        }
      }),
    );
  });

  it('RTM-12 sends a rejected platform away for 1, 3, 7 and 30 days; three straight failures for 30 at once', () => {
    expect([1, 2, 3, 4, 5, 99].map((failed) => cooldownMs(failed, false) / dayMs)).toEqual([
      1, 3, 7, 30, 30, 30,
    ]);
    expect(cooldownMs(1, true) / dayMs).toBe(30);
  });
});
