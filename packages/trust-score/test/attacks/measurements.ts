import type * as Package from '../../src/index.ts';
import { guarantee } from './agreements.ts';
import { type Api, type AttackCase, day, hour, now, type Outcome, start, tried } from './attack.ts';

const measured = (
  api: Api,
  points: readonly Package.SlaMeasurement[],
  at: number,
  change: object = {},
): Outcome => {
  const sla = { guarantees: [{ ...guarantee, target: 0.95, breachThreshold: 0.9, ...change }] };
  const { overall } = api.evaluateSla(sla, points, at);
  return { text: overall.replace('_', ' '), succeeded: overall !== 'breached' };
};
const series = (count: number, step: number, value: (i: number) => number, from = start) =>
  Array.from({ length: count }, (_, i) => ({ metric: 'uptime', at: from + i * step, value: value(i) }));
const checks = (api: Api, marks: string, step: number, end: number): Outcome => {
  const monitor = [...marks].reduce(
    (state, mark, i) => api.recordCheck(state, { at: start + i * step, ok: mark === '+' }),
    api.newUptimeMonitor,
  );
  const { score } = api.uptimeReport(monitor, end);
  return { text: `uptime ${score.toFixed(3)}`, succeeded: score > 0.5 };
};

/** Hourly probes for 30 days, up every other hour, with good samples of a friend around each bad one. */
const sandwiched = (prober: object) =>
  series(720, hour, (i) => (i % 2 === 0 ? 0 : 1)).flatMap((point) => [
    ...(point.value === 0 ? [{ ...point, ...prober, value: 1, at: point.at - 1 }] : []),
    point,
    ...(point.value === 0 ? [{ ...point, ...prober, value: 1, at: point.at + 1 }] : []),
  ]);
const slow = (ms: number) =>
  series(720, hour, () => ms).map((point) => ({ ...point, metric: 'latency_p99' }));
/** Judges a latency with a target of 5 s. */
const fast = (
  api: Api,
  points: readonly Package.SlaMeasurement[],
  options: Parameters<Api['evaluateSla']>[3] = {},
): Outcome => {
  const own = { ...guarantee, metric: 'latency_p99', target: 5_000, breachThreshold: 7_500 };
  const { overall } = api.evaluateSla({ guarantees: [own] }, points, start + 30 * day - hour, options);
  return { text: overall.replace('_', ' '), succeeded: overall !== 'breached' };
};
/** A monitor whose every failed check is followed by a good one. */
const answered = (api: Api, prober: object): Outcome => {
  let state = api.newUptimeMonitor;
  for (let i = 0; i < 288; i += 1) {
    state = api.recordCheck(state, { at: start + i * 300_000, ok: false });
    state = api.recordCheck(state, { at: start + i * 300_000 + 1, ok: true, ...prober });
  }
  const { score } = api.uptimeReport(state, start + day);
  // The lowest tier with a requirement needs more than 90 %.
  return { text: `uptime ${score.toFixed(3)}`, succeeded: score > 0.9 };
};

