import { describe, expect, it } from 'vitest';
import type { StatePort } from '../state.ts';

/** What the suite opens for each test. */
export interface OpenState {
  readonly state: StatePort;
  /** The same place again, as after a restart; null when it does not outlive the process. */
  readonly reopen: (() => Promise<StatePort> | StatePort) | null;
  close(): Promise<void> | void;
}

/** The conformance suite of {@link StatePort} (CTX-21, X-2): run it on your own. `open` gives an empty one. */
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

    it('has nothing under a key that was never stored', () =>
      withState(async ({ state }) => {
        expect(await state.retrieve('cortex-beliefs')).toBeNull();
      }));

    it('gives back exactly what was stored, any Unicode and any length', () =>
      withState(async ({ state }) => {
        const text = `${'"\\\n\u0000 ü 🦀 '.repeat(20_000)}`;
        await state.store('cortex-history', text);
        expect(await state.retrieve('cortex-history')).toBe(text);
        await state.store('cortex-history', '');
        expect(await state.retrieve('cortex-history')).toBe('');
      }));

    it('keeps keys apart', () =>
      withState(async ({ state }) => {
        await state.store('cortex-beliefs', 'b');
        await state.store('cortex-trusts', 't');
        expect(await state.retrieve('cortex-beliefs')).toBe('b');
        expect(await state.retrieve('cortex-trusts')).toBe('t');
      }));

    it('keeps the last of many writes that were begun in order', () =>
      withState(async ({ state }) => {
        await Promise.all(Array.from({ length: 20 }, (_, n) => state.store('cortex-beliefs', String(n))));
        expect(await state.retrieve('cortex-beliefs')).toBe('19');
      }));

    it('has it after a restart', ({ skip }) =>
      withState(async ({ state, reopen }) => {
        if (reopen === null) return skip('does not outlive the process');
        await state.store('cortex-trusts', 'kept');
        expect(await (await reopen()).retrieve('cortex-trusts')).toBe('kept');
      }));
  });
}
