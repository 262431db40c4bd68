import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import { hasMarkdownFence } from '../src/markdown-fence.ts';
import { useJudge } from './use-judge.ts';

const hint = 'The code is in a Markdown code block (```): answer with the code alone.';
const code = {
  python: 'def add(a, b):\n    return a + b\n',
  javascript: 'export const add = (a, b) => a + b;\n',
};
const vectors = (language: 'python' | 'javascript'): Suite => ({
  id: 'add',
  language,
  mode: 'vectors',
  entryPoint: 'add',
  cases: [{ id: 'small', layer: 'correctness', args: [1, 2], expect: 3 }],
});
const pytest: Suite = {
  id: 'add',
  language: 'python',
  mode: 'split',
  files: { 'test_add.py': 'from solution import add\n\ndef test_add():\n    assert add(1, 2) == 3\n' },
};

describe('an answer in a Markdown code block', () => {
  const judge = useJudge();

  it.each([
    ['python', vectors('python'), `\`\`\`python\n${code.python}\`\`\`\n`],
    ['python', vectors('python'), `Here it is:\n\n\`\`\`python\n${code.python}\`\`\``],
    ['python', pytest, `\n~~~\n${code.python}~~~\n`],
    ['javascript', vectors('javascript'), `\`\`\`js\n${code.javascript}\`\`\`\n`],
  ] as const)('JDG-2 fails, and the summary says why (%s, %o)', async (language, suite, source) => {
    const { outcome, summary } = await judge.run({ artifact: { language, source }, suite });
    expect(['FAILURE', 'ERROR']).toContain(outcome);
    expect(summary.endsWith(` ${hint}`), summary).toBe(true);
  });

  it('JDG-2 is not what a docstring with a fence is, right or wrong', async () => {
    const source = `def add(a, b):\n    """\n\`\`\`\nadd(1, 2)\n\`\`\`\n    """\n    return a + b\n`;
    const suite = vectors('python');
    expect((await judge.run({ artifact: { language: 'python', source }, suite })).outcome).toBe('SUCCESS');
    const wrong = source.replace('a + b', 'a - b');
    const { outcome, summary } = await judge.run({ artifact: { language: 'python', source: wrong }, suite });
    expect([outcome, summary]).toEqual(['FAILURE', '0 of 1 tests passed.']);
  });
});

it('JDG-2 looks for fences in the files of code only', () => {
  const files = (content: Readonly<Record<string, string | Uint8Array>>): Artifact => ({ files: content });
  const text = '```\nx\n```';
  expect(hasMarkdownFence(files({ 'README.md': text, 'a.py': 'x' }), false)).toBe(false);
  expect(hasMarkdownFence(files({ 'a.py': text }), true)).toBe(true);
  expect(hasMarkdownFence(files({ 'a.bin': new TextEncoder().encode(text) }), false)).toBe(false);
});
