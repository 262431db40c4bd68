import {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type OpenStore,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { SharedState, StatePort } from '../state/state-port.ts';

type Skip = (reason: string) => never;

function sharedOf(state: StatePort, skip: Skip): SharedState {
  return state.shared ?? skip('one process at a time');
}

const groups = {
  text: {
    'returns null for a key that was never stored': async (state: StatePort) => {
      expect(await state.retrieve('cortex-beliefs')).toBeNull();
    },
    'returns the stored text unchanged, any Unicode and any length': async (state: StatePort) => {
      const text = `${'"\\\n\u0000 ü 🦀 '.repeat(20_000)}`;
      await state.store('cortex-history', text);
      expect(await state.retrieve('cortex-history')).toBe(text);
      await state.store('cortex-history', '');
      expect(await state.retrieve('cortex-history')).toBe('');
    },
    'isolates keys': async (state: StatePort) => {
      await state.store('cortex-beliefs', 'b');
      await state.store('cortex-trusts', 't');
      expect(await state.retrieve('cortex-beliefs')).toBe('b');
      expect(await state.retrieve('cortex-trusts')).toBe('t');
    },
    'keeps the last of many concurrent writes': async (state: StatePort) => {
      await Promise.all(Array.from({ length: 20 }, (_, n) => state.store('cortex-beliefs', String(n))));
      expect(await state.retrieve('cortex-beliefs')).toBe('19');
    },
    'returns the text after reopening': async (
      state: StatePort,
      opened: OpenedStore<StatePort>,
      skip: Skip,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await state.store('cortex-trusts', 'kept');
      expect(await (await opened.reopen()).retrieve('cortex-trusts')).toBe('kept');
    },
    'isolates agents': async (state: StatePort, opened: OpenedStore<StatePort>, skip: Skip) => {
      if (opened.forAgent === undefined) return skip('one agent per store');
      await state.store('cortex-trusts', 'mine');
      const other = await opened.forAgent('other');
      expect(await other.retrieve('cortex-trusts')).toBeNull();
      expect(await other.shared?.swap('cortex-trusts', 'theirs', 0)).not.toBe(false);
      expect(await state.retrieve('cortex-trusts')).toBe('mine');
    },
  },
  sharing: {
    'replaces a text only at the revision that was read': async (
      state: StatePort,
      _: OpenedStore<StatePort>,
      skip: Skip,
    ) => {
      const shared = sharedOf(state, skip);
      expect(await shared.read('cortex-beliefs')).toBeNull();
      expect(await shared.swap('cortex-beliefs', 'x', 1)).toBe(false);
      expect(await shared.swap('cortex-beliefs', 'first', 0)).toBe(true);
      expect(await shared.swap('cortex-beliefs', 'late', 0)).toBe(false);
      expect(await shared.read('cortex-beliefs')).toEqual({ text: 'first', revision: 1 });
      expect(await shared.swap('cortex-beliefs', 'second', 1)).toBe(true);
      expect(await shared.swap('cortex-beliefs', 'late', 1)).toBe(false);
      expect(await state.retrieve('cortex-beliefs')).toBe('second');
      await state.store('cortex-beliefs', 'third');
      expect(await shared.swap('cortex-beliefs', 'late', 2)).toBe(false);
    },
    'loses none of many concurrent changes': async (
      state: StatePort,
      opened: OpenedStore<StatePort>,
      skip: Skip,
    ) => {
      const mine = sharedOf(state, skip);
      const theirs = (await opened.reopen?.())?.shared ?? mine;
      const add = async (shared: SharedState) => {
        for (;;) {
          const stored = await shared.read('cortex-trusts');
          const next = String(Number(stored?.text ?? 0) + 1);
          if (await shared.swap('cortex-trusts', next, stored?.revision ?? 0)) return;
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => add(n % 2 === 0 ? mine : theirs)));
      expect(await mine.read('cortex-trusts')).toEqual({ text: '20', revision: 20 });
    },
    'grants a lease to one holder until it expires or is released': async (
      state: StatePort,
      opened: OpenedStore<StatePort>,
      skip: Skip,
    ) => {
      const mine = sharedOf(state, skip);
      const theirs = (await opened.reopen?.())?.shared ?? mine;
      expect(await mine.lease('cycle', 'a', { now: 0, until: 100 })).toBe(true);
      expect(await theirs.lease('cycle', 'b', { now: 99, until: 200 })).toBe(false);
      expect(await theirs.lease('other', 'b', { now: 99, until: 200 })).toBe(true);
      expect(await mine.lease('cycle', 'a', { now: 99, until: 150 })).toBe(true);
      expect(await theirs.lease('cycle', 'b', { now: 149, until: 300 })).toBe(false);
      expect(await theirs.lease('cycle', 'b', { now: 150, until: 300 })).toBe(true);
      expect(await mine.lease('cycle', 'a', { now: 151, until: 400 })).toBe(false);
      await mine.release('cycle', 'a');
      expect(await mine.lease('cycle', 'a', { now: 152, until: 400 })).toBe(false);
      await theirs.release('cycle', 'b');
      expect(await mine.lease('cycle', 'a', { now: 153, until: 400 })).toBe(true);
    },
    'grants a free lease to exactly one of many holders': async (
      state: StatePort,
      opened: OpenedStore<StatePort>,
      skip: Skip,
    ) => {
      const mine = sharedOf(state, skip);
      const theirs = (await opened.reopen?.())?.shared ?? mine;
      const granted = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? mine : theirs).lease('cycle', `holder-${n}`, { now: 0, until: 100 }),
        ),
      );
      expect(granted.filter(Boolean)).toHaveLength(1);
    },
  },
} as const;

/** Capabilities that {@link testStatePort} tests. */
export type StatePortGroup = keyof typeof groups;

/**
 * Defines the conformance suite of {@link StatePort}. `open` returns an empty state for each test; `reopen` opens the same
 * data as another process would.
 *
 * ```ts
 * testStatePort('my adapter', () => ({ store: createMyState() }));
 * ```
 */
export function testStatePort(
  name: string,
  open: OpenStore<StatePort>,
  options: DescribeStoreOptions<StatePortGroup> = {},
): void {
  describeStore(`cortex state: ${name}`, open, groups, options);
}
