import type { Logger } from '@bonafide/internal';
import { JudgeError } from './errors.ts';
import { type Bench, judgeOnce } from './judgment.ts';
import { mergeLimits } from './limits.ts';
import type { Artifact, Profile, Suite } from './suite.ts';
import type { Verdict } from './verdict.ts';

/** An artifact that does what honest programs do: threads, text, files of the library, deep calls, printing. */
const knownGood: Artifact = {
  language: 'python',
  source: `
import collections, datetime, decimal, functools, itertools, json, math, random, re, threading
from concurrent.futures import ThreadPoolExecutor

@functools.lru_cache(None)
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)

def solve(xs):
    print('working')
    with ThreadPoolExecutor(2) as pool:
        squares = list(pool.map(lambda x: x * x, xs))
    words = re.findall(r'\\w+', json.dumps({'words': 'a b a'}))
    return [sorted(squares), depth(300), collections.Counter(words)['a'], math.isqrt(10 ** 40)]
`,
};

/** An artifact that reaches for the network. */
const knownBad: Artifact = {
  language: 'python',
  source: 'import socket\nsocket.socket()\ndef solve(xs):\n    return None\n',
};

/** Suite that {@link knownGood} passes. */
function selfTestSuite(profile: Profile): Suite {
  return {
    id: `self-test-${profile}`,
    language: 'python',
    mode: 'vectors',
    entryPoint: 'solve',
    profile,
    cases: [
      {
        id: 'good',
        layer: 'smoke',
        args: [[3, -1, 2]],
        expect: [[1, 4, 9], 300, 2, { $int: '100000000000000000000' }],
      },
    ],
  };
}

/**
 * Returns why the judge cannot be trusted now, given its verdicts about the known artifacts; null when it
 * can. Pure.
 */
function selfTestProblem(good: Verdict, bad: Verdict): string | null {
  if (good.outcome !== 'SUCCESS') return `a known good program was judged ${good.outcome} (${good.summary})`;
  if (bad.outcome !== 'SECURITY_VIOLATION')
    return `a program that opens a network socket was judged ${bad.outcome} (${bad.summary})`;
  return null;
}

/** Returns the profile under which a suite's artifacts are tested. Pure. */
export const profileOf = (suite: Suite): Profile =>
  suite.mode === 'program' ? 'STRICT' : (suite.profile ?? 'STRICT');

/** The self-test of a judge, which judges two known programs. Each method throws JudgeError `INFRA` when it fails. */
export interface SelfTest {
  /** Runs it unless it has passed with this profile, or is running. */
  once(profile: Profile): Promise<void>;
  repeat(profile: Profile): Promise<void>;
  /** Waits until none is running. */
  settled(): Promise<void>;
}

/** @param signal - Ends every self-test. */
export function createSelfTest(bench: Bench, signal: AbortSignal, logger: Logger): SelfTest {
  const tested = new Map<Profile, Promise<void>>();

  async function repeat(profile: Profile): Promise<void> {
    const suite = selfTestSuite(profile);
    const [good, bad] = await Promise.all(
      [knownGood, knownBad].map(
        async (artifact) =>
          (await judgeOnce(bench, { artifact, suite, limits: mergeLimits(), signal })).verdict,
      ),
    );
    const problem = good && bad ? selfTestProblem(good, bad) : 'it gave no verdict';
    if (problem !== null) throw new JudgeError('INFRA', `The judge's self-test failed: ${problem}`);
    logger.debug({ profile }, 'The judge passed its self-test');
  }

  return {
    repeat,
    once(profile) {
      const running = tested.get(profile);
      if (running !== undefined) return running;
      const started = repeat(profile);
      tested.set(profile, started);
      started.catch(() => tested.delete(profile));
      return started;
    },
    async settled() {
      await Promise.allSettled(tested.values());
    },
  };
}
