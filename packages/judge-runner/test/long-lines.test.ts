import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../src/fingerprint.ts';
import { readLines } from '../src/isolation/lines.ts';
import { type Line, lengthOf, lineOf, shortLineBytes, textOf } from '../src/line.ts';
import { measured, usualCpuOfTurns } from './turns.ts';

/** Reads chunks as lines until their end. */
async function linesOf(chunks: Iterable<Uint8Array>, maxBytes: number, most = Number.POSITIVE_INFINITY) {
  const stream = new PassThrough();
  const lines: Line[] = [];
  const problem = new Promise<string | null>((resolve) => {
    readLines(stream, maxBytes, (line, why) => {
      if (line === null) resolve(why);
      else lines.push(line);
      return lines.length < most;
    });
  });
  for (const chunk of chunks)
    if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
  stream.end();
  return { lines, problem: await problem };
}

/** Cuts bytes at places. */
function* cut(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    yield bytes.subarray(start, start + length);
    start += length;
  }
}

describe('lines of a box', () => {
  it('are the same however they are cut, short ones as text and long ones as bytes (JDG-25)', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: shortLineBytes - 2, max: shortLineBytes + 2 }).map((length) => 'x'.repeat(length)),
      fc.integer({ min: 1, max: 400_000 }).map((length) => 'é'.repeat(length)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          text.map((line) => line.replaceAll('\n', '')),
          { maxLength: 6 },
        ),
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 5 }),
        async (wanted, lengths) => {
          const bytes = Buffer.from(wanted.map((line) => `${line}\n`).join(''));
          const { lines, problem } = await linesOf(cut(bytes, lengths), 10_000_000);
          expect(problem).toBeNull();
          expect(lines.map(textOf)).toEqual(wanted);
          for (const line of lines)
            expect(typeof line).toBe(lengthOf(line) <= shortLineBytes ? 'string' : 'object');
        },
      ),
      { numRuns: 40 },
    );
  });

  it('that come byte by byte hold little more memory than their bytes (JDG-25)', async () => {
    const bytes = Buffer.from(`${'x'.repeat(300_000)}\n`);
    const { lines } = await linesOf(cut(bytes, [1]), 1_000_000);
    expect(lines.map(lengthOf)).toEqual([300_000]);
    expect(lines[0]?.length).toBeLessThan(4);
  });

  it('are not read when none is wanted, and too long ones are not kept (JDG-25)', async () => {
    const flood = Buffer.alloc(1_000_000, '\n');
    expect(await linesOf([flood], 100, 1)).toEqual({ lines: [''], problem: null });
    const long = await linesOf(cut(Buffer.alloc(1_000_000, 'x'), [60_000]), 500_000);
    expect(long).toEqual({ lines: [], problem: 'an answer of more than 500000 bytes' });
  });

  it('are made of a text, in memory of their own when it is long (JDG-25)', () => {
    for (const text of ['short', 'ü'.repeat(shortLineBytes + 1)]) {
      const line = lineOf(text);
      expect(textOf(line)).toBe(text);
      // Memory that is handed over to another thread must be of this line alone.
      if (typeof line !== 'string')
        for (const piece of line) expect(piece.byteLength).toBe(piece.buffer.byteLength);
    }
  });
});

describe('the fingerprint of a value', () => {
  const json = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

  it('is the SHA-256 of its JSON (JDG-18, JDG-25)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await fingerprint(value)).toBe(json(value));
      }),
    );
    const odd = { a: undefined, b: [undefined, () => 1], c: () => 1, d: Number.NaN, __proto__: { e: 1 } };
    expect(await fingerprint(odd)).toBe(json(odd));
    // A pair of code units at every place where a long text is cut.
    for (let length = 0; length < 4; length += 1) {
      const text = `${'x'.repeat(length)}${'😀'.repeat(300_000)}\ud800`;
      expect(await fingerprint([text])).toBe(json([text]));
    }
    const bytes = new Uint8Array(1_000_000).fill(7);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await fingerprint({ files: { bytes } })).toBe(json({ files: { bytes: { sha256 } } }));
  });

  it('of 20 MB takes many short turns (JDG-25)', measured, async () => {
    const files = {
      'a.bin': new Uint8Array(10_000_000),
      'b.txt': 'é"\n'.repeat(1_000_000),
      ...Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`f${n}.py`, 'x'.repeat(3000)])),
    };
    await fingerprint(files);
    const cpu = await usualCpuOfTurns(() => fingerprint(files));
    expect(cpu(0.99)).toBeLessThan(20);
    expect(cpu(1)).toBeLessThan(50);
  });
});
