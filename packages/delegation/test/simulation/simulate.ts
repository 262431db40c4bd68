import { type Cortex, createCortex, createMemoryState, createRuleReflector } from '@bonafide/cortex';
import { seededRandom, silentLogger } from '@bonafide/internal';
import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { createDiscovery, createMemoryDiscoveryStore, type DiscoveryStore } from '@bonafide/nip89-discovery';
import {
  createJobClient,
  createMemoryJobStore,
  createMemoryPaymentStore,
  type JobClient,
} from '@bonafide/nip90-jobs';
import { parseJobRequest } from '@bonafide/nip90-jobs/codec';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  platformSimilarity,
} from '@bonafide/routing-matrix';
import {
  createDelegation,
  createEmbeddedEngine,
  createMemoryDelegationStore,
  type Delegation,
  type FinishedWork,
  isSettled,
  type JudgeVerdict,
  type Order,
  type PlatformRef,
} from '../../src/index.ts';
import { publishCards } from './cards.ts';
import { createLife, type Faults, InjectedError, type Life } from './life.ts';
import { createMoney, noWallet } from './money.ts';
import { createNetwork, simulatedSigner } from './network.ts';
import { type Violations, watchOrders } from './records.ts';
import { createScheduler } from './scheduler.ts';
import { startStrangers } from './strangers.ts';

/** Result of one simulated world. */
export interface SimulationReport {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Number of callbacks; the same for the same seed. */
  readonly steps: number;
  readonly orders: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly freezes: number;
  readonly paidMsat: number;
  /** Number of answers that asked for money and were paid. */
  readonly paidAfterwards: number;
  /** Assessments of strangers by the reflection. */
  readonly assessments: number;
  /** Trials that ended. */
  readonly trials: number;
  /** Requests to the keys of the operator with many. */
  readonly colluding: number;
  /** Cards that were changed or deleted. */
  readonly cardChanges: number;
}

const startAt = 1_700_000_000_000;
const customer = 'c'.repeat(64);
const [trialMsat, trialsPerDayMsat, platformsOnTrial] = [400, 4_000, 3];
/** Benchmark tasks, each given once per operator. */
const tasks = Array.from({ length: 8 }, (_, index) => ({
  ...{ id: `task-${index}`, inputs: [{ data: `task-${index}` }], suite: {} },
}));
const calm: Faults = { slow: 0.1, failBefore: 0, failAfter: 0 };

/**
 * Runs a world from its seed: an agent of one or two processes that are killed, frozen and started again, strangers, a relay, a
 * network that loses, repeats and delays, a wallet that leaves doubts, and a judge. After every step of an order, and at the
 * end, it checks what must never happen.
 */
