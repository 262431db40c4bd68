import { isPreview, type PeerErasure, silentLogger } from '@bonafide/internal';
import type { CycleRecord } from '../audit/cycle-record.ts';
import { isPeerTemplate } from '../beliefs/templates.ts';
import { CortexError } from '../errors.ts';
import { parseInput, port } from '../host-options.ts';
import { createMemory, type Memory, memoryKeys } from '../state/memory.ts';
import type { StatePort } from '../state/state-port.ts';

/** Returns the names under which the state shows the peer: its id and its handles. */
function namesOf(peerId: string, memory: Memory): readonly string[] {
  const named = [
    ...memory.beliefs.value.beliefs,
    ...memory.directives.value.directives,
    ...memory.history.value.cycles.flatMap(({ replay }) =>
      replay.peers.map((peer) => ({ peerId: peer.peerId, handle: peer.label })),
    ),
  ];
  const handles = named.filter((one) => one.peerId === peerId).flatMap(({ handle }) => handle ?? []);
  return [...new Set([peerId, ...handles])];
}

type IsAbout = (text: string) => boolean;

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * Returns a test for texts, also JSON and JSON in JSON, that contain one of the names. A longer name is another one: `irc:bobby`
 * does not mention `irc:bob`.
 */
function mentionOf(names: readonly string[]): IsAbout {
  const forms = [...new Set(names.flatMap((name) => [name, asJson(name), asJson(asJson(name))]))];
  return (text) =>
    forms.some((form) => {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
        if (!/^[\p{L}\p{N}_]/u.test(text.slice(at + form.length, at + form.length + 2))) return true;
      }
      return false;
    });
}

/** Returns the cycle without the peer. What a model said in it goes, because it may be about the peer. */
function withoutPeer(record: CycleRecord, peerId: string, mentions: IsAbout): CycleRecord {
  const others = <Item extends { readonly peerId: string | null }>(items: readonly Item[]) =>
    items.filter((item) => item.peerId !== peerId && !mentions(JSON.stringify(item)));
  const { replay, dropped, failure } = record;
  const named = (text: string) => (mentions(text) ? '[erased]' : text);
  // Keys of notes are words of a model; those of the closed set are not.
  const own = (keys: readonly string[]) => keys.filter((key) => isPeerTemplate(key));
  const issued = new Set(others(replay.directives).map(({ id }) => id));
  const noted = new Set(others(replay.commitments).map(({ id }) => id));
  return {
    ...record,
    trigger: named(record.trigger),
    triggers: record.triggers.map(named),
    failure: failure && { ...failure, message: named(failure.message) },
    beliefs: {
      added: own(record.beliefs.added),
      reaffirmed: own(record.beliefs.reaffirmed),
      revised: own(record.beliefs.revised),
      expired: own(record.beliefs.expired),
      evicted: own(record.beliefs.evicted),
    },
    ...{ output: null, outputLength: 0, inputDigest: null, parse: null, lessons: [], summary: '[erased]' },
    soul: record.soul && { ...record.soul, reasons: [] },
    peers: record.peers.filter((one) => one !== peerId),
    assessments: others(record.assessments),
    directives: record.directives.filter((id) => issued.has(id)),
    commitments: record.commitments.filter((id) => noted.has(id)),
    dropped: dropped.filter(({ item, message }) => !mentions(`${item} ${message}`)),
    replay: {
      ...replay,
      peers: others(replay.peers),
      directives: others(replay.directives),
      commitments: others(replay.commitments),
      beliefs: others(replay.beliefs),
      vetoed: replay.vetoed.filter((name) => name.peerId !== peerId),
    },
  };
}

/**
 * Erases what the cortex keeps of a peer: beliefs and vetoes about it, directives, commitments and marks, and its part of every
 * cycle in the history, with what a model said in these cycles. Of other texts it erases those that name the peer. With
 * `preview` it only counts. Repeat it when it fails. A running cortex may be in a cycle: close it first, or erase again.
 *
 * @param peerId - The ledger's full id of the peer.
 * @throws CortexError `INVALID_INPUT`, `STORE_FAILED`.
 */
