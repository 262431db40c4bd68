/**
 * Conformance suites of proposal stores and audit logs for vitest.
 * @packageDocumentation
 */
import {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type OpenStore,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { ProposalStore, StoredProposal } from '../stores/proposal-store.ts';

const constant = 'TRUST_THRESHOLD_CODE';

const proposal = (revision: number, rest: Partial<StoredProposal> = {}): StoredProposal => ({
  constant,
  revision,
  evidence: 'ab'.repeat(32),
  branch: 'auto-threshold-code-20260105T120000Z',
  createdAt: 1_767_614_400_000,
  mergeHead: null,
  ...rest,
});

type Skip = (reason: string) => never;

const proposals = {
  proposals: {
    'keeps every field': async (store: ProposalStore) => {
      expect(await store.get(constant)).toBeNull();
      const first = proposal(1, { mergeHead: 'cd'.repeat(20), branch: 'auto-threshold-näïve-🙂' });
      expect(await store.put(first)).toBe(true);
      expect(await store.get(constant)).toEqual(first);
    },
    'keeps thresholds apart by every byte of their names': async (store: ProposalStore) => {
      const names = [constant, `${constant}_2`, `${constant} `, constant.toLowerCase(), 'x'.repeat(400)];
      for (const name of names)
        expect(await store.put(proposal(1, { constant: name, branch: name }))).toBe(true);
      for (const name of names) expect((await store.get(name))?.branch).toBe(name);
    },
    'writes each revision once': async (store: ProposalStore) => {
      expect(await store.put(proposal(2))).toBe(false);
      expect(await store.put(proposal(1, { branch: 'first' }))).toBe(true);
      expect(await store.put(proposal(1, { branch: 'second' }))).toBe(false);
      expect(await store.put(proposal(3))).toBe(false);
      expect((await store.get(constant))?.branch).toBe('first');
      expect(await store.put(proposal(2, { branch: 'second' }))).toBe(true);
      expect(await store.get(constant)).toMatchObject({ revision: 2, branch: 'second' });
    },
    'lets one of many writers win': async (store: ProposalStore, { reopen }: OpenedStore<ProposalStore>) => {
      const other = (await reopen?.()) ?? store;
      for (let revision = 1; revision <= 3; revision += 1) {
        const results = await Promise.all(
          Array.from({ length: 8 }, (_, writer) =>
            (writer % 2 === 0 ? store : other).put(proposal(revision, { branch: `${revision}-${writer}` })),
          ),
        );
        expect(results.filter(Boolean)).toHaveLength(1);
        expect((await store.get(constant))?.branch).toBe(`${revision}-${results.indexOf(true)}`);
      }
    },
    'has the same proposals after it is opened again': async (
      store: ProposalStore,
      { reopen }: OpenedStore<ProposalStore>,
      skip: Skip,
    ) => {
      if (reopen === undefined) return skip('this store does not outlive the process');
      await store.put(proposal(1));
      await store.put(proposal(2, { branch: 'second' }));
      expect(await (await reopen()).get(constant)).toEqual(proposal(2, { branch: 'second' }));
    },
    'hands out copies': async (store: ProposalStore) => {
      const given = { ...proposal(1) };
      await store.put(given);
      Object.assign(given, { branch: 'changed' });
      const read = await store.get(constant);
      Object.assign(read ?? {}, { branch: 'changed' });
      expect((await store.get(constant))?.branch).toBe(proposal(1).branch);
    },
    'keeps agents apart': async (
      store: ProposalStore,
      { forAgent }: OpenedStore<ProposalStore>,
      skip: Skip,
    ) => {
      if (forAgent === undefined) return skip('agents do not share this store');
      const other = await forAgent('other');
      await store.put(proposal(1));
      expect(await other.get(constant)).toBeNull();
      expect(await other.put(proposal(1, { branch: 'of the other' }))).toBe(true);
      expect((await store.get(constant))?.branch).toBe(proposal(1).branch);
    },
  },
} as const;

const entry = (n: number, rest: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1_767_614_400_000 + n,
  action: 'proposed',
  task: 'code',
  from: 0.6,
  to: 0.1 + 0.6,
  evidence: 'ab'.repeat(32),
  branch: null,
  commit: null,
  proposal: null,
  message: null,
  detail: `näïve 🙂 ${n}`,
  ...rest,
});

