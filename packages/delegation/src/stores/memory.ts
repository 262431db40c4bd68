import { compareUtf8, newTombstone, type PeerEraser } from '@bonafide/internal';
import { beginErasure, eraseFromNote, eraseFromOrder, platformsNamed } from '../erase-peer.ts';
import type { OrderStatus } from '../order.ts';
import { platformId } from '../platform.ts';
import { parseOrderQuery, parsePrune, requirePreview } from '../schemas.ts';
import type { DelegationStore, Note, OrderRecord, Wake, WakeStore } from '../store.ts';
import { orderPage, readCursor } from './page.ts';

/** An order as JSON, which copies faster than `structuredClone`, beside what lists are filtered by. */
interface StoredOrder extends Pick<OrderRecord, 'id' | 'revision' | 'settled' | 'createdAt' | 'updatedAt'> {
  readonly status: OrderStatus;
  readonly taskType: string;
  readonly trialOf: string | null;
  readonly trialOperator: string | null;
  readonly json: string;
}

/** Creates a store in memory, for tests and simulations. */
export function createMemoryDelegationStore(): DelegationStore & PeerEraser {
  const orders = new Map<string, StoredOrder>();
  const notes = new Map<string, Note>();
  const wakes = createMemoryWakes();
  const put = (record: OrderRecord) => {
    const { id, revision, settled, createdAt, updatedAt, state } = record;
    const { taskType, trial } = state.order;
    const trialOf = trial === null ? null : platformId(trial.platform);
    const trialOperator = trial?.platform.pubkey ?? null;
    const json = JSON.stringify(record);
    const { status } = state;
    const columns = { id, revision, settled, createdAt, updatedAt, status, taskType, trialOf, trialOperator };
    orders.set(id, { ...columns, json });
  };

  return {
    async create(record) {
      const known = orders.get(record.id);
      if (known !== undefined) return { record: JSON.parse(known.json), created: false };
      put(record);
      return { record, created: true };
    },
    async get(id) {
      const known = orders.get(id);
      return known === undefined ? null : JSON.parse(known.json);
    },
    async update(record) {
      if (orders.get(record.id)?.revision !== record.revision - 1) return false;
      put(record);
      return true;
    },
    async list(query = {}) {
      const { status, settled, taskType, trialOf, trialOperator, limit, cursor } = parseOrderQuery(query);
      const after = readCursor(cursor);
      const found = [...orders.values()]
        .filter(
          (order) =>
            (status === undefined || order.status === status) &&
            (settled === undefined || order.settled === settled) &&
            (taskType === undefined || order.taskType === taskType) &&
            (trialOperator === undefined || order.trialOperator === trialOperator) &&
            (trialOf === undefined || (trialOf === '*' ? order.trialOf !== null : order.trialOf === trialOf)),
        )
        .sort((a, b) => b.createdAt - a.createdAt || compareUtf8(b.id, a.id))
        .filter(
          ({ createdAt, id }) =>
            after === null ||
            createdAt < after[0] ||
            (createdAt === after[0] && compareUtf8(id, after[1]) < 0),
        );
      const copies = found.slice(0, limit + 1).map(({ json }): OrderRecord => JSON.parse(json));
      return orderPage(copies, limit);
    },
    async prune(options) {
      const { before, limit } = parsePrune(options);
      const ended = [...orders.values()]
        .filter(({ settled, trialOf, updatedAt }) => settled && trialOf === null && updatedAt < before)
        .sort((a, b) => a.updatedAt - b.updatedAt || compareUtf8(a.id, b.id))
        .slice(0, limit);
      for (const { id } of ended) orders.delete(id);
      return ended.length;
    },
    async note(name) {
      return notes.get(name) ?? null;
    },
    async putNote(name, note) {
      if ((notes.get(name)?.revision ?? 0) !== note.revision - 1) return false;
      notes.set(name, { ...note });
      return true;
    },
    async erasePeer(peer, options) {
      const preview = requirePreview(options);
      const erasure = beginErasure(peer, newTombstone());
      const named = [...orders.values()]
        .map(({ json }): OrderRecord => JSON.parse(json))
        .map((record) => ({ record, change: eraseFromOrder(record, erasure) }))
        .filter(({ change }) => change.action !== 'none');
      const kept = new Set(
        named.flatMap(({ record, change }) => (change.action === 'keep' ? [record.id] : [])),
      );
      const platforms = named.flatMap(({ record }) => platformsNamed(record, erasure));
      const about = [...notes]
        .map(([name, note]) => {
          const context = { platforms, isKept: (id: string) => kept.has(id) };
          return { name, note, change: eraseFromNote({ name, value: note.value }, erasure, context) };
        })
        .filter(({ change }) => change.action !== 'none');
      const keptNotes = about.filter(({ change }) => change.action === 'keep').length;
      if (!preview) {
        for (const { record, change } of named) {
          if (change.action === 'replace') put(change.row);
          if (change.action !== 'delete') continue;
          orders.delete(record.id);
          wakes.remove(record.id);
        }
        for (const { name, note, change } of about) {
          if (change.action === 'replace')
            notes.set(name, { revision: note.revision + 1, value: change.row });
          if (change.action !== 'delete') continue;
          notes.delete(name);
          wakes.remove(name);
        }
      }
      return {
        erased: { orders: named.length - kept.size, notes: about.length - keptNotes },
        kept: { orders: kept.size, notes: keptNotes },
      };
    },
    wakes,
  };
}

