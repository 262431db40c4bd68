import { buildFeedback, buildJobResult, parseJobRequest } from '@bonafide/nip90-jobs/codec';
import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import type { Money } from './money.ts';
import { type Network, simulatedSigner } from './network.ts';
import type { Scheduler } from './scheduler.ts';

/** Ways in which a stranger may answer one request. */
const behaviors = [
  'right',
  'right',
  'right',
  'right',
  'slow',
  'wrong',
  'partial',
  'attack',
  'error',
  'silent',
  'twice',
  'takes-money',
  'late',
  'greedy',
  'asks-afterwards',
] as const;

export interface SimulatedStranger {
  readonly pubkey: string;
  /** Identifiers of its services. */
  readonly services: readonly string[];
  /** The current price, msat. */
  priceMsat: number | null;
  /** True when it works only after it was paid. */
  readonly isPaidFirst: boolean;
  /** Relay on its cards. */
  readonly relay: string;
  /** True for a key of the operator with many keys, who answers by a plan of its own. */
  readonly isColluding: boolean;
  /** True for one that had no trials yet. */
  readonly isNew: boolean;
}

/** Strangers who answer requests over the network, each time in another way. */
export function startStrangers(options: {
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly network: Network;
  readonly money: Money;
  readonly count: number;
  /** Number of further keys, all of one operator. */
  readonly colluding: number;
  /** True when some had no trials yet. */
  readonly withNew: boolean;
}): readonly SimulatedStranger[] {
  const { scheduler, random, network, money, count, colluding, withNew } = options;
  const strangers = Array.from({ length: count + colluding }, (_, index): SimulatedStranger => {
    const isColluding = index >= count;
    return {
      pubkey: (index + 1).toString(16).padStart(64, 'a'),
      services: !isColluding && random() < 0.3 ? ['x', 'y', 'z'] : ['x'],
      // It is cheaper than everybody else.
      priceMsat: isColluding ? 90 : random() < 0.3 ? null : 100 + Math.floor(random() * 900),
      isPaidFirst: random() < 0.6,
      relay: isColluding ? 'wss://ring.example' : 'wss://relay.example',
      isColluding,
      isNew: withNew && random() < 0.4,
    };
  });
  const byKey = new Map(strangers.map((stranger) => [stranger.pubkey, stranger]));
  const seen = new Set<string>();
  const works = new Map<string, () => void>();
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

  /** What the keys of one operator do with a job, by its input: first they earn trust, then they agree on a wrong answer. */
  const plans = new Map<string, string>();
  const planFor = (task: string): string => {
    const plan =
      plans.get(task) ?? pick(['right', 'wrong', 'wrong', 'asks-afterwards', 'takes-money', 'error']);
    plans.set(task, plan);
    return plan;
  };

  const say = async (pubkey: string, template: EventTemplate) =>
    network.post(await simulatedSigner(pubkey).signEvent(template));

  const priceOf = (event: NostrEvent, { priceMsat }: SimulatedStranger) => {
    const parsed = parseJobRequest(event);
    const bidMsat = (parsed.ok && parsed.request.bidMsat) || 0;
    return Math.min(bidMsat, priceMsat ?? bidMsat);
  };

  const answer = (event: NostrEvent, stranger: SimulatedStranger, behavior: string) => {
    const result = (content: string, price: object = {}) =>
      void say(
        stranger.pubkey,
        buildJobResult({ request: event, content, createdAt: scheduler.now(), ...price }),
      );
    const soon = 500 + random() * 5_000;
    switch (behavior) {
      case 'slow':
        return scheduler.after(20_000 + random() * 30_000, () => result('right'));
      case 'late':
        return scheduler.after(150_000 + random() * 100_000, () => result('right'));
      case 'error':
        return scheduler.after(soon, () => {
          const request = { id: event.id, pubkey: event.pubkey };
          void say(stranger.pubkey, buildFeedback({ request, status: 'error', createdAt: scheduler.now() }));
        });
      case 'twice':
        scheduler.after(soon + random() * 3_000, () => result('wrong'));
        return scheduler.after(soon + random() * 3_000, () => result('right'));
      case 'silent':
      case 'takes-money':
        return;
      case 'asks-afterwards':
        return scheduler.after(soon, () => {
          // Some ask for more than was offered.
          const amountMsat = Math.ceil(priceOf(event, stranger) * (random() < 0.2 ? 2 : 1));
          const { paymentHash } = money.invoice(event.id, amountMsat, true);
          result(pick(['right', 'right', 'wrong']), { amountMsat, bolt11: paymentHash });
        });
      default:
        return scheduler.after(soon, () => result(behavior === 'greedy' ? 'right' : behavior));
    }
  };

  network.listen((event) => {
    const parsed = parseJobRequest(event);
    const [provider] = parsed.ok ? parsed.request.providers : [];
    const stranger = byKey.get(provider ?? '');
    if (!parsed.ok || stranger === undefined || seen.has(event.id)) return;
    seen.add(event.id);
    const task = parsed.request.inputs[0]?.data ?? '';
    const behavior = stranger.isColluding ? planFor(task) : pick(behaviors);
    const work = () => answer(event, stranger, behavior);
    const bidMsat = parsed.request.bidMsat ?? 0;
    const isUnpaid = behavior === 'silent' || behavior === 'asks-afterwards' || bidMsat === 0;
    if (!stranger.isPaidFirst || isUnpaid) return void work();
    const amountMsat = behavior === 'greedy' ? bidMsat * 2 : priceOf(event, stranger);
    const request = { id: event.id, pubkey: event.pubkey };
    // Some demand money twice, over two invoices.
    for (let n = 0; n < (random() < 0.1 ? 2 : 1); n += 1) {
      const { paymentHash } = money.invoice(event.id, amountMsat);
      const demand = { request, status: 'payment-required' as const, amountMsat, bolt11: paymentHash };
      scheduler.after(200 + random() * 2_000, () => {
        void say(stranger.pubkey, buildFeedback({ ...demand, createdAt: scheduler.now() }));
      });
    }
    works.set(event.id, () => void work());
  });
  money.onPaid(({ requestId }) => {
    const work = works.get(requestId);
    works.delete(requestId);
    if (work) scheduler.after(100, work);
  });
  return strangers;
}
