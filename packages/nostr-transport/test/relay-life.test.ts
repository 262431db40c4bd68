import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import { startTestRelay, TestRelayError } from '../src/testing/index.ts';
import { RelayClient, signed } from './relay-client.ts';
import { places, withFolder, withRelay } from './relay-places.ts';

const child = fileURLToPath(new URL('relay-child.ts', import.meta.url));

async function spawnRelay(path: string, port = 0): Promise<{ process: ChildProcess; url: string }> {
  const relay = spawn(process.execPath, [child, path, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(relay.stdout, 'data');
  return { process: relay, url: String(line).trim() };
}

describe('a relay on a file', () => {
  it('NET-3 has every event that it said OK to when it is killed, and goes on at the same address', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'relay.db');
      const first = await spawnRelay(path);
      const client = await RelayClient.connect(first.url);
      const key = generateSecretKey();
      const events = Array.from({ length: 300 }, (_, n) => signed({ content: `${n}` }, key));
      for (const event of events) client.say('EVENT', event);
      const isOk = ([type]: unknown[]) => type === 'OK';
      await client.first(() => client.heard.filter(isOk).length > 100);
      first.process.kill('SIGKILL');
      await client.closed();
      const promised = client.heard.filter(isOk).map(([, id]) => id);
      // It was killed in the middle of its work.
      expect(promised.length).toBeLessThan(events.length);

      const second = await spawnRelay(path, Number(new URL(first.url).port));
      expect(second.url).toBe(first.url);
      const again = await RelayClient.connect(second.url);
      const { events: found } = await again.fetch({ limit: 500 });
      expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(promised));
      for (const event of found) expect(events).toContainEqual(event);
      second.process.kill('SIGKILL');
      await again.closed();
    }));

  it('NET-3 remembers replacements and deletions over a restart', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'relay.db');
      const key = generateSecretKey();
      const at = Math.floor(Date.now() / 1000) - 100;
      const card = (created_at: number, d = 'a') =>
        signed({ kind: 31_990, created_at, tags: [['d', d]] }, key);
      const [note, gone] = [signed({}, key), signed({ content: 'gone' }, key)];
      const deletion = signed(
        {
          kind: 5,
          created_at: at + 5,
          tags: [
            ['e', gone.id],
            ['a', `31990:${getPublicKey(key)}:b`],
          ],
        },
        key,
      );
      const [old, current] = [card(at), card(at + 1)];
      {
        await using relay = await startTestRelay({ path });
        for (const event of [note, gone, old, current, card(at, 'b'), deletion]) relay.publish(event);
      }
      const db = new DatabaseSync(path);
      // Replaced and deleted events are gone from the file, not just hidden.
      expect(db.prepare('SELECT count(*) AS n FROM event').get()).toEqual({ n: 3 });
      db.close();
      await using relay = await startTestRelay({ path });
      expect(relay.events({ kinds: [1, 31_990] }).map(({ id }) => id)).toEqual([note.id, current.id]);
      expect(relay.publish(old).message).toBe('duplicate: a newer version is stored');
      expect(relay.publish(gone).message).toBe('blocked: this event was deleted');
      expect(relay.publish(card(at + 4, 'b')).message).toBe('blocked: this event was deleted');
      expect(relay.publish(note).message).toMatch(/^duplicate: /);
    }));

  it('NET-3 throws expired events out of the file, but never a deletion', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'relay.db');
      let now = Date.now();
      const expiration = ['expiration', String(Math.floor(now / 1000) + 10)];
      const key = generateSecretKey();
      const note = signed({ content: 'deleted' }, key);
      {
        await using relay = await startTestRelay({ path, clock: () => now });
        relay.publish(signed({ tags: [expiration] }));
        relay.publish(signed({ kind: 5, tags: [['e', note.id], expiration] }, key));
        now += 100_000;
        relay.publish(signed({ content: 'makes it look' }));
        expect(relay.events()).toHaveLength(1);
      }
      const db = new DatabaseSync(path);
      expect(db.prepare('SELECT count(*) AS n FROM event').get()).toEqual({ n: 2 });
      db.close();
      await using relay = await startTestRelay({ path, clock: () => now });
      expect(relay.publish(note).message).toMatch(/^blocked: /);
    }));

  it('NET-3 lets nobody else use its file, and uses nobody else’s', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'relay.db');
      const relay = await startTestRelay({ path });
      await expect(startTestRelay({ path })).rejects.toMatchObject({ code: 'STORE_IN_USE' });
      await relay.close();
      await (await startTestRelay({ path })).close();

      const foreign = join(folder, 'ledger.db');
      const db = new DatabaseSync(foreign);
      db.exec('CREATE TABLE peer (id TEXT)');
      db.close();
      await expect(startTestRelay({ path: foreign })).rejects.toMatchObject({ code: 'STORE_INVALID' });
      const text = join(folder, 'notes.txt');
      await writeFile(text, 'no database at all, but long enough to be read as a header of one. '.repeat(20));
      await expect(startTestRelay({ path: text })).rejects.toMatchObject({ code: 'STORE_INVALID' });
      await expect(startTestRelay({ path: join(folder, 'no', 'such', 'folder.db') })).rejects.toMatchObject({
        code: 'STORE_INVALID',
      });
    }));

  it('NET-3 frees the file when it cannot get the port', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'relay.db');
      await using taken = await startTestRelay();
      await expect(startTestRelay({ path, port: taken.port })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
      await (await startTestRelay({ path })).close();
    }));
});

