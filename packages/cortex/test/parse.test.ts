import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer, repairJson } from '../src/index.ts';

const answer = { assessments: [{ peerId: 'p', trust: 1, rationale: 'r' }], beliefs: [], summary: 's' };
const text = JSON.stringify(answer);
const frame = { ...answer, directives: [], commitments: [], lessons: [] };

describe('parseAnswer', () => {
  it('CTX-11 reads an object and plain JSON', () => {
    expect(parseAnswer(answer)).toEqual({ ok: true, frame, step: 'object' });
    expect(parseAnswer(` ${text}\n`)).toEqual({ ok: true, frame, step: 'json' });
  });

  it('CTX-11 reads a fenced block among other words', () => {
    expect(parseAnswer(`Here you are:\n\`\`\`json\n${text}\n\`\`\`\nAnything else?`)).toEqual({
      ok: true,
      frame,
      step: 'fence',
    });
  });

  it('CTX-11 repairs once: words around it, commas before brackets, raw line breaks in strings', () => {
    const sloppy = `Sure! {"assessments": [{"peerId":"p","trust":1,"rationale":"r",}, ], "beliefs": [],\n"summary":"s",} Done.`;
    expect(parseAnswer(sloppy)).toEqual({ ok: true, frame, step: 'repair' });
    const broken = `{"assessments":[],"beliefs":[],"summary":"one,\n] two"}`;
    expect(parseAnswer(broken)).toMatchObject({
      ok: true,
      frame: { summary: 'one,\n] two' },
      step: 'repair',
    });
  });

  it('CTX-11 refuses a repaired answer that was cut, but not one that needed no repair', () => {
    expect(parseAnswer(`${text.slice(0, -1)},}`, 'length')).toMatchObject({ ok: false });
    expect(parseAnswer(`${text.slice(0, -1)},}`, 'stop')).toMatchObject({ ok: true });
    expect(parseAnswer(text, 'length')).toMatchObject({ ok: true });
  });

  it('CTX-11 never closes what was left open', () => {
    expect(parseAnswer(text.slice(0, -3))).toMatchObject({ ok: false });
    expect(parseAnswer('I would rather not.')).toEqual({ ok: false, problem: 'The answer is not JSON.' });
  });

  it('CTX-11 refuses another shape and says what is wrong with it', () => {
    expect(parseAnswer('[1]')).toMatchObject({ ok: false });
    const wrong = parseAnswer({ assessments: 'none' });
    expect(wrong.ok ? '' : wrong.problem).toContain('assessments');
  });

  it('CTX-11 repairing valid JSON changes nothing but space around commas', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const object = `{"a":${json}}`;
        expect(JSON.parse(repairJson(`x ${object} y`))).toEqual(JSON.parse(object));
      }),
    );
  });

  it('CTX-11 survives any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (any) => void parseAnswer(any, 'stop')),
    );
  });
});
