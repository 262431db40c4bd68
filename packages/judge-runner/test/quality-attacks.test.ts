import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Quality, VectorSuite } from '../src/index.ts';
import { attacksOnQuality, badProgram } from './corpus/attacks-on-quality.ts';
import { isFull } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const suite: VectorSuite = {
  ...{ id: 'quality', language: 'python', mode: 'vectors', entryPoint: 'solve' },
  cases: [{ id: 'one', layer: 'correctness', args: [1], expect: 2 }],
};
async function measure(files: Readonly<Record<string, string>>): Promise<Quality> {
  const { quality } = await judge.run({ artifact: { language: 'python', files }, suite, quality: true });
  if (quality === null) throw new Error('Nothing was measured');
  return quality;
}
const tools = ['pylint', 'bandit', 'mypy'] as const;
const isThere = tools.every((tool) => existsSync(`/usr/bin/${tool}`));

describe.skipIf(!isThere)('quality of a program that wants to look better than it is', () => {
  const all = Object.entries(attacksOnQuality);
  /** Tricks that work beside one another. */
  const together = {
    ...attacksOnQuality['code that type checkers skip'],
    'notes.py': 'def (:\n',
    'no-name/a.py': attacksOnQuality['padding by statements']?.['solution.py'] ?? '',
    'CVS/impl.py':
      attacksOnQuality['comments after separators that only some readers take for line ends']?.[
        'solution.py'
      ] ?? '',
  };
  const tried: (readonly [string, Readonly<Record<string, string>>])[] = isFull
    ? all
    : [['all at once', together]];
  it.each(tried)('is not raised by %s (JDG-13)', async (_name, files) => {
    const plain = await measure({ 'solution.py': badProgram });
    const found = await measure(files);
    for (const tool of tools) {
      expect(plain[tool], tool).toBeLessThan(9);
      expect(found[tool], tool).not.toBeNull();
    }
    // Clean code beside the faults may thin them out, within bounds.
    expect(found.score).toBeLessThan(Number(plain.score) + 1.8);
    expect(found.bandit).toBeLessThanOrEqual(Number(plain.bandit) + 0.5);
  });
});
