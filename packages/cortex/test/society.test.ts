import { describe, expect, it } from 'vitest';
import { compareAgents, meanLoss, societyPlot, societyTable } from '../bench/society/report.ts';
import { runSociety } from '../bench/society/society.ts';

// Twenty worlds of thirty days take minutes: `BONAFIDE_PROOF=full`, or `npm run bench -- cortex`.
const [seeds, days] = process.env.BONAFIDE_PROOF === 'full' ? [20, 30] : [1, 12];

describe('a simulated society', () => {
  it('CTX-26 AGT-7 an agent with a cortex loses at most a third of one without memory, and refuses no honest peer for more than a day', async () => {
    const comparison = await compareAgents(seeds, days);
    const without = meanLoss(comparison['no memory']);
    const rule = comparison['cortex, by rule'];
    expect(meanLoss(rule)).toBeLessThanOrEqual(without / (seeds === 1 ? 2.5 : 3));
    for (const { longestRefusalHours } of rule) expect(longestRefusalHours).toBeLessThanOrEqual(24);
    // A model that works for the others costs money, and less than no memory or a main model that believes what it is told.
    const compromised = comparison['cortex, compromised model'];
    expect(meanLoss(compromised)).toBeLessThan(without);
    expect(meanLoss(compromised)).toBeLessThan(meanLoss(comparison['inline assessment']));
    // A trial a day, and the hour in which it is judged.
    for (const { longestRefusalHours } of compromised) expect(longestRefusalHours).toBeLessThanOrEqual(25);
    expect(societyTable(comparison).split('\n')).toHaveLength(6);
    expect(societyPlot(comparison)).toMatch(/^<svg .*<\/svg>\n$/su);
  }, 3_600_000);

  it('CTX-26 the same seed gives the same result', async () => {
    expect(await runSociety('cortex, by rule', 3, 3)).toEqual(await runSociety('cortex, by rule', 3, 3));
  });
});
