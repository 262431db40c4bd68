import { describe, expect, it } from 'vitest';
import { createLedger, createMemoryLedgerStore } from '../src/index.ts';

const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
/** Default-ignorable and inkless characters: fillers, joiners, variation selectors, tags, the blank Braille pattern. */
const hidden = [
  '\u3164',
  '\uffa0',
  '\u115f',
  '\u2800',
  '\u200b',
  '\u2060',
  '\ufe0f',
  '\u{e0100}',
  '\u{e0041}',
  '\u180e',
  '\u034f',
];

async function setUp(fields: object = {}) {
  const ledger = createLedger({ store: createMemoryLedgerStore() });
  await ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi', ...fields });
  return ledger;
}

describe('blank-looking and hidden text', () => {
  it.each(hidden)('LED-35 a rationale of %j alone says nothing', async (character) => {
    const ledger = await setUp();
    for (const rationale of [character, character.repeat(9), ` ${character}\n${character} `]) {
      await expect(ledger.recordAssessment('irc:bob', 1, rationale)).rejects.toMatchObject({
        code: 'RATIONALE_REQUIRED',
      });
    }
  });

  it.each(hidden)(
    'LED-35 an alias of %j alone is none, and inside one it reaches no model',
    async (character) => {
      expect((await (await setUp({ alias: character })).getPeer('irc:bob'))?.alias).toBeNull();
      const ledger = await setUp({ alias: `Bo${character}b`, content: `a${character}b` });
      await ledger.recordAssessment('irc:bob', 1, `Said${character} hi.`);
      const told = [
        await ledger.peerContext('irc:bob'),
        JSON.stringify(await ledger.tools()[0]?.execute({ peer_id: 'irc:bob' })),
      ].join('');
      // The Braille pattern is visible to a model and only blank to a person.
      if (character !== '\u2800') expect(told).not.toContain(character);
    },
  );

  it('LED-35 private keys in metrics are redacted, in names and values, of messages and outcomes', async () => {
    const metrics = { note: `key ${nsec}`, [nsec]: 1, latencyMs: 5 };
    const ledger = await setUp({ correlationId: 'job', metrics });
    await ledger.recordOutcome('job', 'paid', { metrics, evidence: { proof: nsec } });
    const kept = { note: 'key [nsec redacted]', '[nsec redacted]': 1, latencyMs: 5 };
    expect((await ledger.getInteractions('irc:bob')).items).toMatchObject([
      { metrics: kept, redacted: true },
    ]);
    expect((await ledger.getOutcomes('irc:bob')).items).toMatchObject([{ metrics: kept, evidence: null }]);
  });
});
