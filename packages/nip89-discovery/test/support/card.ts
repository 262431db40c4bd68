import { parseCapabilityCard } from '../../src/index.ts';
import { unsigned } from '../support.ts';

export const parse = (template: Parameters<typeof unsigned>[0]) =>
  parseCapabilityCard(unsigned(template), { verifier: null });
export const parsed = (template: Parameters<typeof unsigned>[0]) => {
  const result = parse(template);
  if (!result.ok) throw new Error(result.message);
  return result.card;
};
export const reasonOf = (template: Parameters<typeof unsigned>[0]) => {
  const result = parse(template);
  return result.ok ? null : result.reason;
};
export const withK = (...values: string[]) =>
  parsed({ tags: [['d', 'x'], ...values.map((value) => ['k', value])] });
export const withContent = (content: unknown) =>
  parsed({ content: typeof content === 'string' ? content : JSON.stringify(content) });