export async function erasePeerFromState(
  state: StatePort,
  peerId: string,
  options?: { readonly preview?: boolean },
): Promise<PeerErasure> {
  parseInput(port('store', 'retrieve'), state, 'state');
  const preview = isPreview(options, (message, cause) => new CortexError('INVALID_INPUT', message, cause));
  return erasePeer(createMemory(state, silentLogger), state, peerId, { preview });
}

/** Erases as {@link erasePeerFromState} does, over documents that a cortex uses. Without a state it erases from memory. */
export async function erasePeer(
  memory: Memory,
  state: StatePort | null,
  peerId: string,
  { preview = false }: { readonly preview?: boolean } = {},
): Promise<PeerErasure> {
  if (typeof peerId !== 'string' || peerId.trim() === '') {
    throw new CortexError('INVALID_INPUT', 'Name the peer by the full id that the ledger gives it.');
  }
  const before = memory.failures;
  await memory.refresh();
  const failed = () => {
    if (memory.failures === before) return;
    throw new CortexError(
      'STORE_FAILED',
      'The state of the cortex could not be read or written. Check the store, and erase again.',
    );
  };
  const names = namesOf(peerId, memory);
  const mentions = mentionOf(names);
  const isOf = (cycle: CycleRecord) => cycle.peers.includes(peerId) || mentions(JSON.stringify(cycle));
  const { beliefs, history, trusts, directives, commitments, lessons, costs } = memory;

  const cycles = history.value.cycles.filter(isOf);
  const learned = new Set(cycles.flatMap((cycle) => cycle.lessons));
  const goes = {
    belief: (one: { readonly peerId: string | null }) =>
      one.peerId === peerId || mentions(JSON.stringify(one)),
    lesson: (lesson: string) => learned.has(lesson) || mentions(lesson),
  };
  const unreadable: string[] = [];
  for (const key of memoryKeys) {
    if (mentions((await state?.retrieve(`${key}-unreadable`)) ?? '')) unreadable.push(`${key}-unreadable`);
  }
  const count = {
    beliefs: beliefs.value.beliefs.filter(goes.belief).length,
    vetoes: beliefs.value.vetoed.filter(goes.belief).length,
    directives: directives.value.directives.filter(goes.belief).length,
    commitments: commitments.value.commitments.filter(goes.belief).length,
    lessons: lessons.value.lessons.filter(goes.lesson).length,
    marks: Object.hasOwn(trusts.value.trusts, peerId) ? 1 : 0,
    waiting: history.value.waiting.filter((one) => names.includes(one)).length,
    cycles: cycles.length,
    unreadable: unreadable.length,
    skips: costs.value.skips.filter((skip) => mentions(JSON.stringify(skip))).length,
  };
  failed();
  if (preview) return { erased: count, kept: {} };

  // The history last: it has the names and the lessons, which a repeated erasure needs again.
  await beliefs.update((stored) => ({
    ...stored,
    beliefs: stored.beliefs.filter((one) => !goes.belief(one)),
    vetoed: stored.vetoed.filter((one) => !goes.belief(one)),
  }));
  await directives.update((stored) => ({
    ...stored,
    directives: stored.directives.filter((one) => !goes.belief(one)),
  }));
  await commitments.update((stored) => ({
    ...stored,
    commitments: stored.commitments.filter((one) => !goes.belief(one)),
  }));
  await lessons.update((stored) => ({
    ...stored,
    lessons: stored.lessons.filter((one) => !goes.lesson(one)),
  }));
  await trusts.update((stored) => ({
    ...stored,
    trusts: Object.fromEntries(Object.entries(stored.trusts).filter(([id]) => id !== peerId)),
  }));
  await costs.update((stored) => ({
    ...stored,
    skips: stored.skips.map((skip) => ({
      ...skip,
      triggers: skip.triggers.map((trigger) => (mentions(trigger) ? '[erased]' : trigger)),
    })),
  }));
  for (const key of unreadable) await state?.store(key, '');
  failed();
  await history.update((stored) => ({
    ...stored,
    waiting: stored.waiting.filter((one) => !names.includes(one)),
    cycles: stored.cycles.map((cycle) => (isOf(cycle) ? withoutPeer(cycle, peerId, mentions) : cycle)),
  }));
  failed();
  return { erased: count, kept: {} };
}