export async function simulate(
  seed: number,
  { log: told }: { readonly log?: (line: string) => void } = {},
): Promise<SimulationReport> {
  const random = seededRandom(seed);
  const log = told ?? (() => {});
  const violations: Violations = [];
  /** In every third world, since reflecting takes as long as everything else. */
  const hasReflection = seed % 3 === 0;
  /** Number of readings of the relay's cards. Their intake yields to the event loop, and the reflection waits for a turn of it. */
  let reading = 0;
  const scheduler = createScheduler(startAt, () => (reading > 0 ? 8 : hasReflection ? 1 : 0));
  const trouble = { until: startAt + 60_000 + random() * 240_000 };
  const isTroubled = () => scheduler.now() < trouble.until;
  const intensity = random();
  const loss = () => (isTroubled() ? 0.3 * intensity : 0);
  const faults = (): Faults =>
    isTroubled() ? { slow: 0.3, failBefore: 0.01 * intensity, failAfter: 0.01 * intensity } : calm;

  /** In some worlds newcomers get trials. */
  const hasTrials = seed % 4 === 1;
  const money = createMoney(scheduler.now, random);
  const network = createNetwork(scheduler, random, loss);
  const strangers = startStrangers({
    scheduler,
    random,
    network,
    money,
    count: 4 + Math.floor(random() * 6),
    colluding: random() < 0.15 ? 10 : 0,
    withNew: hasTrials,
  });
  const ringOf = new Set(strangers.filter(({ isColluding }) => isColluding).map(({ pubkey }) => pubkey));
  const cards = publishCards({ scheduler, random, network, strangers, until: trouble.until });

  /** Each process has a registry of its own. */
  const processes = random() < 0.35 ? 2 : 1;
  const registries = Array.from({ length: processes }, () => {
    const store = createMemoryDiscoveryStore();
    const transport = network.transport(createLife(scheduler, random, faults));
    const reader = createDiscovery({
      store,
      transport,
      relays: ['wss://relay'],
      clock: scheduler.now,
      random,
    });
    return { store, get: reader.get };
  });
  /** What was decided before may be stored a while later. */
  const graceMs = 120_000;
  const isGone = async ({ pubkey, d }: PlatformRef): Promise<boolean> => {
    for (const { get } of registries) {
      const entry = await get(pubkey, d);
      if (entry?.status !== 'archived' || (entry.deletedAt ?? Infinity) > scheduler.now() - graceMs)
        return false;
    }
    return true;
  };

  // The stores outlive the processes.
  const stores = {
    orders: watchOrders(createMemoryDelegationStore(), violations, isGone),
    jobs: createMemoryJobStore(),
    payments: createMemoryPaymentStore(),
    matrix: createMemoryRoutingStore(),
    ledger: createMemoryLedgerStore(),
    cortex: createMemoryState(),
  };
  /** What was said in public and to platforms, each once per key. */
  const said = { review: new Map<string, string>(), receipt: new Map<string, string>() };
  const saying = (where: keyof typeof said) => async (work: FinishedWork) => {
    const known = said[where].get(work.key);
    if (known !== undefined && known !== work.outcome)
      violations.push(`${where} of ${work.key}: first ${known}, then ${work.outcome}`);
    said[where].set(work.key, work.outcome);
  };

  const setUp = createRoutingMatrix({
    store: stores.matrix,
    clock: scheduler.now,
    random,
    newId: () => 'setup',
  });
  for (const { pubkey, priceMsat, services, isNew } of strangers) {
    for (const d of isNew ? [] : services) {
      const platform = { pubkey, d };
      await setUp.register({ platform, name: pubkey.slice(0, 6), taskTypes: ['code'], priceMsat });
      for (const attempt of [1, 2, 3]) {
        const attemptId = `${pubkey}-${d}-${attempt}`;
        const verdict = { outcome: 'SUCCESS', passRate: 1 } as const;
        await setUp.recordBenchmark({ platform, taskType: 'code', attemptId, verdict });
      }
    }
  }

  const judged = async ({ artifact }: { artifact: { source: string } }): Promise<JudgeVerdict> => {
    const outcomes = { right: 'SUCCESS', partial: 'PARTIAL', attack: 'SECURITY_VIOLATION' } as const;
    // A flaky judge: a repeated judgment may differ, so that only the stored one may count.
    const outcome: JudgeVerdict['outcome'] =
      outcomes[artifact.source as keyof typeof outcomes] ?? (random() < 0.2 ? 'SUCCESS' : 'FAILURE');
    return {
      outcome,
      errorKind: null,
      summary: outcome,
      passRate: outcome === 'SUCCESS' ? 1 : 0.5,
      compositePassRate: null,
      tests: [{ status: outcome === 'SUCCESS' ? 'passed' : 'failed' }],
      metrics: { wallMs: 5, softLimits: { cpu: false, memory: false } },
      violations: outcome === 'SECURITY_VIOLATION' ? [{ kind: 'path', evidence: 'it looked around' }] : [],
    };
  };

  /** One process of the agent. */
  interface AgentProcess {
    readonly life: Life;
    readonly delegation: Delegation;
    readonly jobs: JobClient;
    readonly cortex: Cortex | null;
  }
  // Without a reader nothing is written: stacks take long.
  const logger =
    told === undefined
      ? silentLogger
      : {
          debug: () => {},
          info: () => {},
          warn: (details: object, message?: string) => log(`  warn ${message} ${reasonOf(details)}`),
          error: (details: object, message?: string) => log(`  error ${message} ${reasonOf(details)}`),
        };

  async function startProcess(cardStore: DiscoveryStore): Promise<AgentProcess> {
    const life = createLife(scheduler, random, faults);
    const clock = scheduler.now;
    const timers = { after: life.after };
    const shared = { clock, random, logger };
    const wakes = life.outside(stores.orders.wakes);
    const jobs = createJobClient({
      ...shared,
      timers,
      leaseTimers: timers,
      transport: network.transport(life),
      signer: life.outside(simulatedSigner(customer)),
      store: life.outside(stores.jobs),
      relays: ['wss://relay'],
      payments: {
        wallet: noWallet,
        store: life.outside(stores.payments),
        methods: [money.method(life)],
      },
      config: { processingTimeoutMs: 90_000, watchIntervalMs: 2_000, lateResultWindowMs: 900_000 },
    });
    const journal = createLedger({ ...shared, store: life.outside(stores.ledger) });
    const cortex = hasReflection
      ? createCortex({
          ...shared,
          ledger: journal,
          reflector: createRuleReflector(),
          state: { ...life.outside(stores.cortex), shared: life.outside(stores.cortex.shared) },
        })
      : null;
    const discovery = createDiscovery({
      ...shared,
      transport: network.transport(life),
      store: life.outside(cardStore),
      relays: ['wss://relay'],
    });
    const readCards = async (): Promise<void> => {
      reading += 1;
      // A process that is killed meanwhile reads no more.
      const ended = life.onEnd(() => {
        reading -= 1;
      });
      try {
        await discovery.sync();
      } catch (error) {
        log(`  cards not read: ${error}`);
      }
      ended();
    };
    const readCardsAgain = (): void => {
      void readCards();
      life.after(isTroubled() ? 45_000 : 240_000, readCardsAgain);
    };
    const delegation = createDelegation({
      ...shared,
      timers,
      store: life.outside({ ...stores.orders, wakes }),
      engine: createEmbeddedEngine({
        ...shared,
        timers,
        store: wakes,
        config: { exclusive: processes === 1, pollMs: 5_000 },
      }),
      source: discovery,
      jobs,
      matrix: createRoutingMatrix({
        ...shared,
        store: life.outside(stores.matrix),
        newId: () => `id${random()}`,
      }),
      journal,
      ...(cortex === null ? {} : { reflection: cortex }),
      judge: life.outside({ run: judged }),
      checks: { plausible: (answer) => answer.content === 'right' },
      publicWord: life.outside({ offerReview: saying('review') }),
      receipts: life.outside({ send: saying('receipt') }),
      similarity: platformSimilarity,
      benchmarks: { tasks: () => tasks },
      config: {
        ...{ recheckMs: 60_000, watchIntervalMs: 5_000, lateMs: 900_000 },
        attempts: 1 + Math.floor(seed % 4),
        ...{ platformsOnTrial, trialMsat, trialsPerDayMsat, upkeepMs: 30_000 },
      },
    });
    await readCards();
    readCardsAgain();
    await jobs.start();
    await delegation.ready();
    await cortex?.start();
    const reflect = () => {
      cortex?.tick().catch((error) => log(`  no reflection: ${error}`));
      life.after(30_000, reflect);
    };
    if (cortex !== null) life.after(30_000, reflect);
    if (hasTrials) await delegation.keepUp('code');
    return { life, delegation, jobs, cortex };
  }

  // A process that fails while it starts is started again, as its supervisor would.
  const running: (AgentProcess | null)[] = Array.from({ length: processes }, () => null);
  let kills = 0;
  let freezes = 0;
  const keepRunning = (index: number): void => {
    startProcess(registries[index]?.store ?? createMemoryDiscoveryStore()).then(
      (started) => {
        running[index] = started;
      },
      (error) => {
        log(`  process ${index} did not start: ${error}`);
        scheduler.after(2_000, () => keepRunning(index));
      },
    );
  };
  for (let index = 0; index < processes; index += 1) keepRunning(index);

  /** Kills a process; the timers of the platform end with it. */
  const end = ({ life, cortex }: AgentProcess) => {
    life.kill();
    void cortex?.close();
  };
  const strike = () => {
    if (!isTroubled()) return;
    const index = Math.floor(random() * processes);
    const victim = running[index];
    const draw = random();
    if (draw < 0.2) network.partitionedUntil = scheduler.now() + random() * 30_000;
    else if (victim && draw < 0.35) {
      freezes += 1;
      log(`freeze ${index}`);
      victim.life.freeze(random() * 60_000);
    } else if (victim) {
      kills += 1;
      log(`kill ${index}`);
      end(victim);
      running[index] = null;
      scheduler.after(1_000 + random() * 20_000, () => keepRunning(index));
    }
    scheduler.after(5_000 + random() * 60_000, strike);
  };
  scheduler.after(random() * 30_000, strike);

  const orders = Array.from({ length: 4 + Math.floor(random() * 5) }, (_, index): Order => {
    const check = random();
    const valueMsat = 200 + Math.floor(random() * 2_000);
    return {
      id: `order-${index}`,
      taskType: 'code',
      inputs: [{ data: `order-${index}` }],
      ...(check < 0.6 ? { suite: {} } : check < 0.8 ? { accept: 'plausible' } : {}),
      valueMsat,
      maxMsat: Math.floor(valueMsat * (0.5 + 3 * random())),
      ...(random() < 0.4 ? { deadlineAt: startAt + 10_000 + Math.floor(random() * 300_000) } : {}),
      criticality: (['background', 'background', 'normal', 'important', 'critical'] as const)[
        Math.floor(random() * 5)
      ] as 'normal',
    };
  });
  const accepted = new Set<string>();
  /** Hands an order in until a process has taken it. */
  const handIn = (order: Order): void => {
    const process = running[Math.floor(random() * processes)];
    const again = () => {
      if (!accepted.has(order.id)) handIn(order);
    };
    scheduler.after(15_000, again);
    process?.delegation.start(order).then(
      () => accepted.add(order.id),
      (error) => {
        if (!(error instanceof InjectedError) && error?.code !== 'STORE_FAILED')
          violations.push(`order ${order.id} was refused: ${error}`);
      },
    );
  };
  for (const order of orders) scheduler.after(random() * 60_000, () => handIn(order));
  for (const order of orders.filter(() => random() < 0.1)) {
    scheduler.after(20_000 + random() * 60_000, () => {
      running[0]?.delegation.cancel(order.id).catch((error) => log(`  not cancelled: ${error}`));
    });
  }

  const isDone = () => !isTroubled() && stores.orders.settledOrders() === orders.length;
  const finished = await scheduler.run(isDone, startAt + 4 * 3_600_000);
  // Whatever is still under way may do harm; trials that were begun come to their end.
  if (finished) await scheduler.run(() => false, scheduler.now() + 300_000);
  if (finished && hasTrials)
    await scheduler.run(() => stores.orders.isSettled(), scheduler.now() + 2 * 3_600_000);

  let assessments = 0;
  await inspectWorld();
  const { items } = await stores.orders.list({ limit: 500 });
  const statuses: Record<string, number> = {};
  for (const { state } of items.filter(({ state: { order } }) => order.trial === null)) {
    const status = state.failure?.code ?? state.status;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const paidMsat = money.paid.reduce((sum, hash) => sum + (money.invoices.get(hash)?.amountMsat ?? 0), 0);
  const paidAfterwards = money.paid.filter((hash) => money.invoices.get(hash)?.isAfterwards).length;
  for (const process of running) if (process !== null) end(process);
  return {
    seed,
    violations,
    steps: scheduler.steps,
    orders: statuses,
    kills,
    freezes,
    paidMsat,
    paidAfterwards,
    assessments,
    trials: items.filter(({ settled, state }) => settled && state.order.trial !== null).length,
    colluding: items
      .flatMap(({ state }) => state.replicas)
      .filter(({ platform: { pubkey } }) => ringOf.has(pubkey)).length,
    cardChanges: cards.changes(),
  };

  /** Compares what the world saw with what the agent remembers. */
  async function inspectWorld(): Promise<void> {
    const { items } = await stores.orders.list({ limit: 500 });
    const fail = (what: string) => violations.push(what);
    for (const { id } of orders) if (!items.some((item) => item.id === id)) fail(`order ${id} was lost`);

    const requests = new Map<string, string>();
    for (const event of network.events.values()) {
      const parsed = parseJobRequest(event);
      if (!parsed.ok || event.pubkey !== customer) continue;
      const key = `${parsed.request.inputs[0]?.data} to ${parsed.request.providers[0]}`;
      if (requests.has(key)) fail(`asked twice: ${key}`);
      requests.set(key, event.id);
    }
    const perRequest = new Map<string, number>();
    const paidForAnswers = new Set<string>();
    for (const hash of money.paid) {
      const invoice = money.invoices.get(hash);
      if (invoice === undefined) continue;
      if (perRequest.has(invoice.requestId)) fail(`paid twice: request ${invoice.requestId}`);
      perRequest.set(invoice.requestId, invoice.amountMsat);
      if (invoice.isAfterwards) paidForAnswers.add(invoice.requestId);
    }

    const outcomes = new Map<string, number>();
    for (const stored of await stores.matrix.readAfter(0, 10_000)) {
      const record = decodeRecord(stored);
      if (record.kind !== 'outcome' && record.kind !== 'benchmark') continue;
      const work = record.kind === 'outcome' ? record.jobId.split('#')[0] : record.attemptId;
      const key = `${work} of ${record.platform.pubkey}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    }

    for (const [index, process] of running.entries()) {
      if (process === null) continue;
      for (const { pubkey, services } of strangers)
        for (const d of services) {
          const entry = await registries[index]?.get(pubkey, d);
          const known = entry == null || entry.status === 'archived' ? undefined : entry.card.pricing;
          const price = known === undefined ? undefined : (known?.amountMsat ?? null);
          const published = cards.priceOf(pubkey, d);
          if (price !== published)
            fail(`the registry has ${price} for ${pubkey}:${d}, published is ${published}`);
        }
    }
    const trials = items.filter(({ state }) => state.order.trial !== null);
    const promised = trials.reduce((sum, { state }) => sum + (state.replicas[0]?.bidMsat ?? 0), 0);
    const counted = trials.reduce(
      (sum, { state: { replicas } }) =>
        sum + replicas.reduce((own, { answer, bidMsat, paidMsat }) => own + (answer ? bidMsat : paidMsat), 0),
      0,
    );
    if (counted > trialsPerDayMsat) fail(`trials counted ${counted} msat in a day, ${promised} promised`);
    for (const { id, state } of trials)
      if (state.replicas.some(({ bidMsat, paidMsat }) => Math.max(bidMsat, paidMsat) > trialMsat))
        fail(`the trial ${id} cost too much`);
    for (const [key, times] of outcomes) if (times > 1) fail(`told the matrix ${times} times: ${key}`);

    const ledger = createLedger({ store: stores.ledger, clock: scheduler.now });
    for (const { pubkey } of strangers) {
      const { items: outcomes } = await ledger.getOutcomes(pubkey, { limit: 200 });
      const attackedAt = outcomes.find(({ outcome }) => outcome === 'violation')?.createdAt ?? Infinity;
      const said = await ledger.getAssessments(pubkey, { limit: 100 });
      assessments += said.length;
      for (const { trust, createdAt } of said.filter(({ source }) => source === 'cortex')) {
        if (Math.abs(trust) > 10) fail(`the reflection trusts ${pubkey} by ${trust}`);
        if (createdAt > attackedAt + 60_000 && trust > -8)
          fail(`${pubkey} attacked, and is trusted by ${trust}`);
      }
    }
    for (const { id, state, settled } of items) {
      if (!settled)
        fail(
          `order ${id} is not settled: ${state.status}, ${JSON.stringify(state.replicas.map(({ stage, withdrawn, end, paidMsat, heldMsat, recorded }) => ({ stage, withdrawn, end: end?.reason, paidMsat, heldMsat, recorded })))}`,
        );
      if (settled !== isSettled(state)) fail(`order ${id} is settled in one place only`);
      const paid = state.replicas.reduce((sum, { jobId }) => sum + (perRequest.get(jobId ?? '') ?? 0), 0);
      if (paid > state.order.maxMsat) fail(`order ${id} cost ${paid} of ${state.order.maxMsat} msat`);
      const known = state.replicas.reduce((sum, replica) => sum + replica.paidMsat, 0);
      if (settled && known !== paid) fail(`order ${id} paid ${paid} msat and knows of ${known}`);
      for (const replica of settled ? state.replicas : []) {
        const { pubkey } = replica.platform;
        const key = `${id} of ${pubkey}`;
        if (outcomes.get(key) !== 1) fail(`the matrix does not know the end of ${key}`);
        if (replica.jobId === null) continue;
        const isUsed = state.winners.includes(replica.number) || replica.check?.outcome === 'SUCCESS';
        if (paidForAnswers.has(replica.jobId) && !isUsed) fail(`paid for an answer that is not used: ${key}`);
        const { items: messages } = await ledger.getInteractions(pubkey, { limit: 200 });
        const own = messages.filter(({ correlationId }) => correlationId === replica.jobId);
        const sent = own.filter(({ direction }) => direction === 'out').length;
        const received = own.filter(({ direction }) => direction === 'in').length;
        if (sent !== 1) fail(`the journal has ${sent} requests of ${key}`);
        if (received !== (replica.answer === null ? 0 : 1))
          fail(`the journal has ${received} answers of ${key}`);
        const { items: events } = await ledger.getOutcomes(pubkey, { limit: 200 });
        const verdicts = events.filter(
          ({ correlationId, outcome }) =>
            correlationId === replica.jobId && ['verified', 'rejected', 'violation'].includes(outcome),
        );
        if (verdicts.length > 1) fail(`the journal has ${verdicts.length} verdicts of ${key}`);
        if (replica.check?.checkedBy != null && verdicts.length !== 1)
          fail(`the journal has no verdict of ${key}`);
        const review = said.review.get(`${id}/${replica.number}`);
        if (replica.check?.checkedBy != null && review !== replica.check.outcome)
          fail(`the review of ${key} says ${review}, the verdict was ${replica.check.outcome}`);
      }
    }
  }
}

function reasonOf(details: object): string {
  const { err } = details as { err?: unknown };
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(details);
}
