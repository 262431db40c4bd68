import type { Offer, Policy } from './policy.ts';
import type { SimulatedTask } from './tasks.ts';

interface Arm {
  good: number;
  all: number;
}

/** Prior strength of the initial trust, in outcomes. */
const priorStrength = 3;

/** Keeps counts per platform and task type, faded by `decay` at every outcome of the arm and `timeDecay` at every task. */
function counts(decay = 1) {
  const arms = new Map<string, Arm>();
  const armOf = (offer: Pick<Offer, 'id' | 'initialTrust'>, type: number): Arm => {
    const key = `${type} ${offer.id}`;
    let arm = arms.get(key);
    if (arm === undefined) {
      arm = { good: priorStrength * offer.initialTrust, all: priorStrength };
      arms.set(key, arm);
    }
    return arm;
  };
  return {
    armOf,
    fade() {
      if (decay === 1) return;
      for (const arm of arms.values()) {
        arm.good *= decay;
        arm.all *= decay;
      }
    },
    learn: ({ task, id, accepted, latencySeconds }: Parameters<Policy['learn']>[0]) => {
      const arm = armOf({ id, initialTrust: 0.45 }, task.type);
      arm.good += accepted && latencySeconds <= task.deadlineSeconds ? 1 : 0;
      arm.all += 1;
    },
  };
}

const best = (offers: readonly Offer[], score: (offer: Offer) => number) => {
  let [found, top] = [0, Number.NEGATIVE_INFINITY];
  for (const [index, offer] of offers.entries()) {
    const value = score(offer);
    if (value > top) [found, top] = [index, value];
  }
  return found;
};

const utility = (task: SimulatedTask, offer: Offer, success: number) => task.value * success - offer.price;

export function roundRobin(): Policy {
  let next = 0;
  return { name: 'round robin', choose: (_, offers) => next++ % offers.length, learn() {} };
}

/** The less loaded of two drawn at random. */
export const leastInFlight = (): Policy => ({
  name: 'P2C, least in flight',
  choose(_, offers, random) {
    const [a, b] = [Math.floor(random() * offers.length), Math.floor(random() * offers.length)];
    return (offers[a]?.inFlight ?? 0) <= (offers[b]?.inFlight ?? 0) ? a : b;
  },
  learn() {},
});

/** A constant tenth of random choices, else the best mean. */
export function epsilonGreedy(epsilon = 0.1): Policy {
  const { armOf, learn } = counts();
  return {
    name: `ε-greedy ${epsilon}`,
    choose(task, offers, random) {
      if (random() < epsilon) return Math.floor(random() * offers.length);
      return best(offers, (offer) => {
        const { good, all } = armOf(offer, task.type);
        return utility(task, offer, good / all);
      });
    },
    learn,
  };
}

/** Thompson sampling with Beta posteriors, by a normal approximation. */
export function thompson(decay = 1): Policy {
  const { armOf, fade, learn } = counts(decay);
  return {
    name: decay === 1 ? 'Thompson' : `discounted Thompson ${decay}`,
    choose(task, offers, random) {
      fade();
      return best(offers, (offer) => {
        const { good, all } = armOf(offer, task.type);
        const mean = (good + 0.5) / (all + 1);
        const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
        const sample = mean + normal * Math.sqrt((mean * (1 - mean)) / (all + 2));
        return utility(task, offer, Math.min(1, Math.max(0, sample)));
      });
    },
    learn,
  };
}

/** Discounted upper confidence bounds per task type and platform (Garivier and Moulines, 2011). */
export function discountedUcb(decay = 0.9995, width = 0.05): Policy {
  const { armOf, fade, learn } = counts(decay);
  let total = 0;
  return {
    name: `discounted UCB ${decay}`,
    choose(task, offers) {
      fade();
      total = total * decay + 1;
      return best(offers, (offer) => {
        const { good, all } = armOf(offer, task.type);
        const bonus = Math.sqrt((width * Math.log(1 + total)) / Math.max(0.1, all));
        return utility(task, offer, Math.min(1, good / Math.max(1e-9, all) + bonus));
      });
    },
    learn,
  };
}
