import type { Endorsement } from '../src/index.ts';

const day = 86_400_000;
const hour = 3_600_000;
/** Time of the evaluation. */
export const now = Date.UTC(2026, 5, 1);

type Random = () => number;
const hex = (random: Random): string =>
  Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Drops members that a verifier often does not know. */
function forget(list: readonly Endorsement[], random: Random): readonly Endorsement[] {
  const [created, active, links] = [random() < 0.15, random() < 0.25, random() < 0.25];
  return list.map(({ endorserCreatedAt, endorserLastActiveAt, endorses, ...one }) => ({
    ...one,
    ...(created || endorserCreatedAt === undefined ? {} : { endorserCreatedAt }),
    ...(active || endorserLastActiveAt === undefined ? {} : { endorserLastActiveAt }),
    ...(links || endorses === undefined ? {} : { endorses }),
  }));
}

/**
 * An honest community: log-normal ages (some communities are young), endorsements over months with an occasional meeting at
 * which several endorse within an hour, mutual endorsements among friends, most members active.
 */
export function honestCommunity(random: Random): readonly Endorsement[] {
  const count = Math.floor(between(random, 4, 50));
  const isYoung = random() < 0.15;
  const medianAge = isYoung ? between(random, 20, 60) : between(random, 120, 800);
  const span = Math.min(medianAge, between(random, 30, 365));
  const meeting = random() < 0.2 ? between(random, 0, span) : null;
  const friends = between(random, 0, 0.25);
  const names = Array.from({ length: count }, () => hex(random));
  return forget(
    names.map((endorser): Endorsement => {
      const age = Math.max(1, medianAge * Math.exp(0.7 * normal(random)));
      const met = meeting !== null && random() < 0.4;
      const ago = met ? meeting : Math.min(age, between(random, 0, span));
      return {
        endorser,
        at: now - ago * day - (met ? random() * hour : 0),
        endorserCreatedAt: now - Math.max(age, ago) * day,
        endorserLastActiveAt: now - Math.min(age, -Math.log(1 - random()) * 12) * day,
        endorses: [
          ...Array.from({ length: Math.floor(random() * 6) }, () => `outside ${Math.floor(random() * 1e6)}`),
          ...names.filter((other) => other !== endorser && random() < friends / 2 / Math.sqrt(count)),
        ],
      };
    }),
    random,
  );
}

/** Strategies of Sybil rings, from careless to careful. */
export const strategies = ['burst', 'drip', 'jittered', 'aged', 'diluted', 'patient'] as const;
/** Name of a strategy. */
export type Strategy = (typeof strategies)[number];

/**
 * A ring of Sybils. `burst`: new keys, all within an hour. `drip`: equal gaps of about an hour. `jittered`: random gaps over days.
 * `aged`: keys that were created together and stored for a year. `diluted`: one third honest endorsers beside a drip.
 * `patient`: bought old keys, random gaps, links to outsiders, activity: what no signal here can see.
 */
export function sybilRing(
  strategy: Strategy,
  random: Random,
  size: readonly [number, number] = [20, 60],
): readonly Endorsement[] {
  const count = Math.floor(between(random, ...size));
  const names = Array.from({ length: count }, () => hex(random));
  const age = strategy === 'aged' ? between(random, 200, 500) : between(random, 2, 25);
  const shape = random();
  const step = strategy === 'burst' ? between(random, 10_000, 60_000) : between(random, 50, 180) * 60_000;
  const begin = now - Math.min(age, 20) * day;
  const links = (i: number): readonly string[] => {
    const next = names[(i + 1) % count] ?? '';
    if (strategy === 'patient') return Array.from({ length: 3 }, (_, k) => `outside ${i} ${k}`);
    if (shape < 0.35) return i + 1 < count ? [next] : [];
    if (shape < 0.6) return [next];
    if (shape < 0.8) return names.filter((_, other) => other !== i && random() < 0.3);
    return [];
  };
  const ring = names.map((endorser, i): Endorsement => {
    const scattered = begin + random() * Math.min(age, 20) * day;
    const isScattered = strategy === 'jittered' || strategy === 'aged';
    const patientAge = between(random, 60, 900);
    const at =
      strategy === 'patient'
        ? now - random() * 50 * day
        : isScattered
          ? scattered
          : begin + i * step * between(random, 0.97, 1.03);
    const createdAt = strategy === 'patient' ? now - patientAge * day : now - (age + random() * 2) * day;
    return {
      endorser,
      at: Math.min(at, now),
      endorserCreatedAt: Math.min(createdAt, at),
      endorserLastActiveAt: strategy === 'patient' ? now - random() * 20 * day : Math.min(at, now),
      endorses: links(i),
    };
  });
  const helpers = strategy === 'diluted' ? honestCommunity(random).slice(0, Math.ceil(count / 2)) : [];
  return forget([...ring, ...helpers], random);
}
