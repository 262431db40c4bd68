/*
 * Fits the weights of the endorsement signals on simulated communities and rings (logistic regression with a small ridge,
 * then calibrated), and prints them: `node --conditions=@bonafide/source packages/trust-score/scripts/fit-endorsement-signals.ts`.
 */
import { seededRandom } from '@bonafide/internal';
import { endorsementSignals } from '../src/gaming/endorsement-gaming.ts';
import { signalNames } from '../src/gaming/endorsement-signals.ts';
import { honestCommunity, now, strategies, sybilRing } from '../test/endorsement-communities.ts';

const random = seededRandom(2_026);
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
// The ridge makes the model too cautious: scale and offset are fitted on other sets (Platt), so that probabilities are calibrated.
const others = seededRandom(2_027);
const held = [
  ...Array.from({ length: 4_000 }, () => ({ y: 0, one: endorsementSignals(honestCommunity(others), now) })),
  ...Array.from({ length: 4_000 }, (_, i) => ({
    y: 1,
    one: endorsementSignals(sybilRing(strategies[i % (strategies.length - 1)] ?? 'burst', others), now),
  })),
].map(({ y, one }) => ({
  y,
  z: signalNames.reduce(
    (sum, name, i) => sum + (weights[i] ?? 0) * (one[name] ?? neutral[name] ?? 0),
    intercept,
  ),
}));
let [scale, offset] = [1, 0];
for (let pass = 0; pass < 50; pass += 1) {
  let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
  for (const { y, z } of held) {
    const p = 1 / (1 + Math.exp(-(scale * z + offset)));
    const w = Math.max(1e-9, p * (1 - p));
    g0 += p - y;
    g1 += (p - y) * z;
    h00 += w;
    h01 += w * z;
    h11 += w * z * z;
  }
  const det = h00 * h11 - h01 * h01;
  offset -= (h11 * g0 - h01 * g1) / det;
  scale -= (h00 * g1 - h01 * g0) / det;
}
process.stdout.write(
  JSON.stringify(
    {
      scale,
      intercept: scale * intercept + offset,
      weights: Object.fromEntries(signalNames.map((name, i) => [name, scale * (weights[i] ?? 0)])),
      neutral,
    },
    null,
    2,
  ),
);
