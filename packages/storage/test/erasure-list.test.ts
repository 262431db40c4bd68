import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openErasureList } from '../src/index.ts';
import { runChild } from './support/child.ts';
import { temporaryFile } from './support/temporary.ts';

const erasure = {
  agentId: 'default',
  peerId: 'telegram:bob',
  externalIds: ['event-1', 'event-2'],
  at: 1_000,
  keptValues: [{ name: 'verdict:x', write: { replace: 'refuse' } }],
};

describe('the list of erasures', () => {
  it('LED-33 keeps keyed hashes, times, verdicts and backups, and no id', () => {
    const path = temporaryFile();
    const list = openErasureList(path);
    expect(list.read()).toMatchObject({ erasures: [], backups: [] });
    expect(existsSync(list.path)).toBe(false);
    list.add(erasure);
    list.addBackup({ path: '/mnt/safe/ledger.db', at: 2_000 });
    openErasureList(path).add({ ...erasure, peerId: 'irc:eve', externalIds: [], keptValues: [] });
    const { erasures, backups, hash } = openErasureList(path).read();
    expect(erasures).toEqual([
      {
        agentId: 'default',
        peer: hash('telegram:bob'),
        externalIds: [hash('event-1'), hash('event-2')],
        at: 1_000,
        keptValues: erasure.keptValues,
      },
      { agentId: 'default', peer: hash('irc:eve'), externalIds: [], at: 1_000, keptValues: [] },
    ]);
    expect(backups).toEqual([{ path: '/mnt/safe/ledger.db', at: 2_000 }]);
    expect(readFileSync(list.path, 'utf8')).not.toMatch(/bob|eve|event-1/u);
    expect(statSync(list.path).mode & 0o777).toBe(0o600);
    // Another list has another key.
    const other = openErasureList(temporaryFile());
    other.add(erasure);
    expect(other.read().hash('telegram:bob')).not.toBe(hash('telegram:bob'));
  });

  it('LED-33 goes on after a line that was torn at any byte', () => {
    const path = temporaryFile();
    const list = openErasureList(path);
    list.add(erasure);
    const first = readFileSync(list.path, 'utf8');
    list.add({ ...erasure, peerId: 'irc:eve' });
    const whole = readFileSync(list.path, 'utf8');
    const { hash } = list.read();
    for (let size = first.length; size < whole.length - 3; size += 1) {
      writeFileSync(list.path, whole.slice(0, size));
      expect(list.read().erasures).toHaveLength(1);
      list.add({ ...erasure, peerId: 'irc:zoe' });
      expect(list.read().erasures.map(({ peer }) => peer)).toEqual([hash('telegram:bob'), hash('irc:zoe')]);
    }
    // Only the end of the line is missing: it is whole. Editors remove spaces at the end of lines too.
    for (const size of [-1, -2]) {
      writeFileSync(list.path, whole.slice(0, size));
      list.add({ ...erasure, peerId: 'irc:zoe' });
      expect(list.read().erasures).toHaveLength(3);
    }
  });

  it('LED-33 begins anew when the line with its key was torn', () => {
    const path = temporaryFile();
    const list = openErasureList(path);
    list.add(erasure);
    const keyLine = readFileSync(list.path, 'utf8').split('\n')[0] ?? '';
    for (const size of [0, 1, 20, keyLine.length - 2]) {
      writeFileSync(list.path, keyLine.slice(0, size));
      expect(list.read().erasures).toEqual([]);
      list.add(erasure);
      expect(list.read().erasures).toMatchObject([{ peer: list.read().hash('telegram:bob') }]);
    }
  });

  it('LED-33 keeps every erasure of processes that begin a list at the same time', async () => {
    const path = temporaryFile();
    const lists = 200;
    const children = [0, 1, 2].map((n) => runChild('erase.ts', [path, `irc:${n}`, `${lists}`]));
    await Promise.all(children.map((child) => child.sees('ready')));
    // Renamed, so that nobody reads half of it.
    writeFileSync(`${path}.soon`, `${Date.now() + 50}`);
    renameSync(`${path}.soon`, `${path}.go`);
    await Promise.all(children.map((child) => child.sees('done')));
    for (let n = 0; n < lists; n += 1) {
      const { erasures, hash } = openErasureList(`${path}-${n}`).read();
      const peers = children.map((_, child) => hash(`irc:${child}`));
      expect(erasures.map(({ peer }) => peer).toSorted(), `list ${n}`).toEqual(peers.toSorted());
    }
  });

  it('LED-33 LED-25 a list that cannot be written is a typed error', () => {
    const missing = openErasureList('/nowhere/at/all/ledger.db');
    expect(() => missing.add(erasure)).toThrow(expect.objectContaining({ code: 'STORAGE_CANNOT_OPEN' }));
    const path = temporaryFile();
    mkdirSync(`${path}.erasures`);
    for (const act of [() => openErasureList(path).read(), () => openErasureList(path).add(erasure)])
      expect(act).toThrow(expect.objectContaining({ code: 'STORAGE_CANNOT_OPEN' }));
  });

  it('LED-33 refuses a list with a damaged line, and changes nothing', () => {
    const path = temporaryFile();
    const list = openErasureList(path);
    list.add(erasure);
    for (const line of ['{"erased":x}', '{}', '{"other":1}', '{"erased":{"peer":"x"}}', '{"backup":{}}']) {
      const before = readFileSync(list.path, 'utf8');
      appendFileSync(list.path, `${line}\t\n`);
      const damaged = readFileSync(list.path, 'utf8');
      for (const act of [() => list.read(), () => list.add(erasure)]) {
        expect(act).toThrow(expect.objectContaining({ code: 'ERASURES_DAMAGED' }));
      }
      expect(readFileSync(list.path, 'utf8')).toBe(damaged);
      writeFileSync(list.path, before);
    }
    const withoutKey = readFileSync(list.path, 'utf8').split('\n').slice(1).join('\n');
    writeFileSync(list.path, withoutKey);
    expect(() => list.read()).toThrow('Line 1');
  });
});
