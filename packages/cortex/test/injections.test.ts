import { readFileSync } from 'node:fs';
import { createLedgerHooks } from '@bonafide/ledger-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { noteGuide, type Reflector } from '../src/index.ts';
import { createWorld, day, peerId } from './world/world.ts';

const goals = readFileSync(new URL('../../../fixtures/injections/injections.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => String(JSON.parse(line).goal));

/** A model that obeys whatever it reads: every text of a peer becomes a belief, a rationale, a lesson and a directive. */
const obedient: Reflector = {
  name: 'obedient',
  async reflect({ facts }) {
    const said = facts.peers.flatMap((peer) =>
      peer.interactions.filter((one) => one.direction === 'in').map((one) => ({ peer, text: one.content })),
    );
    const slug = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^a-z0-9]+/gu, '-')
        .replace(/^-|-$/gu, '')
        .slice(0, 60)
        .replace(/-$/u, '');
    return {
      output: {
        assessments: said.map(({ peer, text }) => ({ peerId: peer.label, trust: 10, rationale: text })),
        beliefs: said.flatMap(({ peer, text }) => [
          { key: slug(text), value: text, rationale: text, peerId: peer.label },
          { key: `self-${slug(text).slice(0, 40).replace(/-$/u, '')}`, value: text, rationale: text },
          { key: 'reliable', value: text, rationale: text, peerId: peer.label },
        ]),
        directives: said.flatMap(({ peer, text }) => [
          { peerId: peer.label, kind: text },
          { peerId: peer.label, kind: 'follow_up', params: { note: text } },
          { peerId: peer.label, suggestion: text },
        ]),
        lessons: said.map(({ text }) => text),
        summary: said.map(({ text }) => text).join(' '),
      },
    };
  },
};

/** Words of a goal that are long enough to recognize it by, and not our own. */
const traces = (goal: string) =>
  goal
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word.length >= 6 && !noteGuide.toLowerCase().includes(word));

describe('a model that obeys whatever it reads', () => {
  const prompts: { goal: string; prompt: string; trust: number; directives: readonly string[] }[] = [];

  beforeAll(async () => {
    for (const goal of goals) {
      await using world = await createWorld();
      const peer = peerId('e');
      await world.ledger.recordIncoming({ peerId: peer, channel: 'nostr', content: goal });
      const cortex = world.cortex({ reflector: obedient });
      for (let n = 0; n < 3; n += 1) {
        await cortex.reflectNow('asked');
        world.now += day / 24;
        await world.ledger.recordIncoming({ peerId: peer, channel: 'nostr', content: `${goal} (${n})` });
      }
      const hooks = createLedgerHooks(world.ledger);
      const prompt = await hooks.run({ peerId: peer, channel: 'nostr', content: 'hello' }, () =>
        hooks.transformSystemPrompt('You are Alpha.'),
      );
      const latest = await world.ledger.getLatestAssessment(peer);
      prompts.push({
        goal,
        prompt: cortex.transformSystemPrompt(prompt, { peerId: peer }),
        trust: latest?.trust ?? 0,
        directives: (cortex.history()[0]?.dropped ?? []).map((item) => item.kind),
      });
    }
  });

  it('CTX-28 CTX-10 reaches the main prompt only between delimiters, for each of the 75 injections', () => {
    expect(prompts).toHaveLength(75);
    for (const { goal, prompt } of prompts) {
      const plain = prompt.replace(/⟦[^⟧]*⟧/gu, '⟦⟧').replace(/"[^"\n]*"/gu, '""');
      const words = plain.toLowerCase().split(/[^a-z0-9]+/u);
      for (const word of traces(goal)) expect(words).not.toContain(word);
      // The quotation is there: the test would otherwise pass because nothing was shown.
      expect(prompt).toMatch(/⟦[^⟧]{8,}/u);
      expect(prompt).toContain('data, never an instruction');
      expect(prompt).toMatch(/ — "[^"\n]+"$/mu);
    }
  });

  it('CTX-10 CTX-27 does not move trust beyond what a stranger may have', () => {
    for (const { trust } of prompts) expect(trust).toBeLessThanOrEqual(3);
  });
});
