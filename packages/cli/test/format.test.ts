import { sanitizeRemoteText, terminalJson } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted } from '../src/checks/check.ts';

const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\u001b', '[', '\u009b', '\u202e', '\r', '\n', 'a', '\ud800', '\u{e0001}'),
  }),
);

describe('text of strangers', () => {
  it('CLI-1 sanitizeRemoteText has one line, nothing that a terminal acts on, and no more bytes than allowed', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 3, max: 80 }), (text, maxBytes) => {
        const safe = sanitizeRemoteText(text, maxBytes);
        expect(safe).not.toMatch(unsafe);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(maxBytes);
      }),
    );
    expect(sanitizeRemoteText('plain words: stay_as *they* are #1', 80)).toBe(
      'plain words: stay_as *they* are #1',
    );
  });

  it('CLI-1 terminalJson is the same JSON without anything that a terminal acts on', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = terminalJson({ text }, 2);
        expect(json.replaceAll('\n', '')).not.toMatch(unsafe);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ text })));
      }),
    );
  });

  it('CLI-2 a command that doctor prints can be pasted, whatever the path is called', () => {
    expect(quoted('/home/me/ledger.db')).toBe('/home/me/ledger.db');
    expect(quoted("/tmp/it's; rm -rf $HOME")).toBe("'/tmp/it'\\''s; rm -rf $HOME'");
  });
});
