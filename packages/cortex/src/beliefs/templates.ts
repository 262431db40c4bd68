import type { PeerFacts } from '../facts/facts.ts';

/** Text of a belief about a peer, written from facts; null when the facts do not support it. */
type PeerTemplate = (peer: PeerFacts) => string | null;

const pieces = (count: number) => `${count} piece${count === 1 ? '' : 's'} of work`;

const finished = ({ work }: PeerFacts) => work.successes + work.failures;

/** The closed set of beliefs about peers. A reflector chooses a name; facts decide whether it holds and what it says. */
const peerTemplates = {
  'work-record': (peer) =>
    finished(peer) === 0 ? null : `${peer.work.successes} of ${pieces(finished(peer))} ended well`,
  reliable: (peer) =>
    peer.evidence.center >= 4 && peer.work.failures * 10 <= finished(peer)
      ? `has kept what was agreed in ${peer.work.successes} of ${pieces(finished(peer))}`
      : null,
  'check-results': ({ work }) =>
    work.failures === 0 ? null : `check its results, ${pieces(work.failures)} ended badly`,
  'small-stakes': ({ evidence }) =>
    evidence.center > 2 ? null : 'keep the stakes small until more work has ended well',
  'pay-after-delivery': ({ evidence }) => (evidence.center > 4 ? null : 'pay after delivery only'),
  'little-known': ({ infoScore, interactionCount }) =>
    infoScore > 2 ? null : `hardly known yet, ${interactionCount} messages so far`,
  'slow-answers': ({ work }) =>
    (work.medianLatencyMs ?? 0) < 60_000
      ? null
      : `usually takes ${Math.round((work.medianLatencyMs ?? 0) / 60_000)} minutes to answer`,
  disputes: ({ work }) => (work.disputed === 0 ? null : `${pieces(work.disputed)} ended in a dispute`),
  'escalating-requests': ({ alarms }) =>
    alarms.length === 0 ? null : 'has made a request that is far larger than its usual ones',
  'missed-commitment': ({ missed }) =>
    missed === 0 ? null : `has missed ${missed} commitment${missed === 1 ? '' : 's'}`,
  attacked: ({ evidence }) => (evidence.violation ? 'has attacked, accept nothing from it' : null),
} as const satisfies Readonly<Record<string, PeerTemplate>>;

/** Name of a belief about a peer. */
export type PeerTemplateName = keyof typeof peerTemplates;

/** Names of the beliefs about a peer, in the order in which the reflector's instructions list them. */
export const peerTemplateNames = Object.keys(peerTemplates) as readonly PeerTemplateName[];

/** Returns true for a key that names a template. */
export function isPeerTemplate(key: string): key is PeerTemplateName {
  return Object.hasOwn(peerTemplates, key);
}

/** Writes the text of a belief from the facts; null when they do not support it. */
export function renderTemplate(key: PeerTemplateName, peer: PeerFacts): string | null {
  const template: PeerTemplate = peerTemplates[key];
  return template(peer);
}