const entries = {
  entries: {
    'keeps every field': async (log: AuditLog) => {
      const full = entry(1, {
        action: 'rolled back',
        branch: 'b',
        commit: 'cd'.repeat(20),
        proposal: '7',
        message: 'ef'.repeat(32),
      });
      await log.append(full);
      await log.append(entry(2));
      expect(await log.read()).toEqual([full, entry(2)]);
    },
    'gives the newest, oldest first, in the order of writing': async (log: AuditLog) => {
      // A clock may be set back.
      for (const n of [3, 1, 2, 5, 4]) await log.append(entry(n));
      expect((await log.read({ limit: 3 })).map(({ detail }) => detail.at(-1))).toEqual(['2', '5', '4']);
      expect(await log.read({ limit: 100 })).toHaveLength(5);
    },
    'refuses a limit and a name that do not exist': async (log: AuditLog) => {
      for (const options of [{ limit: 0 }, { limit: 1.5 }, { limt: 5 }])
        await expect(async () => log.read(options)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
    'finds entries of a task by its constant': async (log: AuditLog) => {
      await log.append(entry(1, { task: 'Code-Review' }));
      await log.append(entry(2, { task: 'code' }));
      await log.append(entry(3, { task: 'code review' }));
      expect((await log.read({ task: 'code_review' })).map(({ at }) => at)).toEqual([
        entry(1).at,
        entry(3).at,
      ]);
      expect((await log.read({ task: 'code_review', limit: 1 })).map(({ at }) => at)).toEqual([entry(3).at]);
      expect(await log.read({ task: 'prose' })).toEqual([]);
    },
    'has the same entries after it is opened again': async (
      log: AuditLog,
      { reopen }: OpenedStore<AuditLog>,
      skip: Skip,
    ) => {
      if (reopen === undefined) return skip('this log does not outlive the process');
      await log.append(entry(1));
      expect(await (await reopen()).read()).toEqual([entry(1)]);
    },
    'two instances that write at the same time keep every entry, whole': async (
      log: AuditLog,
      { reopen }: OpenedStore<AuditLog>,
      skip: Skip,
    ) => {
      if (reopen === undefined) return skip('this log cannot be opened a second time');
      const both = [log, await reopen()];
      const written = both.flatMap((each, side) =>
        Array.from({ length: 8 }, (_, n) => ({ each, entry: entry(100 * side + n) })),
      );
      await Promise.all(written.map(({ each, entry: one }) => each.append(one)));
      const byTime = (all: readonly AuditEntry[]) => all.toSorted((a, b) => a.at - b.at);
      for (const each of both)
        expect(byTime(await each.read({ limit: 100 }))).toEqual(byTime(written.map(({ entry: one }) => one)));
    },
    'keeps agents apart': async (log: AuditLog, { forAgent }: OpenedStore<AuditLog>, skip: Skip) => {
      if (forAgent === undefined) return skip('agents do not share this log');
      await log.append(entry(1));
      expect(await (await forAgent('other')).read()).toEqual([]);
    },
  },
} as const;

/**
 * Defines the conformance suite of proposal stores. `open` returns an empty store for each test.
 *
 * ```ts
 * testProposalStore('my adapter', () => ({ store: createMyStore() }));
 * ```
 */
export function testProposalStore(
  name: string,
  open: OpenStore<ProposalStore>,
  options: DescribeStoreOptions<keyof typeof proposals> = {},
): void {
  describeStore(`proposal store: ${name}`, open, proposals, options);
}

/** Defines the conformance suite of audit logs. `open` returns an empty log for each test. */
export function testAuditLog(
  name: string,
  open: OpenStore<AuditLog>,
  options: DescribeStoreOptions<keyof typeof entries> = {},
): void {
  describeStore(`audit log: ${name}`, open, entries, options);
}
