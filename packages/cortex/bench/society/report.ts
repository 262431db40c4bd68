import { type AgentName, agentNames } from './agents.ts';
import { runSociety, type SocietyResult } from './society.ts';

/** Results of every agent in every world. */
export type Comparison = Readonly<Record<AgentName, readonly SocietyResult[]>>;

/** Runs every agent through the worlds of the seeds 1…`seeds`. */
export async function compareAgents(seeds: number, days: number): Promise<Comparison> {
  const results = Object.fromEntries(agentNames.map((name) => [name, [] as SocietyResult[]])) as {
    [Name in AgentName]: SocietyResult[];
  };
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const name of agentNames) results[name].push(await runSociety(name, seed, days));
  }
  return results;
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Mean loss of an agent over the worlds, in prices of an ordinary job. */
export const meanLoss = (results: readonly SocietyResult[]): number => mean(results.map(({ lost }) => lost));

/** Formats the comparison as a Markdown table. */
export function societyTable(comparison: Comparison): string {
  const without = meanLoss(comparison['no memory']);
  const rows = agentNames.map((name) => {
    const results = comparison[name];
    const lost = meanLoss(results);
    const detection = median(results.flatMap(({ hoursToDetect }) => hoursToDetect));
    const cheated = results.reduce((sum, one) => sum + one.hoursToDetect.length + one.undetected, 0);
    const found = results.reduce((sum, one) => sum + one.hoursToDetect.length, 0);
    const accused = results.reduce((sum, one) => sum + one.accused, 0);
    const honest = results.reduce((sum, one) => sum + one.honestPeers, 0);
    const longest = Math.max(...results.map(({ longestRefusalHours }) => longestRefusalHours));
    const memory = name !== 'no memory';
    return [
      name,
      lost.toFixed(0),
      `${((100 * lost) / without).toFixed(0)} %`,
      memory ? `${found} of ${cheated}` : '–',
      memory && detection !== null ? `${detection} h` : '–',
      memory ? `${accused} of ${honest}` : '–',
      memory ? `${longest} h` : '–',
    ];
  });
  const heads = [
    'agent',
    'lost jobs',
    'of the loss without memory',
    'cheaters distrusted',
    'median time to that',
    'honest peers ever refused',
    'longest refusal of one',
  ];
  return [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

const colors = ['#999999', '#e69f00', '#009e73', '#0072b2'];

/** Draws the mean cumulative losses by day as an SVG document. */
export function societyPlot(comparison: Comparison): string {
  const box = { left: 60, top: 20, width: 520, height: 300 };
  const lines = agentNames.map((name) => {
    const results = comparison[name];
    const days = results[0]?.lossByDay.length ?? 0;
    let sum = 0;
    return Array.from({ length: days }, (_, day) => {
      sum += mean(results.map(({ lossByDay }) => lossByDay[day] ?? 0));
      return sum;
    });
  });
  const top = Math.ceil(Math.max(...lines.flat()) / 100) * 100;
  const days = lines[0]?.length ?? 0;
  const x = (day: number) => (box.left + (box.width * day) / days).toFixed(1);
  const y = (loss: number) => (box.top + box.height * (1 - loss / top)).toFixed(1);
  const parts = [`<rect width="720" height="380" fill="#fff"/>`];
  for (let step = 0; step <= 4; step += 1) {
    const loss = (top * step) / 4;
    parts.push(
      `<line x1="${box.left}" x2="${box.left + box.width}" y1="${y(loss)}" y2="${y(loss)}" stroke="#eaecf0"/>`,
      `<text x="${box.left - 8}" y="${Number(y(loss)) + 4}" text-anchor="end">${loss.toFixed(0)}</text>`,
    );
  }
  for (let day = 0; day <= days; day += Math.max(1, Math.round(days / 6))) {
    parts.push(`<text x="${x(day)}" y="${box.top + box.height + 18}" text-anchor="middle">${day}</text>`);
  }
  parts.push(
    `<text x="${box.left + box.width / 2}" y="${box.top + box.height + 38}" text-anchor="middle">days</text>`,
    `<text x="${box.left}" y="12">jobs lost, mean of all worlds</text>`,
  );
  for (const [index, losses] of lines.entries()) {
    const points = [0, ...losses].map((loss, day) => `${x(day)},${y(loss)}`).join(' ');
    const end = losses.at(-1) ?? 0;
    parts.push(
      `<polyline points="${points}" fill="none" stroke="${colors[index]}" stroke-width="2"/>`,
      `<rect x="${box.left + 16}" y="${box.top + 12 + 18 * index}" width="14" height="4" fill="${colors[index]}"/>`,
      `<text x="${box.left + 36}" y="${box.top + 18 + 18 * index}">${agentNames[index]}</text>`,
      `<text x="${box.left + box.width + 6}" y="${Number(y(end)) + 4}">${end.toFixed(0)}</text>`,
    );
  }
  const label = 'Jobs lost by agents without memory, with inline assessment and with a cortex';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 380" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${label}">\n${parts.join('\n')}\n</svg>\n`;
}