describe.each(places)('the life of a relay %s', (place) => {
  it('NET-3 restarts on its port with its events', () =>
    withRelay(place, {}, async (relay) => {
      const { url } = relay;
      const client = await RelayClient.connect(url);
      const event = signed();
      await client.publish(event);
      await relay.restart();
      expect(await client.closed()).toBe(1012);
      expect(relay.url).toBe(url);
      const again = await RelayClient.connect(url);
      expect((await again.fetch({})).events).toEqual([event]);
      expect((await again.publish(signed())).accepted).toBe(true);
      await relay.restart({ cut: { how: 'reset' } });
      expect(await again.closed()).toBe(1006);
    }));

  it('NET-3 is away while it restarts, and close() cuts that short', () =>
    withRelay(place, {}, async (relay) => {
      const restarted = relay.restart({ downMs: 3_600_000 });
      await expect
        .poll(() => RelayClient.connect(relay.url).then(String, (error) => error.code))
        .toBe('ECONNREFUSED');
      expect(() => relay.publish(signed())).toThrow(TestRelayError);
      await expect(relay.restart()).rejects.toMatchObject({ code: 'CLOSED' });
      await relay.close();
      await restarted;
    }));

  it('NET-3 leaves nothing behind', () =>
    withRelay(place, {}, async (relay) => {
      const clients = await Promise.all([1, 2, 3].map(() => RelayClient.connect(relay.url)));
      const half = new RelayClient(relay.url);
      await relay.faults.set({
        delayMs: 60_000,
        reorder: 9,
        eose: { lateMs: 60_000 },
        flood: { perSecond: 100, events: 'invalid' },
        drop: { how: 'reset', afterMs: 60_000 },
      });
      for (const client of clients) client.say('REQ', 'a', {});
      await relay.waitFor(({ message }) => Array.isArray(message) && message[0] === 'REQ');
      const waiting = relay.waitFor(() => false);
      await Promise.all([relay.close(), expect(waiting).rejects.toMatchObject({ code: 'CLOSED' })]);
      await relay.close();
      await Promise.all(clients.map((client) => client.closed()));
      await half.closed();
      // The port is free again.
      const server = createServer().listen(relay.port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      expect(() => relay.publish(signed())).toThrow(TestRelayError);
      await relay.faults.clear();
      await expect(RelayClient.connect(relay.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }));

  it('NET-3 closes although a client does not answer', () =>
    withRelay(place, {}, async (relay) => {
      const client = await RelayClient.connect(relay.url);
      client.socket.pause();
      await relay.close();
      client.socket.resume();
      await client.closed();
    }));
});

describe('a closed relay', () => {
  it('NET-3 keeps its process from ending no longer', async () => {
    const script = fileURLToPath(new URL('relay-exit-child.ts', import.meta.url));
    const relay = spawn(process.execPath, [script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 600_000,
    });
    const [code] = await once(relay, 'exit');
    expect(code).toBe(0);
  });
});

describe('watching a relay', () => {
  it('NET-3 shows what clients sent, what it said, and who is there', async () => {
    await using relay = await startTestRelay();
    const seen: string[] = [];
    relay.on('connected', ({ connectionId }) => seen.push(`connected ${connectionId}`));
    relay.on('message', ({ message }) => seen.push(`heard ${(message as string[])[0]}`));
    relay.on('sent', ({ message }) => seen.push(`said ${message[0]}`));
    relay.on('accepted', ({ content }) => seen.push(`accepted ${content}`));
    const off = relay.on('message', () => {
      throw new Error('a listener that fails harms nobody');
    });
    const client = await RelayClient.connect(relay.url);
    await client.publish(signed({ content: 'hi' }));
    off();
    client.say('REQ', 'a', { kinds: [1] });
    await client.message('EOSE', 'a');
    expect(seen).toEqual([
      'connected 1',
      'said AUTH',
      'heard EVENT',
      'said OK',
      'accepted hi',
      'heard REQ',
      'said EVENT',
      'said EOSE',
    ]);
    expect(
      relay.received.map(({ connectionId, message }) => [connectionId, (message as string[])[0]]),
    ).toEqual([
      [1, 'EVENT'],
      [1, 'REQ'],
    ]);
    expect(relay.connections).toEqual([
      {
        connectionId: 1,
        openedAt: expect.any(Number),
        pubkeys: [],
        subscriptions: [{ id: 'a', filters: [{ kinds: [1] }] }],
      },
    ]);
    client.end();
  });

  it('NET-3 remembers the last messages only', async () => {
    await using relay = await startTestRelay({ historySize: 5 });
    const client = await RelayClient.connect(relay.url);
    for (let n = 0; n < 23; n += 1) client.say('CLOSE', `${n}`);
    await client.settle();
    expect(relay.received.slice(0, 2).map(({ message }) => message)).toEqual([
      ['CLOSE', '19'],
      ['CLOSE', '20'],
    ]);
    client.end();
  });

  it('NET-3 waits for a message, no longer than it was told to', async () => {
    await using relay = await startTestRelay();
    const client = await RelayClient.connect(relay.url);
    const isReq = ({ message }: { readonly message: unknown }) =>
      Array.isArray(message) && message[0] === 'REQ';
    const future = relay.waitFor(isReq);
    client.say('REQ', 'a', {});
    expect((await future).message).toEqual(['REQ', 'a', {}]);
    expect((await relay.waitFor(isReq)).message).toEqual(['REQ', 'a', {}]);
    await expect(relay.waitFor(() => false, { timeoutMs: 10 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(relay.waitFor(() => false, { signal })).rejects.toThrow('enough');
    client.end();
  });

  it('NET-3 takes injected events by the rules of their kind, whoever signed them', async () => {
    await using relay = await startTestRelay();
    const client = await RelayClient.connect(relay.url);
    client.say('REQ', 'live', {});
    await client.message('EOSE', 'live');
    const unsigned = { ...signed(), sig: '0'.repeat(128), created_at: 9_999_999_999 };
    expect(relay.publish(unsigned)).toEqual({ accepted: true, message: '' });
    expect(relay.publish(unsigned).message).toMatch(/^duplicate: /);
    expect(relay.publish({ ...unsigned, id: 'x' })).toMatchObject({ accepted: false });
    expect(relay.publish(signed({ tags: [['expiration', '1']] })).message).toBe('invalid: event has expired');
    await client.settle();
    expect(client.eventsOf('live')).toEqual([unsigned]);
    client.end();
  });

  it.each([
    [{ limits: { maxLimits: 1 } }, "There is no limit called 'maxLimits'"],
    [{ limits: { maxLimit: -1 } }, "The limit 'maxLimit' must be a whole number of at least 0"],
    [{ limits: { maxFilters: null } }, "The limit 'maxFilters' must be a whole number of at least 0"],
  ])('NET-3 refuses options that make no sense: %j', async (options, message) => {
    await expect(startTestRelay(options as object)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message,
    });
  });
});
