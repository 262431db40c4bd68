import { describe, expect, it } from 'vitest';
import type { StatePort } from '../state/state-port.ts';

/** Test fixture that the suite opens for each test. */
export interface OpenState {
  readonly state: StatePort;
  /** Opens the same storage again, as after a restart; null when it does not survive the process. */
  readonly reopen: (() => Promise<StatePort> | StatePort) | null;
  close(): Promise<void> | void;
}

/** Defines the conformance suite of {@link StatePort}. `open` returns an empty state. */
export function testStatePort(name: string, open: () => Promise<OpenState> | OpenState): void {
  describe(`StatePort: ${name}`, () => {
    const withState = async (use: (opened: OpenState) => Promise<void>) => {
      const opened = await open();
      try {
        await use(opened);
      } finally {
        await opened.close();
      }
    };

    it('returns null for a key that was never stored', () =>
      withState(async ({ state }) => {
        expect(await state.retrieve('cortex-beliefs')).toBeNull();
      }));

    it('returns the stored text unchanged, any Unicode and any length', () =>
      withState(async ({ state }) => {
        const text = `${'"\\\n\u0000 ü 🦀 '.repeat(20_000)}`;
        await state.store('cortex-history', text);
        expect(await state.retrieve('cortex-history')).toBe(text);
        await state.store('cortex-history', '');
        expect(await state.retrieve('cortex-history')).toBe('');
      }));

    it('isolates keys', () =>
      withState(async ({ state }) => {
        await state.store('cortex-beliefs', 'b');
        await state.store('cortex-trusts', 't');
        expect(await state.retrieve('cortex-beliefs')).toBe('b');
        expect(await state.retrieve('cortex-trusts')).toBe('t');
      }));

    it('keeps the last of many concurrent writes', () =>
      withState(async ({ state }) => {
        await Promise.all(Array.from({ length: 20 }, (_, n) => state.store('cortex-beliefs', String(n))));
        expect(await state.retrieve('cortex-beliefs')).toBe('19');
      }));

    it('returns the text after reopening', ({ skip }) =>
      withState(async ({ state, reopen }) => {
        if (reopen === null) return skip('does not outlive the process');
        await state.store('cortex-trusts', 'kept');
        expect(await (await reopen()).retrieve('cortex-trusts')).toBe('kept');
      }));
  });
}
