import type { Artifact, Profile, Suite } from './suite.ts';
import type { Verdict } from './verdict.ts';

/** An artifact that does what honest programs do: threads, text, files of the library, deep calls, printing. */
export const knownGood: Artifact = {
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
export const knownBad: Artifact = {
  language: 'python',
  source: 'import socket\nsocket.socket()\ndef solve(xs):\n    return None\n',
};

/** Suite that {@link knownGood} passes. */
export function selfTestSuite(profile: Profile): Suite {
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
export function selfTestProblem(good: Verdict, bad: Verdict): string | null {
  if (good.outcome !== 'SUCCESS') return `a known good program was judged ${good.outcome} (${good.summary})`;
  if (bad.outcome !== 'SECURITY_VIOLATION')
    return `a program that opens a network socket was judged ${bad.outcome} (${bad.summary})`;
  return null;
}
