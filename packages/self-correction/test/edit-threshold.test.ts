import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constantName, editThreshold, isBonafideError, readThreshold } from '../src/index.ts';
import { name, python, refusedPython, refusedTypescript, typescript } from './sources.ts';

const languages = [
  { language: 'python', sources: python, refused: refusedPython, comment: '#' },
  { language: 'typescript', sources: typescript, refused: refusedTypescript, comment: '//' },
] as const;

const split = (marked: string) => {
  const [before = '', literal = '', after = ''] = marked.split(/[«»]/u);
  return { before, literal, after, source: before + literal + after };
};
const codeOf = (call: () => unknown) => {
  try {
    call();
    return null;
  } catch (error) {
    return isBonafideError(error) ? error.code : error;
  }
};

describe.each(languages)('editThreshold in $language', ({ language, sources, refused, comment }) => {
  it.each(Object.entries(sources))('SEL-2 changes the literal and nothing else: %s', (_, marked) => {
    const { before, literal, after, source } = split(marked);
    const previous = Number(literal.replaceAll('_', ''));
    expect(readThreshold(source, { language, task: 'code' })).toBe(previous);
    expect(editThreshold(source, { language, task: 'code', value: 0.75 })).toEqual({
      source: `${before}0.75${after}`,
      previous,
    });
  });

  it.each(Object.entries(sources))('SEL-2 adds a comment only where it is one: %s', (_, marked) => {
    const { before, source } = split(marked);
    const text = 'Auto-adjusted: benchmark success, +0.15';
    const edit = { language, task: 'code', value: 0.75 };
    const commented = editThreshold(source, { ...edit, comment: text }).source;
    const plain = editThreshold(source, edit).source;
    expect(commented.startsWith(`${before}0.75`)).toBe(true);
    const without = commented.replace(`${comment} ${text}`, '');
    expect(without.replace(/\s/gu, '')).toBe(plain.replace(/\s/gu, ''));
    expect(readThreshold(commented, { language, task: 'code' })).toBe(0.75);
    // A second change replaces the comment.
    const again = editThreshold(commented, {
      ...edit,
      value: 0.65,
      comment: 'Auto-adjusted: x, -0.10',
    }).source;
    expect(again).toBe(commented.replace('0.75', '0.65').replace(text, 'Auto-adjusted: x, -0.10'));
  });

  it.each(Object.entries(refused))('SEL-2 refuses %s', (_, [code, source]) => {
    expect(codeOf(() => editThreshold(source, { language, task: 'code', value: 0.75 }))).toBe(code);
  });

  it('SEL-2 leaves every character outside of the literal unchanged, in any file', () => {
    const isPython = language === 'python';
    const noise = [
      `${comment} ${name} = 0.1`,
      isPython ? 'A = """\n\t{x}"""' : 'const a = `\n\t{x}`;',
      isPython ? 'def f():\n    return 0.60' : 'function f() { return 0.60; }',
      isPython ? `B = ["${name}", 0.60]` : `const b = ["${name}", 0.60];`,
      '',
      `${comment} 😀 \u202e \u00a0`,
    ];
    const heads = isPython
      ? [`${name} = `, `${name}: float = `, `T = {"${name}": `]
      : [`const ${name} = `, `export const ${name}: number = `, `const t = { ${name}: `];
    const cases = fc.record({
      bom: fc.constantFrom('', '\ufeff'),
      newline: fc.constantFrom('\n', '\r\n'),
      above: fc.subarray(noise),
      head: fc.constantFrom(...heads),
      literal: fc.constantFrom('0.60', '.6', '0.6', '6e-1', '0.600'),
      tail: fc.constantFrom('', '  ', `  ${comment} 0.60`, '\t'),
      value: fc.integer({ min: 0, max: 100 }).filter((hundredths) => hundredths !== 60),
    });
    fc.assert(
      fc.property(cases, ({ bom, newline, above, head, literal, tail, value }) => {
        const lines = (list: string[]) =>
          list.map((line) => line.replaceAll('\n', newline) + newline).join('');
        const before = bom + lines(above) + head;
        const below = noise.filter((line) => !above.includes(line));
        const after = (head.includes('{') ? '}' : '') + tail + newline + lines(below);
        const edited = editThreshold(before + literal + after, {
          language,
          task: 'code',
          value: value / 100,
        });
        expect(edited).toEqual({ source: `${before}${(value / 100).toFixed(2)}${after}`, previous: 0.6 });
      }),
      { numRuns: 200 },
    );
  });

  it('SEL-2 throws nothing but typed errors', () => {
    const pieces = [
      name,
      ' = ',
      '0.6',
      '{',
      '}',
      '"',
      "'",
      '\n',
      '(',
      ')',
      ':',
      ',',
      '#',
      '//',
      '`',
      'const ',
      'def ',
      '\\',
      '\r',
      '=',
      '**',
      '\0',
      '\ud800',
    ];
    const codes = [null, 'PARSE_ERROR', 'CONSTANT_NOT_FOUND', 'CONSTANT_NOT_LITERAL', 'CONSTANT_DUPLICATE'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const code = codeOf(() => {
          const edited = editThreshold(parts.join(''), { language, task: 'code', value: 0.75 });
          expect(readThreshold(edited.source, { language, task: 'code' })).toBe(0.75);
        });
        expect(codes).toContain(code);
      }),
      { numRuns: 500 },
    );
  });

  it('SEL-2 changes nothing when the value is the same, and refuses malformed edits', () => {
    const { source } = split(sources.annotated ?? '');
    const edit = { language, task: 'code', value: 0.6 };
    expect(editThreshold(source, { ...edit, comment: 'Auto-adjusted: x' })).toEqual({
      source,
      previous: 0.6,
    });
    const wrong = [
      { value: 1.01 },
      { value: Number.NaN },
      { task: '' },
      { task: '--' },
      { language: 'ruby' as never },
      { comment: 'a\nimport os' },
      { comment: 'a\u2028b' },
    ];
    for (const each of wrong)
      expect(codeOf(() => editThreshold(source, { ...edit, ...each }))).toBe('INVALID_INPUT');
  });

  it('SEL-8 quotes nothing of the file in an error', () => {
    for (const [code, source] of Object.values(refused)) {
      const secret = `${source}\n${comment} API_KEY = sk-123456`;
      try {
        editThreshold(secret, { language, task: 'code', value: 0.75 });
        expect.unreachable(code);
      } catch (error) {
        expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('sk-123456');
      }
    }
  });

  it('SEL-2 is tested on at least 40 awkward inputs', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(40);
  });
});

it.each([
  ['benchmark-task', 'TRUST_THRESHOLD_BENCHMARK_TASK'],
  ['code', 'TRUST_THRESHOLD_CODE'],
  ['kind 5000.x', 'TRUST_THRESHOLD_KIND_5000_X'],
  ['naïve', 'TRUST_THRESHOLD_NA_VE'],
])('SEL-2 names the constant of %s', (task, constant) => {
  expect(constantName(task)).toBe(constant);
});
