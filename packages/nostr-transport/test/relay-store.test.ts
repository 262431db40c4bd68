import { describe, expect, it } from 'vitest';
import { createPureVerifier } from '../src/event/verifier.ts';
import type { Archive } from '../src/testing/archive.ts';
import { EventStore } from '../src/testing/event-store.ts';
import { compileFilter } from '../src/testing/filter.ts';
import { defaultLimits } from '../src/testing/limits.ts';
import type { RelayMessage } from '../src/testing/messages.ts';
import { toRecord } from '../src/testing/record.ts';
import { Session } from '../src/testing/session.ts';
import { signed } from './relay-client.ts';

/** A disk that is full. */
const fullDisk: Archive = {
  load: () => [],
  write() {
    throw new Error('database or disk is full');
  },
  remove() {},
  close() {},
};

describe('a relay whose disk is full', () => {
  it('NET-3 answers OK false, delivers nothing and shows nothing', () => {
    const store = new EventStore(fullDisk);
    const said: RelayMessage[] = [];
    const announced: unknown[] = [];
    const session = new Session(
      {
        limits: defaultLimits,
        store,
        verifier: createPureVerifier(),
        urls: [],
        now: Date.now,
        faults: () => ({}),
        admit: (record) => store.admit(record, Date.now() / 1000),
        announce: (record) => announced.push(record),
      },
      'challenge',
      ({ message }) => said.push(message),
    );
    const event = signed();
    session.receive(JSON.stringify(['EVENT', event]));
    expect(said).toEqual([
      ['OK', event.id, false, 'error: could not store the event: database or disk is full'],
    ]);
    expect(announced).toEqual([]);
    expect(store.query(compileFilter({}), 10, 0)).toEqual([]);
    // Ephemeral events need no disk.
    expect(store.admit(toRecord(signed({ kind: 20_000 })), 0)).toMatchObject({ accepted: true, fresh: true });
  });
});
