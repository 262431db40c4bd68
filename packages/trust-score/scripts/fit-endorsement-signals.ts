/*
 * Fits the weights of the endorsement signals on simulated communities and rings (logistic regression with a small ridge), and
 * prints them: `node --conditions=@bonafide/source packages/trust-score/scripts/fit-endorsement-signals.ts`.
 */
import { endorsementSignals } from '../src/gaming/endorsement-gaming.ts';
import { signalNames } from '../src/gaming/endorsement-signals.ts';
import { honestCommunity, now, strategies, sybilRing } from '../test/endorsement-communities.ts';
import { seeded } from '../test/networks.ts';

const random = seeded(2_026);
const honest = Array.from({ length: 4_000 }, () => endorsementSignals(honestCommunity(random), now));
const rings = Array.from({ length: 4_000 }, (_, i) =>
  endorsementSignals(sybilRing(strategies[i % (strategies.length - 1)] ?? 'burst', random), now),
);
const neutral = Object.fromEntries(
  signalNames.map((name) => {
    const values = honest.flatMap((signals) => (signals[name] === null ? [] : [signals[name]]));
    return [name, values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)];
  }),
);
const rows = [...honest.map((one) => ({ one, y: 0 })), ...rings.map((one) => ({ one, y: 1 }))].map(
  ({ one, y }) => ({
    y,
    x: signalNames.map((name) => one[name] ?? neutral[name] ?? 0),
  }),
);
let intercept = 0;
// The weights of similar keys and of inactivity are set by hand in the package: they are not simulated.
const weights = signalNames.map(() => 0);
for (let pass = 0; pass < 4_000; pass += 1) {
  const gradient = signalNames.map(() => 0);
  let gradient0 = 0;
  for (const { x, y } of rows) {
    const z = x.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), intercept);
    const error = 1 / (1 + Math.exp(-z)) - y;
    gradient0 += error;
    for (const [i, value] of x.entries()) gradient[i] = (gradient[i] ?? 0) + error * value;
  }
  intercept -= (2 * gradient0) / rows.length;
  // Every signal is suspicious or says nothing: a negative weight would reward it.
  for (const [i] of weights.entries())
    weights[i] = Math.max(
      0,
      (weights[i] ?? 0) - 2 * ((gradient[i] ?? 0) / rows.length + 0.0005 * (weights[i] ?? 0)),
    );
}
process.stdout.write(
  JSON.stringify(
    { intercept, weights: Object.fromEntries(signalNames.map((name, i) => [name, weights[i]])), neutral },
    null,
    2,
  ),
);