interface StoredWake {
  wake: Wake;
  token: string;
}

function createMemoryWakes(): WakeStore & { remove(id: string): void } {
  const queues = new Map<string, Map<string, StoredWake>>();
  const queueOf = (queue: string) => {
    const known = queues.get(queue) ?? new Map<string, StoredWake>();
    queues.set(queue, known);
    return known;
  };
  const soonest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
  const byUrgency = ({ wake: a }: StoredWake, { wake: b }: StoredWake) =>
    b.priority - a.priority || (a.dueAt ?? 0) - (b.dueAt ?? 0) || compareUtf8(a.id, b.id);

  return {
    async put({ queue, id, dueAt, priority }) {
      const known = queueOf(queue).get(id);
      const fresh = { queue, id, dueAt, priority, failures: 0, lastError: '', heldUntil: null };
      if (known === undefined) queueOf(queue).set(id, { wake: fresh, token: '' });
      else
        known.wake = {
          ...known.wake,
          dueAt: soonest(known.wake.dueAt, dueAt),
          priority: Math.max(priority, known.wake.priority),
        };
    },
    async claim({ queue, now, limit, token, heldUntil }) {
      const all = [...queueOf(queue).values()];
      const free = all.filter(({ wake }) => wake.heldUntil === null || wake.heldUntil <= now);
      const due = free
        .filter(({ wake }) => wake.heldUntil !== null || (wake.dueAt ?? Number.POSITIVE_INFINITY) <= now)
        .sort(byUrgency)
        .slice(0, limit);
      const claimed = due.map((stored) => {
        stored.wake = { ...stored.wake, dueAt: null, heldUntil };
        stored.token = token;
        return { id: stored.wake.id, token, failures: stored.wake.failures };
      });
      const next = all.reduce<number | null>(
        (first, { wake }) => soonest(first, wake.heldUntil ?? wake.dueAt),
        null,
      );
      return { claimed, nextDueAt: next };
    },
    async release(queue) {
      for (const stored of queueOf(queue).values()) {
        if (stored.wake.heldUntil === null) continue;
        stored.wake = { ...stored.wake, heldUntil: null, dueAt: stored.wake.dueAt ?? 0 };
        stored.token = '';
      }
    },
    async renew(token, heldUntil) {
      for (const queue of queues.values())
        for (const stored of queue.values())
          if (stored.token === token) stored.wake = { ...stored.wake, heldUntil };
    },
    async finish({ queue, id, token, dueAt, failures, lastError }) {
      const stored = queueOf(queue).get(id);
      if (stored === undefined || stored.token !== token || stored.wake.heldUntil === null) return;
      const next = soonest(stored.wake.dueAt, dueAt);
      if (next === null) queueOf(queue).delete(id);
      else {
        stored.token = '';
        stored.wake = { ...stored.wake, dueAt: next, heldUntil: null, failures, lastError };
      }
    },
    remove(id) {
      for (const queue of queues.values()) queue.delete(id);
    },
    async list({ queue, limit = 100 } = {}) {
      const all = queue === undefined ? [...queues.values()] : [queueOf(queue)];
      return all
        .flatMap((wakes) => [...wakes.values()])
        .sort(byUrgency)
        .slice(0, limit)
        .map(({ wake }) => wake);
    },
  };
}
