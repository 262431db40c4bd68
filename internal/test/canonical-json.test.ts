import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../src/index.ts';

describe('canonicalJson', () => {
  it('writes one text for equal values', () => {
    expect(canonicalJson({ b: [1, 'ü', null], a: { d: true, c: 1e21 } })).toBe(
      '{"a":{"c":1e+21,"d":true},"b":[1,"ü",null]}',
    );
    expect(canonicalJson({ b: 1, a: 2 })).toBe(canonicalJson({ a: 2, b: 1 }));
  });

  it('sorts by UTF-16 code units, as RFC 8785 has it', () => {
    const names = ['€', '\r', '\ufb33', '1', '😀', '\u0080', 'ö'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    const sorted = ['\r', '1', '\u0080', 'ö', '€', '😀', '\ufb33'];
    expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
  });

  it('leaves undefined members out and refuses what JSON cannot hold', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(() => canonicalJson([Number.NaN])).toThrow(TypeError);
    expect(() => canonicalJson([undefined])).toThrow(TypeError);
    expect(() => canonicalJson(1n)).toThrow(TypeError);
  });
});
