import { describe, expect, it } from 'vitest';
import { mutantsOf } from '../src/mutants.ts';

const changesOf = (language: 'python' | 'javascript', source: string) =>
  mutantsOf({ language, source }, 100).map(
    ({ mutant: { line, column, change } }) => `${line}:${column} ${change}`,
  );

describe('changes of a reference', () => {
  it('are of operators, constants and numbers of JavaScript, by line and column (JDG-18)', () => {
    const source = `// 1 + 1
const word = /[-+*/]1 "/g; const half = (a) => a / 2 + 'x - y'.length / 3;
const own = [1].map((x) => /<=/.test(x) && \`\${x} + 1\`); /* 2 */`;
    expect(changesOf('javascript', source)).toEqual([
      '2:52 2 becomes 3',
      '2:54 + becomes -',
      '2:73 3 becomes 4',
      '3:14 1 becomes 2',
      '3:41 && becomes ||',
    ]);
  });
  it('leave comments, texts, unpackings and integer divisions of Python alone (JDG-18)', () => {
    const source = `def f(a, *rest, **more):  # 1 + 1
    """2 * 2"""
    return g(*rest, **more) * 3 // 4 + [*rest][0]`;
    expect(changesOf('python', source)).toEqual([
      '3:29 * becomes +',
      '3:31 3 becomes 4',
      '3:36 4 becomes 5',
      '3:38 + becomes -',
      '3:48 0 becomes 1',
    ]);
  });
});
