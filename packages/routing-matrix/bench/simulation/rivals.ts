import { featuresOf, LinearModel } from '../../src/strategies/learned/linear-model.ts';
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

/**
 * Linear UCB per platform (Li et al., 2010) over type, difficulty, deadline and value; `decay` < 1 forgets as in Russac et
 * al. (2019). Without pooling rules of its own for strangers or value strata.
 */
export function linUcb(decay = 1, width = 0.4): Policy {
  const models = new Map<string, { readonly model: LinearModel; readonly prior: number }>();
  let now = 0;
  const features = (task: SimulatedTask) => {
    const x = new Float64Array(8);
    x[0] = 1;
    x[1] = task.difficulty - 0.5;
    x[2] = task.deadlineSeconds > 300 ? 0.5 : -0.5;
    x[3] = Math.max(-1, Math.min(1, Math.log(task.value)));
    x[4 + task.type] = 1;
    return featuresOf(x);
  };
  const of = ({ id, initialTrust }: Pick<Offer, 'id' | 'initialTrust'>) => {
    let own = models.get(id);
    if (own === undefined) {
      own = {
        model: new LinearModel(8, { playDecay: decay, timeDecay: 1, ridge: () => 4 }),
        prior: initialTrust,
      };
      models.set(id, own);
    }
    return own;
  };
  return {
    name: decay === 1 ? 'LinUCB' : `LinUCB ${decay}`,
    choose(task, offers) {
      now += 1;
      const x = features(task);
      return best(offers, (offer) => {
        const { model, prior } = of(offer);
        const { mean, deviation } = model.estimate(x, prior, now);
        return utility(task, offer, Math.min(1, mean + width * deviation));
      });
    },
    learn({ task, id, accepted, latencySeconds }) {
      const good = accepted && latencySeconds <= task.deadlineSeconds ? 1 : 0;
      of({ id, initialTrust: 0.45 }).model.learn(features(task), good, now);
    },
  };
}

/**
 * The adaptive router of LiteLLM as its documentation describes it: Thompson sampling from a Beta with prior mass 10, a
 * score of .7 quality and .3 normalized cost, and no updates after 200 samples.
 */
export function liteLlm(): Policy {
  const arms = new Map<string, { good: number; bad: number; samples: number }>();
  const of = (id: string, type: number, trust: number) => {
    const key = `${type} ${id}`;
    let arm = arms.get(key);
    if (arm === undefined) {
      arm = { good: 10 * trust, bad: 10 * (1 - trust), samples: 0 };
      arms.set(key, arm);
    }
    return arm;
  };
  return {
    name: 'LiteLLM-like',
    choose(task, offers, random) {
      let dearest = 0;
      for (const { price } of offers) dearest = Math.max(dearest, price);
      return best(offers, (offer) => {
        const { good, bad } = of(offer.id, task.type, offer.initialTrust);
        const mean = good / (good + bad);
        const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
        const sample = mean + normal * Math.sqrt((mean * (1 - mean)) / (good + bad + 1));
        return 0.7 * sample + 0.3 * (1 - offer.price / dearest);
      });
    },
    learn({ task, id, accepted, latencySeconds }) {
      const arm = of(id, task.type, 0.45);
      if (arm.samples >= 200) return;
      arm.samples += 1;
      if (accepted && latencySeconds <= task.deadlineSeconds) arm.good += 1;
      else arm.bad += 1;
    },
  };
}
