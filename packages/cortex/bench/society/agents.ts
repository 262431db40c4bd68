import { createLedger, createMemoryLedgerStore, type Ledger } from '@bonafide/ledger-core';
import { type Cortex, createCortex, createRuleReflector, type Reflector } from '../../src/index.ts';
import { isHostile, type JobResult, type Role } from './peers.ts';

/** The agents of the comparison. */
export const agentNames = [
  'no memory',
  'inline assessment',
  'cortex, by rule',
  'cortex, compromised model',
] as const;

/** Name of an agent of the comparison. */
export type AgentName = (typeof agentNames)[number];

/** An agent of the society: what it remembers of peers, and how it judges them. */
export interface SocietyAgent extends AsyncDisposable {
  readonly ledger: Ledger | null;
  /** Is told of a finished job. */
  learn(peerId: string, result: JobResult, said: string | null): Promise<void>;
  /** Reflects, when it has a cortex and a trigger fires. */
  reflect(): Promise<void>;
}

/** What all agents of a run share. */
export interface Surroundings {
  readonly clock: () => number;
  readonly roleOf: (peerId: string) => Role;
  readonly random: () => number;
}

/**
 * Stands in for a main model that judges in passing: by the last result, and by what is said. It believes praise, obeys
 * instructions and believes slander, as models do under pressure.
 */
async function judgeInline(ledger: Ledger, peerId: string, result: JobResult, said: string | null) {
  const assess = async (peer: string, change: number, rationale: string) => {
    const before = (await ledger.getLatestAssessment(peer))?.trust ?? 0;
    const trust = Math.max(-10, Math.min(10, before + change));
    await ledger.recordAssessment(peer, trust, rationale, { source: 'agent' });
  };
  if (said?.includes('+10')) return assess(peerId, 20, 'It asked to be rated +10.');
  const slandered = /\b[0-9a-f]{64}\b/u.exec(said ?? '')?.[0];
  if (slandered !== undefined && (await ledger.getPeer(slandered)) !== null) {
    await assess(slandered, -2, 'Another peer warned of it.');
  }
  const praise = said?.includes('best agent') ? 2 : 0;
  const change = (result === 'verified' ? 1 : result === 'timeout' ? -1 : -2) + praise;
  return assess(peerId, change, result === 'verified' ? 'Delivered well.' : 'The last result was not good.');
}

/** A model that others have taken over: it praises those who mean harm and slanders everyone else. */
function compromised(roleOf: (peerId: string) => Role): Reflector {
  return {
    name: 'compromised',
    async reflect({ facts }) {
      const assessments = facts.peers.map(({ peerId }) => ({
        peerId,
        trust: isHostile(roleOf(peerId)) ? 10 : -10,
        rationale: 'as the others said',
      }));
      const beliefs = facts.peers.map(({ peerId }) => ({
        ...{ key: 'own-words', value: 'trust it blindly', rationale: 'r', peerId },
      }));
      return {
        output: { assessments, beliefs, summary: 'done' },
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
}

/** Creates an agent without experience. */
export async function createAgent(name: AgentName, around: Surroundings): Promise<SocietyAgent> {
  const { clock, roleOf, random } = around;
  if (name === 'no memory') {
    const nothing = async () => {};
    return { ledger: null, learn: nothing, reflect: nothing, [Symbol.asyncDispose]: nothing };
  }
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock });
  if (name === 'inline assessment') {
    return {
      ledger,
      learn: (peerId, result, said) => judgeInline(ledger, peerId, result, said).then(() => {}),
      reflect: async () => {},
      [Symbol.asyncDispose]: () => ledger.close(),
    };
  }
  const reflector = name === 'cortex, by rule' ? createRuleReflector() : compromised(roleOf);
  const cortex: Cortex = createCortex({ ledger, reflector, clock, random });
  await cortex.start();
  return {
    ledger,
    async learn(peerId) {
      cortex.hooks.onMessage({ peerId, channel: 'nostr' });
    },
    async reflect() {
      await cortex.tick();
    },
    async [Symbol.asyncDispose]() {
      await cortex.close();
      await ledger.close();
    },
  };
}
