import { optional, optionsOf, text } from '../input.ts';
import type { GuaranteeStatus, SlaState, SlaStatus } from './evaluate.ts';
import { knownStatus } from './known-status.ts';

const renderOptions = optionsOf({ name: optional(text) });

const marks: Readonly<Record<SlaState, string>> = {
  compliant: '✅',
  stale: '⚠️ ',
  at_risk: '⚠️ ',
  breached: '❌',
};
const words: Readonly<Record<SlaState, string>> = {
  compliant: 'COMPLIANT',
  stale: 'STALE',
  at_risk: 'AT RISK',
  breached: 'BREACHED',
};

/** A value of a promise: a share as a percentage, anything else with its unit. */
function measure({ unit, target, breachThreshold }: GuaranteeStatus, value: number, sign = ''): string {
  const isShare = unit === null && Math.max(Math.abs(target), Math.abs(breachThreshold)) <= 1;
  const positive = value > 0 ? sign : '';
  if (isShare) return `${positive}${Number((value * 100).toFixed(2))} %`;
  return `${positive}${Number(value.toFixed(2))}${unit === null ? '' : ` ${unit === 'milliseconds' ? 'ms' : unit}`}`;
}

function describe(one: GuaranteeStatus): readonly string[] {
  const { metric, status, current, buffer, target, breachThreshold, daysUntilBreach } = one;
  if (current === null || buffer === null)
    return [`  ${marks[status]} ${metric}: not measured (target ${measure(one, target)})`];
  const head = `  ${marks[status]} ${metric}: ${measure(one, current)} (target ${measure(one, target)}, buffer ${measure(one, buffer, '+')})`;
  if (status === 'compliant' && daysUntilBreach === null) return [head];
  const trend =
    daysUntilBreach === null || status === 'breached'
      ? []
      : [`     - Days until breach, if the trend continues: ${daysUntilBreach.toFixed(1)}`];
  return [
    head,
    `     - Status: ${words[status]}`,
    `     - Breach threshold: ${measure(one, breachThreshold)}`,
    ...(one.stale ? ['     - Not measured in the last day'] : []),
    ...trend,
  ];
}

/**
 * Renders a status as text. Names of metrics are the agent's own: sanitize them before they reach a terminal.
 */
export function renderSlaStatus(status: SlaStatus, options: { readonly name?: string } = {}): string {
  knownStatus('status', status);
  renderOptions('options', options);
  const { recentBreaches, penaltiesApplied, trustScoreImpact, recommendation } = status;
  const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  const breaches = recentBreaches.map(
    ({ metric, startedAt, endedAt }) =>
      `  - ${metric} from ${minute(startedAt)}${endedAt === null ? ', going on' : ` to ${minute(endedAt)}`}`,
  );
  const lines = [
    `SLA status${options.name === undefined ? '' : `: ${options.name}`}, ${minute(status.evaluatedAt)}`,
    `Overall: ${marks[status.overall]} ${words[status.overall]}`,
    '',
    'Guarantees:',
    ...status.guarantees.flatMap(describe),
    '',
    'Last 30 days:',
    ...(breaches.length === 0 ? ['  - No breaches'] : breaches),
    `  - ${penaltiesApplied.length} ${penaltiesApplied.length === 1 ? 'penalty' : 'penalties'} applied`,
    `  - Trust score impact: ${Number((trustScoreImpact * 100).toFixed(2))} %`,
    ...(recommendation === null ? [] : ['', 'Recommendation:', `  ${recommendation}`]),
  ];
  return `${lines.map((line) => line.replaceAll(/\p{Cc}+/gu, ' ')).join('\n')}\n`;
}
