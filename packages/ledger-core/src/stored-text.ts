import { isBlank } from '@bonafide/internal';
import type { Evidence, Metrics } from './records.ts';
import { redactKeys } from './redaction.ts';

const aliasLength = 256;

/**
 * A text as every database can keep it: a NUL and half a surrogate pair, which Postgres refuses and SQLite cuts at,
 * become U+FFFD. Private keys are taken out.
 */
export function cleanText(text: string): string {
  return redactKeys(storable(text)).text;
}

/** A message's text as it is stored: keys redacted first, so that the cap never leaves most of one, then cut. */
export function storedContent(
  content: string,
  maxLength: number | null,
): { readonly content: string; readonly redacted: boolean } {
  const { text, redacted } = redactKeys(storable(content));
  return { content: maxLength === null ? text : cut(text, maxLength), redacted };
}

/** An alias as it is stored, or null when it says nothing. */
export function storedAlias(alias: string | null | undefined): string | null {
  const text = cut(cleanText(alias ?? '').trim(), aliasLength);
  return isBlank(text) ? null : text;
}

/** A signed event cannot be redacted without breaking its signature: with a private key in it, it is not kept. */
export function storedEvidence(evidence: Evidence | null | undefined): {
  readonly evidence: Evidence | null;
  readonly redacted: boolean;
} {
  if (!evidence) return { evidence: null, redacted: false };
  return redactKeys(JSON.stringify(evidence)).redacted
    ? { evidence: null, redacted: true }
    : { evidence, redacted: false };
}

/** Redacts private keys in the names and values of metrics. */
export function storedMetrics(metrics: Metrics | null | undefined): {
  readonly metrics: Metrics | null;
  readonly redacted: boolean;
} {
  if (!metrics) return { metrics: null, redacted: false };
  let redacted = false;
  const clean = (text: string) => {
    const result = redactKeys(storable(text));
    redacted ||= result.redacted;
    return result.text;
  };
  const entries = Object.entries(metrics).map(([name, value]) => [
    clean(name),
    typeof value === 'string' ? clean(value) : value,
  ]);
  return { metrics: Object.fromEntries(entries), redacted };
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** At most `length` UTF-16 units, never half a pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, splitsPair ? length - 1 : length);
}
