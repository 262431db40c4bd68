/*
 * Prints what reflection costs (CTX-13): tokens of a cycle and of a day with activity in every interval, for 5 and 50 active peers.
 * The prices are examples, per million tokens. `node costs.bench.ts`
 */
import { estimateCycle, parseConfig } from '../src/index.ts';

const models = [
  { name: 'small model, $0.25 / $2', input: 0.25, output: 2 },
  { name: 'large model, $3 / $15', input: 3, output: 15 },
];
const minute = 60_000;
const format = new Intl.NumberFormat('en');

console.log(
  '| active peers | interval | input tokens a cycle | output tokens | tokens a day | ' +
    models.map(({ name }) => `a day, ${name}`).join(' | ') +
    ' |',
);
console.log(`|${'---|'.repeat(5 + models.length)}`);
for (const peers of [5, 50]) {
  for (const interval of [15, 30, 60]) {
    const estimates = models.map(({ input, output }) =>
      estimateCycle(
        parseConfig({ scheduleMs: interval * minute, budget: { prices: { input, output } } }),
        peers,
      ),
    );
    const [one] = estimates;
    if (one === undefined) continue;
    const money = estimates.map(({ perDay }) => `$${perDay.money.toFixed(2)}`);
    const cells = [
      peers,
      `${interval} min`,
      format.format(one.inputTokens),
      format.format(one.outputTokens),
      format.format(one.perDay.tokens),
      ...money,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