/** Attacks on measurements of agreements and on health checks. */
export const attacksOnMeasurements: readonly AttackCase[] = [
  {
    group: 'Measurements',
    attack: 'ten days at .2, then silence for a month',
    before: 'at risk',
    run: (api) =>
      measured(
        api,
        series(240, hour, () => 0.2),
        start + 41 * day,
      ),
    cost: '30 observed good days',
  },
  {
    group: 'Measurements',
    attack: 'ten days at 0, then a hundred good points in a hundred seconds',
    before: 'at risk',
    run: (api) =>
      measured(
        api,
        [...series(10, day, () => 0), ...series(100, 1_000, () => 1, start + 10 * day)],
        start + 10 * day + 100_000,
      ),
    cost: '30 observed good days',
  },
  {
    group: 'Measurements',
    attack: 'two hours a day at 0',
    before: 'at risk',
    run: (api) =>
      measured(
        api,
        series(720, hour, (i) => (i % 24 < 2 ? 0 : 1)),
        start + 30 * day - hour,
      ),
    cost: 'downtime below (1 − target) of the window',
  },
  {
    group: 'Measurements',
    attack: 'failed, failed, ok, repeated for a day',
    before: 'uptime 1.000',
    run: (api) => checks(api, '--+'.repeat(96), 300_000, start + day),
    cost: 'one brief outage a day is forgiven',
  },
  {
    group: 'Measurements',
    attack: 'one good check, then 30 days of silence',
    before: 'uptime 1.000',
    run: (api) => checks(api, '+', 300_000, start + 30 * day),
    cost: 'being probed 90 % of the time',
  },
  {
    group: 'Measurements',
    attack: 'down every other hour, with a friend’s good samples 1 ms before and after each bad one',
    before: 'compliant',
    run: (api) => measured(api, sandwiched({ prober: 'friend' }), start + 30 * day - hour),
    cost: 'half of the probers at every moment, all known to the policy',
  },
  {
    group: 'Measurements',
    attack: 'the same without names of probers',
    before: 'compliant',
    run: (api) => measured(api, sandwiched({}), start + 30 * day - hour),
    cost: 'as many samples between bad ones as there is time',
  },
  {
    group: 'Measurements',
    attack: 'a latency of 20 s; ten probers of one’s own measure 10 ms',
    before: 'compliant',
    run: (api) => {
      const own = Array.from({ length: 10 }, (_, i) =>
        slow(10).map((point) => ({ ...point, at: point.at + (i + 1) * 300_000, prober: `minted ${i}` })),
      );
      return fast(api, [...slow(20_000), ...own.flat()], { policy: api.strictTrustPolicy });
    },
    cost: 'probers that the policy knows',
  },
  {
    group: 'Measurements',
    attack: 'a latency of 20 s, and one of −1,000,000,000 ms',
    before: 'compliant',
    run: (api) =>
      fast(
        api,
        slow(20_000).map((point, i) => (i === 300 ? { ...point, value: -1e9 } : point)),
      ),
    cost: 'a time counts as 0 at least, a share as 0 to 1',
  },
  {
    group: 'Measurements',
    attack: 'a measurement dated −1e20',
    before: 'crashes: RangeError',
    run: (api) =>
      tried(() => {
        const sla = { guarantees: [{ ...guarantee, target: 0.95, breachThreshold: 0.9 }] };
        const status = api.evaluateSla(sla, [{ metric: 'uptime', at: -1e20, value: 0 }], now);
        return api.renderSlaStatus(status).length;
      }),
    cost: 'refused',
  },
  {
    group: 'Measurements',
    attack: 'one good check dated 2036, then a month of failed ones',
    before: '0 h down',
    run: (api) => {
      let state = api.recordCheck(api.newUptimeMonitor, { at: start, ok: true });
      state = api.recordCheck(state, { at: Date.UTC(2036, 0, 1), ok: true });
      for (let i = 1; i < 8_640; i += 1)
        state = api.recordCheck(state, { at: start + i * 300_000, ok: false });
      const { downtimeHours } = api.uptimeReport(state, start + 30 * day);
      return { text: `${downtimeHours.toFixed(0)} h down`, succeeded: downtimeHours < 700 };
    },
    cost: 'a check counts when the next one is not earlier',
  },
  {
    group: 'Measurements',
    attack: 'each failed check is answered by a friend’s good one 1 ms later',
    before: 'uptime 1.000',
    run: (api) => answered(api, { prober: 'friend' }),
    cost: 'more than half of the probers',
  },
  {
    group: 'Measurements',
    attack: 'the same without names of probers: health checks',
    before: 'uptime 1.000',
    run: (api) => answered(api, {}),
    cost: 'being up between the checks: a failed one stands for half of the usual gap',
  },
];
