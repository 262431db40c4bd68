import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix, type RoutingStore } from '../src/index.ts';
import { good, manualClock, platform, start } from './support.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function setUp(store: RoutingStore = createMemoryRoutingStore(), clock = manualClock()) {
  const matrix = createRoutingMatrix({ store, clock, random: seededRandom(1) });
  const reserve = (reservationId: string, amountMsat: number, taskType = 'code') =>
    matrix.budgets.reserve({ reservationId, taskType, amountMsat });
  return { matrix, budgets: matrix.budgets, store, clock, reserve };
}

describe('budgets', () => {
  it('RTM-10 reserves, settles and releases within the day and the month', async () => {
    const { budgets, reserve, clock } = setUp();
    await budgets.set({ taskType: 'code', dailyMsat: 1_000, monthlyMsat: 1_500 });
    expect(await reserve('a', 600)).toMatchObject({ state: 'held', amountMsat: 600 });
    expect(await reserve('b', 500)).toMatchObject({ state: 'refused', availableMsat: 400 });
    expect(await budgets.settle('a', 450)).toMatchObject({ state: 'settled', paidMsat: 450 });
    expect(await reserve('c', 550)).toMatchObject({ state: 'held' });
    expect(await budgets.settle('c', 0)).toMatchObject({ state: 'settled', paidMsat: 0 });
    expect(await reserve('d', 550)).toMatchObject({ state: 'held' });
    expect(await reserve('e', 1)).toMatchObject({ state: 'refused', availableMsat: 0 });
    // The next day has its own limit, the month does not.
    clock.advance(dayMs);
    expect(await reserve('f', 501)).toMatchObject({ state: 'refused', availableMsat: 500 });
    expect(await reserve('g', 500)).toMatchObject({ state: 'held' });
    clock.advance(31 * dayMs);
    expect(await reserve('h', 1_000)).toMatchObject({ state: 'held' });
    expect((await budgets.held()).map(({ reservationId }) => reservationId)).toEqual(['d', 'g', 'h']);
  });

  it('RTM-10 has one reservation per id, also after a restart, and settles it once', async () => {
    const { budgets, reserve, store, clock } = setUp();
    await budgets.set({ taskType: 'code', dailyMsat: 1_000 });
    await reserve('a', 600);
    expect(await reserve('a', 600)).toMatchObject({ state: 'held' });
    const heir = setUp(store, clock);
    expect(await heir.reserve('a', 600)).toMatchObject({ state: 'held' });
    expect(await heir.budgets.held()).toHaveLength(1);
    await heir.budgets.settle('a', 600);
    expect(await budgets.settle('a', 10)).toMatchObject({ state: 'settled', paidMsat: 600 });
    await expect(reserve('a', 700)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('RTM-10 never settles more than was reserved, nor what was refused or is unknown', async () => {
    const { budgets, reserve } = setUp();
    await budgets.set({ taskType: 'code', dailyMsat: 100 });
    await reserve('a', 100);
    await reserve('b', 1);
    await expect(budgets.settle('a', 101)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    await expect(budgets.settle('b', 1)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(budgets.settle('z', 1)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const amount of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(reserve('c', amount)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('RTM-10 books to the day of the reservation, so that late settlements lengthen no day', async () => {
    const { budgets, reserve, clock } = setUp();
    await budgets.set({ taskType: 'code', dailyMsat: 100 });
    await reserve('a', 100);
    clock.advance(dayMs);
    await budgets.settle('a', 100);
    expect(await reserve('b', 100)).toMatchObject({ state: 'held' });
  });

  it('RTM-10 limits all task types together by the common budget', async () => {
    const { budgets, reserve } = setUp();
    await budgets.set({ dailyMsat: 100 });
    expect(await reserve('a', 60, 'code')).toMatchObject({ state: 'held' });
    expect(await reserve('b', 60, 'prose')).toMatchObject({ state: 'refused', availableMsat: 40 });
    expect(await budgets.list()).toMatchObject([
      { taskType: null, availableMsat: 40, day: { limitMsat: 100, heldMsat: 60, spentMsat: 0 } },
    ]);
  });

  it.each([
    ['RTM-10 carries half of the rest of a day over', 0.5, 1, 450],
    ['RTM-10 lets what is carried fade day by day', 0.5, 2, 725],
    ['RTM-10 never carries more than one limit', 1, 9, 1_000],
    ['RTM-10 carries nothing unless told to', 0, 1, 0],
  ])('%s', async (_, rollover, days, carriedMsat) => {
    const { budgets, reserve, clock } = setUp();
    await budgets.set({ taskType: 'code', dailyMsat: 1_000, rollover });
    await reserve('a', 100);
    clock.advance(days * dayMs);
    const [view] = await budgets.list();
    expect(view?.day.carriedMsat).toBe(carriedMsat);
    expect(view?.availableMsat).toBe(1_000 + carriedMsat);
    expect(await reserve('b', 1_000 + carriedMsat)).toMatchObject({ state: 'held' });
  });

  it('RTM-10 moves money from an underspent flexible budget to an overspent one', async () => {
    const { budgets, reserve, clock } = setUp();
    await budgets.set({ taskType: 'code', dailyMsat: 1_000, flexible: true });
    await budgets.set({ taskType: 'prose', dailyMsat: 1_000, flexible: true });
    await budgets.set({ taskType: 'fixed', dailyMsat: 1_000 });
    clock.advance(18 * hourMs);
    await reserve('a', 1_000);
    // Three quarters of the day are over and prose spent nothing: it lends half of three quarters.
    expect(await reserve('b', 376)).toMatchObject({ state: 'refused', availableMsat: 375 });
    expect(await reserve('c', 375)).toMatchObject({ state: 'held' });
    const views = await budgets.list();
    expect(views.map(({ taskType, day }) => [taskType, day.movedMsat])).toEqual([
      ['code', 375],
      ['fixed', 0],
      ['prose', -375],
    ]);
    expect(await reserve('d', 625, 'prose')).toMatchObject({ state: 'held' });
    expect(await reserve('e', 1_001, 'fixed')).toMatchObject({ state: 'refused' });
  });

  it('RTM-10 lends nothing of a budget that spends as planned', async () => {
    const { budgets, reserve, clock } = setUp();
    for (const taskType of ['code', 'prose'])
      await budgets.set({ taskType, dailyMsat: 1_000, flexible: true });
    clock.advance(12 * hourMs);
    await reserve('a', 500, 'prose');
    await reserve('b', 1_000);
    expect(await reserve('c', 1)).toMatchObject({ state: 'refused', availableMsat: 0 });
  });

  it('RTM-8 RTM-10 leaves out platforms whose price does not fit', async () => {
    const { matrix, budgets, reserve } = setUp();
    for (const [n, priceMsat] of [
      [1, 50],
      [2, 500],
    ] as const) {
      await matrix.register({ platform: platform(n), taskTypes: ['code'], priceMsat });
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType: 'code',
          attemptId: `${n} ${i}`,
          verdict: good(),
        });
    }
    await budgets.set({ taskType: 'code', dailyMsat: 1_000 });
    await reserve('a', 900);
    const { picks, excluded } = await matrix.select({ taskType: 'code', valueMsat: 100 });
    expect(picks.map(({ platformId }) => platformId)).toEqual([`${platform(1).pubkey}:main`]);
    expect(excluded).toEqual([{ platformId: `${platform(2).pubkey}:main`, reason: 'over-budget' }]);
    const costly = await matrix.select({ taskType: 'code', valueMsat: 100, size: 3 });
    expect(costly.picks).toEqual([]);
  });
});

/** One step of a host. `who` is the process, `crash` replaces it by a new one. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('reserve' as const),
      who: fc.nat(2),
      taskType: fc.constantFrom('code', 'prose', 'math'),
      amount: fc.nat(700),
    }),
    fc.record({ do: fc.constant('settle' as const), who: fc.nat(2), index: fc.nat(40), paid: fc.nat(700) }),
    fc.record({ do: fc.constant('wait' as const), who: fc.nat(2), hours: fc.nat(30) }),
    fc.record({ do: fc.constant('crash' as const), who: fc.nat(2) }),
  ),
  { maxLength: 40 },
);

describe('budgets under concurrency', () => {
  it('RTM-10 never overspends and loses nothing, with three processes, crashes, loans and rollover', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 0.5), fc.boolean(), async (plan, rollover, flexible) => {
        const store = createMemoryRoutingStore();
        const clock = manualClock();
        const fresh = () => createRoutingMatrix({ store, clock, random: seededRandom(1) }).budgets;
        const processes = [fresh(), fresh(), fresh()];
        await processes[0]?.set({ dailyMsat: 1_500 });
        for (const taskType of ['code', 'prose'])
          await processes[1]?.set({ taskType, dailyMsat: 1_000, monthlyMsat: 3_000, rollover, flexible });

        const held = new Map<string, number>();
        const byDay = new Map<number, { code: number; prose: number; math: number }>();
        const dayOfId = new Map<string, [number, 'code' | 'prose' | 'math']>();
        const work: Promise<unknown>[] = [];
        let ids = 0;
        for (const step of plan) {
          const process = processes[step.who] as ReturnType<typeof fresh>;
          if (step.do === 'wait') {
            await Promise.all(work.splice(0));
            clock.advance(step.hours * hourMs);
          } else if (step.do === 'crash') {
            processes[step.who] = fresh();
          } else if (step.do === 'reserve') {
            const reservationId = `r${ids++}`;
            const day = Math.floor(clock() / dayMs);
            work.push(
              process
                .reserve({ reservationId, taskType: step.taskType, amountMsat: step.amount })
                .then(({ state }) => {
                  if (state !== 'held') return;
                  held.set(reservationId, step.amount);
                  dayOfId.set(reservationId, [day, step.taskType as 'code']);
                }),
            );
          } else {
            await Promise.all(work.splice(0));
            const [id, amount] = [...held][step.index % Math.max(1, held.size)] ?? [];
            if (id === undefined || amount === undefined) continue;
            const paid = Math.min(step.paid, amount);
            // Two processes settle the same payment at once.
            work.push(process.settle(id, paid), (processes[0] as ReturnType<typeof fresh>).settle(id, paid));
            held.delete(id);
            const [day, taskType] = dayOfId.get(id) as [number, 'code'];
            const sums = byDay.get(day) ?? { code: 0, prose: 0, math: 0 };
            sums[taskType] += paid;
            byDay.set(day, sums);
          }
        }
        await Promise.all(work);
        for (const [id, amount] of held) {
          const [day, taskType] = dayOfId.get(id) as [number, 'code'];
          const sums = byDay.get(day) ?? { code: 0, prose: 0, math: 0 };
          sums[taskType] += amount;
          byDay.set(day, sums);
        }

        const last = fresh();
        // Nothing is lost: what was granted and not settled is held, to the millisatoshi.
        expect(new Map((await last.held()).map((each) => [each.reservationId, each.amountMsat]))).toEqual(
          held,
        );
        let [total, days] = [0, 0];
        for (const { code, prose, math } of byDay.values()) {
          expect(code + prose + math).toBeLessThanOrEqual(1_500);
          const perType = flexible ? 2_000 : 1_000;
          expect(code).toBeLessThanOrEqual(perType * (1 + rollover));
          expect(prose).toBeLessThanOrEqual(perType * (1 + rollover));
          expect(code + prose).toBeLessThanOrEqual(2_000 * (1 + rollover));
          total += code + prose;
          days += 1;
        }
        // Whatever was carried over came from earlier days, the empty ones too.
        const span = byDay.size === 0 ? 0 : Math.max(...byDay.keys()) - Math.floor(start / dayMs) + 1;
        expect(total).toBeLessThanOrEqual(2_000 * Math.max(days, span));
        const views = await last.list();
        for (const { availableMsat } of views) expect(availableMsat).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 150 },
    );
  });
});
